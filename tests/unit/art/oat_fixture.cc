// SPDX-License-Identifier: Apache-2.0
// The header of an oat file, where dex2oat's ELF writer puts it: behind the symbol oatdata. The
// function makes an executable mapping.
extern "C" {
extern const char oatdata[];
const char oatdata[16] = "oat\n230";
int OatFixtureCode();
int OatFixtureCode() { return 1; }
}
