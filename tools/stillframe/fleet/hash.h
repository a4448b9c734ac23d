// SPDX-License-Identifier: Apache-2.0
// Hashes that a store keeps: the same on all machines and for all time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::fleet {

uint64_t Hash(std::string_view text);

// Another hash, for long texts: eight bytes at a time.
uint64_t HashOfBytes(std::string_view bytes);

// As a key of a column.
template <typename Key>
Key KeyHash(std::string_view text) {
  return Key{static_cast<int64_t>(Hash(text))};
}

// Spreads the bits of a number (splitmix64).
uint64_t Mix(uint64_t number);

// Twelve hexadecimal digits.
std::string ShortHash(std::string_view text);

}  // namespace stillframe::fleet
