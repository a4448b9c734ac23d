// SPDX-License-Identifier: Apache-2.0
// Enrolment: a pure function of install id, salt and percentage, which a server or a query can
// compute as well.
//
// The first eight bytes of SHA-256(salt, one zero byte, id), read as a number with the first byte
// highest and scaled to 0 .. 999,999, are the install's place in the experiment that the salt
// stands for. It takes part at P percent if its place is below P x 10,000: who is in at 1 % is in
// at 5 %, and places under different salts have nothing to do with each other. This never changes
// from one release to the next (docs/production.md).
// Context: any thread; allocates nothing
#pragma once

#include <cstdint>
#include <string_view>

namespace stillframe::settings {

constexpr uint32_t kPlaces = 1'000'000;
// The control group is an experiment of its own.
constexpr std::string_view kControlSalt = "control";

// Neither may hold a zero byte.
uint32_t PlaceOf(std::string_view install_id, std::string_view salt);

// Places that take part, rounded to the nearest; more than kPlaces when `percent` is no number from
// 0 to 100.
uint32_t PlacesOf(double percent);

// Whether an install of those that take part is of the control group, which `percent` of them are,
// whole ones. One without an id is only where all are.
bool IsControl(std::string_view install_id, std::string_view salt, uint32_t percent);

}  // namespace stillframe::settings
