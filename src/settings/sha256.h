// SPDX-License-Identifier: Apache-2.0
// SHA-256. Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2.2.
// Context: any thread; allocates nothing
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stillframe::settings {

class Sha256 {
 public:
  void Add(std::string_view bytes);
  // The digest as big-endian words. Call last.
  const std::array<uint32_t, 8>& Finish();

 private:
  void AddByte(uint8_t byte);
  void TakeBlock();

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> block_ = {};
  size_t used_ = 0;     // of the block
  uint64_t bytes_ = 0;  // of the message
};

}  // namespace stillframe::settings
