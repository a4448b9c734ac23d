// SPDX-License-Identifier: Apache-2.0
// The library whose function the import tests replace.
#include <cstddef>
#include <cstdint>

extern "C" [[gnu::visibility("default")]] int32_t stillframe_fixture_write(const char*,
                                                                           size_t length) {
  return static_cast<int32_t>(length);
}
