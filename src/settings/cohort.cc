// SPDX-License-Identifier: Apache-2.0
#include "src/settings/cohort.h"

#include "src/settings/sha256.h"

namespace stillframe::settings {

uint32_t PlaceOf(std::string_view install_id, std::string_view salt) {
  Sha256 hash;
  hash.Add(salt);
  hash.Add(std::string_view("\0", 1));
  hash.Add(install_id);
  const std::array<uint32_t, 8>& digest = hash.Finish();
  const uint64_t number = uint64_t{digest[0]} << 32 | digest[1];
  // The upper half of number x kPlaces, computed without overflow of 64 bits.
  const uint64_t low = ((number & UINT32_MAX) * kPlaces) >> 32;
  return static_cast<uint32_t>(((number >> 32) * kPlaces + low) >> 32);
}

uint32_t PlacesOf(double percent) {
  // Also rejects NaN.
  if (!(percent >= 0 && percent <= 100)) return UINT32_MAX;
  constexpr uint32_t kPlacesOfPercent = kPlaces / 100;
  // std::lround would need libm. NOLINTNEXTLINE(bugprone-incorrect-roundings)
  return static_cast<uint32_t>(percent * kPlacesOfPercent + 0.5);
}

bool IsControl(std::string_view install_id, std::string_view salt, uint32_t percent) {
  if (percent == 0 || percent >= 100) return percent != 0;
  return !install_id.empty() && PlaceOf(install_id, salt) < PlacesOf(percent);
}

}  // namespace stillframe::settings
