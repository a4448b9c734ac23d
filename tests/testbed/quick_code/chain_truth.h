// SPDX-License-Identifier: Apache-2.0
// The true stack while a chain of QuickCode.java runs, known without asking the runtime. Outer
// frames are at their calls, as ART's StackVisitor saw them when the same chain was interpreted.
// The innermost method is followed from entry to return.
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

class ChainTruth : public Truth {
 public:
  // `fixture` has its methods installed; its places in the stepper are the first ones.
  explicit ChainTruth(const Fixture& fixture) : fixture_(fixture) {}

  // `learned` is the stack at the end of `chain`, innermost first. Allocates.
  void Begin(const std::vector<OracleFrame>& learned, uint32_t chain);

  bool Follow(const Step& step) override;
  Verdict Judge(const Walked& walked, const Step& step) const override;
  void Describe(char* text, size_t bytes) const override;

  // The same for one instruction of many runs of the chain, none of which was followed.
  Verdict JudgeAnywhere(const Walked& walked, const Step& step) const;

 private:
  static constexpr uint32_t kMaxLevels = 16;

  // One method of the chain, with the methods inlined into it.
  struct Level {
    Kind kind;
    uint32_t first;    // its innermost frame in learned_
    uint32_t frames;   // how many
    bool is_followed;  // its entry and its return are seen: compiled or nterp
  };
  struct Live {
    uint32_t level;
    uintptr_t entry_sp;
    uintptr_t return_address;
    NterpMethod nterp;  // if nterp runs it
  };

  void AddLevel(Kind kind);
  bool IsOver(const Live& live, const Step& step) const;
  void Enter(const Step& step);
  bool StartsRight(const Walked& walked, uint32_t depth, uint32_t level, const Step& step) const;
  bool IsCompiledInnermost(const core::RawFrame* frames, uint32_t depth, const Installed& installed,
                           uintptr_t pc) const;
  bool IsCompiledAnywhere(const Walked& walked, const Step& step) const;
  bool IsWholeAnywhere(const Walked& walked, const Step& step) const;
  bool IsNterpInnermost(const Walked& walked, uint32_t depth, const Live& live) const;

  const Fixture& fixture_;
  std::vector<OracleFrame> learned_;  // innermost first
  uint32_t chain_ = 0;
  std::array<Level, kMaxLevels> levels_ = {};
  uint32_t level_count_ = 0;
  std::array<Live, kMaxLevels> live_ = {};
  uint32_t live_count_ = 0;
  uint32_t next_level_ = 0;  // the next one whose entry can be seen; level_count_: none
};

// Samples of a chain that runs again and again, wherever they land.
class AnywhereTruth : public Truth {
 public:
  explicit AnywhereTruth(const ChainTruth& chain) : chain_(chain) {}

  // While the chain does not run, or is about to change, nothing is judged.
  void SetRunning(bool is_running) { is_running_ = is_running; }

  bool Follow(const Step&) override { return is_running_; }
  Verdict Judge(const Walked& walked, const Step& step) const override {
    return chain_.JudgeAnywhere(walked, step);
  }
  void Describe(char* text, size_t bytes) const override;

 private:
  const ChainTruth& chain_;
  volatile bool is_running_ = false;  // by this thread, for its own handler
};

// The true stack while nterp runs any program. Each method is followed from its entry to its
// return. Its dex pc is nterp's own register, taken at the call for callers.
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
  static constexpr uint32_t kMaxNatives = 3;  // above a method of nterp

  struct Live {
    NterpMethod method;
    uintptr_t entry_sp;
    uintptr_t return_address;
    bool is_known;  // false: called by the runtime, or under such a one
  };

  static bool IsOver(const Live& live, const Step& step);
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
