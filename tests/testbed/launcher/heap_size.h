// SPDX-License-Identifier: Apache-2.0
// The heap's limit among ART's options.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace stillframe::testbed {

// The bytes of the last -Xmx option (with k, m or g), 0 if there is none.
inline uint64_t MaxHeapBytes(const std::vector<std::string>& options) {
  uint64_t bytes = 0;
  for (const std::string& option : options) {
    if (option.rfind("-Xmx", 0) == 0) {
      const char unit = option.back();
      const int shift = unit == 'g' ? 30 : unit == 'm' ? 20 : unit == 'k' ? 10 : 0;
      bytes = std::strtoull(option.c_str() + 4, nullptr, 10) << shift;
    }
  }
  return bytes;
}

}  // namespace stillframe::testbed
