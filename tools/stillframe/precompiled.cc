// SPDX-License-Identifier: Apache-2.0
// A file for the target that the precompiled headers belong to; see CMakeLists.txt.
