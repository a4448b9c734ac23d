// SPDX-License-Identifier: Apache-2.0
// Enrolment: a pure function of install id, salt and percentage. A server or a query can compute it
// too.
//
// The place of an install is SHA-256(salt, one zero byte, id): its first eight bytes as a
// big-endian number, scaled to 0 .. 999,999. At P percent an install is enrolled if its place is
// below P x 10,000. An install enrolled at 1 % also is at 5 %. Places under different salts are
// independent. This never changes between releases (docs/production.md).
// Context: any thread; allocates nothing
#pragma once

#include <cstdint>
#include <string_view>

namespace stillframe::settings {

constexpr uint32_t kPlaces = 1'000'000;
// The control group has a salt of its own.
constexpr std::string_view kControlSalt = "control";

// Neither may hold a zero byte.
uint32_t PlaceOf(std::string_view install_id, std::string_view salt);

// Number of places enrolled at `percent`, rounded; above kPlaces if `percent` is not in 0 .. 100.
uint32_t PlacesOf(double percent);

// Whether an enrolled install is in the control group, which has `percent` % of them. An install
// without an id is in it only at 100 %.
bool IsControl(std::string_view install_id, std::string_view salt, uint32_t percent);

}  // namespace stillframe::settings
