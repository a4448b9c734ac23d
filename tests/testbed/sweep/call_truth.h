// SPDX-License-Identifier: Apache-2.0
// The true stack while code of ART's own compiler runs, known from the calling convention alone. A
// method begins where a call, or a jump of a runtime stub, leads to its code with its ArtMethod in
// the first argument. It ends when it has returned. While it waits, its pc is the return address of
// the call that it made.
//
// The truth uses nothing that the walk uses: neither headers nor CodeInfo nor frames.
// Context: the handler of SIGTRAP
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/walk/layout.h"
#include "tests/testbed/quick_code/stepper.h"

namespace testbed::sweep {

namespace arch = stillframe::arch;
namespace core = stillframe::core;

class CallTruth : public quick_code::Truth {
 public:
  // Methods are recognized as `layout` has them.
  void Open(const stillframe::walk::Layout& layout) { layout_ = &layout; }

  // `below` are the methods under the first one that is followed, innermost first. Allocates.
  void Begin(const std::vector<uint64_t>& below, uint32_t number);

  bool JudgesRawFrames() const override { return true; }
  bool Follow(const quick_code::Step& step) override;
  quick_code::Verdict Judge(const quick_code::Walked& walked,
                            const quick_code::Step& step) const override;
  void Describe(char* text, size_t bytes) const override;

  struct Counts {
    uint64_t entered = 0;         // methods in compiled code
    uint64_t replaced = 0;        // frames by on-stack replacement
    uint64_t wrong_handlers = 0;  // of exceptions, that were not entered
    uint64_t lost = 0;            // steps in compiled code that no call led to
  };
  const Counts& counts() const { return counts_; }

 private:
  enum class Kind : uint8_t {
    kCompiled,
    kNterp,
    kNative,
    kStub,  // the runtime decides: interpreted, or on its way to its code
  };
  struct Activation {
    uint64_t method;
    uintptr_t entry_sp;  // where its return address lies, where the CPU keeps it on the stack
    uintptr_t pc;        // of compiled code: where it is, or returns to
    Kind kind;
    uintptr_t return_address;
    uint32_t fault_bytes = 0;  // bytes that pc may be behind a faulting instruction; 0: no fault
  };
  static constexpr uint32_t kMaxActivations = 256;
  // In a long path through the runtime, the first kStepsElsewhere steps are judged, then one in
  // kOneIn.
  static constexpr uint32_t kStepsElsewhere = 256;
  static constexpr uint32_t kOneIn = 32;

  bool IsMethod(uint64_t method) const;
  bool IsNative(uint64_t method) const;
  bool IsEntryPoint(uint64_t method, uintptr_t pc) const;
  void LeaveOver(const quick_code::Step& step);
  void Enter(const quick_code::Step& step, Kind kind);
  void FollowCall(const quick_code::Step& step, quick_code::PlaceKind previous);
  void FollowJump(const quick_code::Step& step);
  void FollowDeoptimization(const quick_code::Step& step);
  void SettleHandler(const quick_code::Step& step);
  bool IsAtHandler(const quick_code::Walked& walked) const;
  bool IsHandlerOf(const quick_code::Walked& walked, uint32_t at, uint32_t expected) const;
  bool IsOptional(uint32_t expected) const;
  bool IsUntracked(const core::RawFrame& frame, uint32_t expected) const;
  bool IsAt(const core::RawFrame& frame, const Activation& activation) const;
  uint32_t ExpectedCount() const {
    return activation_count_ + static_cast<uint32_t>(below_.size());
  }
  bool Equals(const core::RawFrame& frame, uint32_t expected) const;
  bool Matches(const quick_code::Walked& walked, uint32_t from, uint32_t to, uint32_t expected,
               bool to_the_end) const;

  const stillframe::walk::Layout* layout_ = nullptr;
  std::vector<uint64_t> below_;  // innermost first
  std::array<Activation, kMaxActivations> activations_ = {};
  uint32_t activation_count_ = 0;
  uint32_t number_ = 0;
  quick_code::PlaceKind place_ = quick_code::PlaceKind::kElsewhere;  // of the last step
  mutable uint32_t handler_ = 0;  // where an exception is said to be delivered to
  uintptr_t last_call_sp_ = 0;
  uintptr_t last_return_address_ = 0;
  uint32_t steps_elsewhere_ = 0;  // in a row
  Counts counts_;
};

}  // namespace testbed::sweep
