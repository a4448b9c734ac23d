// SPDX-License-Identifier: Apache-2.0
// A library whose symbols the tests look up: exported, hidden, data, and enough of them for chains.
extern "C" {

int sf_fixture_value = 42;
int SfFixtureAnswer();
int SfFixtureOther();
const void* SfFixtureHiddenAddress();
__attribute__((visibility("hidden"))) int SfFixtureHidden();

int SfFixtureAnswer() { return sf_fixture_value; }
int SfFixtureOther() { return sf_fixture_value + 1; }
int SfFixtureHidden() { return sf_fixture_value + 2; }
const void* SfFixtureHiddenAddress() { return reinterpret_cast<const void*>(SfFixtureHidden); }
}
