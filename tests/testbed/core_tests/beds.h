// SPDX-License-Identifier: Apache-2.0
// The runtimes that every test of the test bed runs on.
#pragma once

#include <ostream>
#include <string>

namespace stillframe::testbed {

struct Bed {
  const char* release;
  const char* interpreter;

  std::string Name() const { return std::string("Art") + release + interpreter; }
};

// GoogleTest's, for the name of a case.
inline void PrintTo(const Bed& bed, std::ostream* out) { *out << bed.Name(); }

inline constexpr Bed kBeds[] = {
    {"10", "mterp"}, {"11", "mterp"}, {"11", "nterp"}, {"14", "nterp"}, {"14", "switch"}};

}  // namespace stillframe::testbed
