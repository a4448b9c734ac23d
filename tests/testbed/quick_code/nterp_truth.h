// SPDX-License-Identifier: Apache-2.0
// What is right while nterp runs any program: each of its methods is followed from its entry to
// its return, and its dex pc is that of nterp's own register, taken at the call for the callers.
// Context: the handler of SIGTRAP
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/testbed/oracle/art_oracle.h"
#include "tests/testbed/quick_code/fixture.h"
#include "tests/testbed/quick_code/nterp_method.h"
#include "tests/testbed/quick_code/stepper.h"

namespace testbed::quick_code {

class NterpTruth : public Truth {
 public:
  // `fixture` has its methods installed.
  explicit NterpTruth(const Fixture& fixture) : fixture_(fixture) {}

  // `below` are the frames under the method `first`, innermost first. Allocates.
  void Begin(const std::vector<OracleFrame>& below, uint64_t first);

  bool Follow(const Step& step) override;
  Verdict Judge(const Walked& walked, const Step& step) const override;
  void Describe(char* text, size_t bytes) const override;

 private:
  static constexpr uint32_t kMaxLive = 32;
  static constexpr uint32_t kMostNatives = 3;  // above a method of nterp

  struct Live {
    NterpMethod method;
    uintptr_t entry_sp;
    bool is_known;  // false: called by the runtime, or under such a one
  };

  void Leave(const Step& step);
  void Enter(const Step& step);
  bool StartsRight(const Walked& walked, uint32_t from, uint32_t to, bool is_edge) const;
  bool IsAtHandler(const Walked& walked) const;

  const Fixture& fixture_;
  uint64_t first_ = 0;
  std::array<Live, kMaxLive> live_ = {};
  uint32_t live_count_ = 0;
  uint32_t unknown_ = 0;               // live methods that are not known
  std::vector<OracleFrame> expected_;  // innermost first; as of the last instruction of nterp
};

}  // namespace testbed::quick_code
