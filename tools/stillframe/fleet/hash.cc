// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace stillframe::fleet {

uint64_t Mix(uint64_t number) {
  number += 0x9E3779B97F4A7C15;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EB;
  return number ^ (number >> 31);
}

// FNV-1a, then mixed.
uint64_t Hash(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3;
  return Mix(hash);
}

uint64_t HashOfBytes(std::string_view bytes) {
  uint64_t hash = bytes.size();
  while (!bytes.empty()) {
    uint64_t word = 0;
    const size_t size = std::min(sizeof(word), bytes.size());
    std::memcpy(&word, bytes.data(), size);
    hash = (std::rotl(hash, 29) ^ word) * 0x9E3779B97F4A7C15;
    bytes.remove_prefix(size);
  }
  return Mix(hash);
}

std::string ShortHash(std::string_view text) { return fmt::format("{:012x}", Hash(text) >> 16); }

}  // namespace stillframe::fleet
