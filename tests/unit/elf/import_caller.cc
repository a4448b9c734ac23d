// SPDX-License-Identifier: Apache-2.0
// Calls a function of another library by way of its table of calls.
#include <cstddef>
#include <cstdint>

extern "C" int32_t stillframe_fixture_write(const char* text, size_t length);

extern "C" [[gnu::visibility("default")]] int32_t stillframe_fixture_call(const char* text,
                                                                          size_t length) {
  return stillframe_fixture_write(text, length) + 1;
}
