// SPDX-License-Identifier: Apache-2.0
// Takes stacks of the calling thread as the SIGPROF handler does, with the registers of that place:
// at each instruction, or wherever a timer fires. A Truth says whether each is right.
// Context: an ART process; Truth's functions in handlers: they must not allocate
#pragma once

#include <jni.h>
#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/arch.h"
#include "src/core/sample.h"
#include "src/os/thread_timer.h"
#include "src/walk/runtime_facts.h"
#include "tests/testbed/oracle/art_oracle.h"
#include "tests/testbed/quick_code/single_step.h"

namespace testbed::quick_code {

namespace arch = stillframe::arch;
namespace core = stillframe::core;

enum class PlaceKind { kCompiled, kNterp, kElsewhere };
enum class Verdict { kRight, kTruncated, kWrong };

// Where an instruction belongs, and what came of the walks there.
struct Place {
  PlaceKind kind = PlaceKind::kElsewhere;
  std::string name;
  uintptr_t begin = 0;
  uintptr_t end = 0;
  size_t assembled = 0;       // instructions it has; 0: not counted
  std::vector<bool> visited;  // by offset from begin
  uint64_t steps = 0;
  uint64_t right = 0;
  uint64_t truncated = 0;
  uint64_t wrong = 0;

  size_t Visited() const;
};

// The bytes of the instructions around a pc. Context of Read: signal
struct CodeAround {
  static constexpr uint32_t kBefore = 24;  // in front of the pc
  uint8_t bytes[64] = {};

  void Read(uintptr_t pc);
  std::string Describe() const;
};

struct Walked {
  static constexpr uint32_t kMaxDepth = 64;

  core::RawFrame frame[kMaxDepth];
  uint32_t depth = 0;

  // The frames in front of the first truncation and behind the last one; all and none of a whole
  // stack.
  uint32_t BeforeTruncation() const;
  uint32_t AfterTruncation() const;
  bool IsTruncated() const { return BeforeTruncation() < depth; }

  // True when the frames from `from` to `to` are those of `expected` from `first` on.
  bool Equals(uint32_t from, uint32_t to, const std::vector<OracleFrame>& expected,
              uint32_t first) const;
  // True when the frames behind the last truncation are the end of `expected`.
  bool EndsLike(const std::vector<OracleFrame>& expected) const;
};

// One instruction that is about to run.
struct Step {
  arch::Registers registers;
  uint64_t first_argument;   // of a call, if the instruction is the first of a method
  uintptr_t return_address;  // valid at the first instruction of a method
  uintptr_t nterp_handlers;  // in nterp code
  uintptr_t nterp_dex_pc;    // in nterp code: a pointer
  const Place* place;
  uint32_t place_number;
  bool is_call_target;  // the instruction before was a call to this one
};

// Whether a method has returned that was entered with this stack pointer and return address. Where
// a register has the address, that stack pointer is also the caller's.
inline bool HasReturned(const Step& step, uintptr_t entry_sp, uintptr_t return_address) {
  return step.registers.sp > entry_sp || (arch::kHasLinkRegister && step.registers.sp == entry_sp &&
                                          step.registers.pc == return_address);
}

class Truth {
 public:
  virtual ~Truth() = default;
  // As the handler left them, with pcs for frames of compiled code; else with dex pcs, and with the
  // methods inlined.
  virtual bool JudgesRawFrames() const { return false; }
  // Keeps track. False while it is not known what is right.
  virtual bool Follow(const Step& step) = 0;
  virtual Verdict Judge(const Walked& walked, const Step& step) const = 0;
  // Where the program is, in a few words.
  virtual void Describe(char* text, size_t bytes) const = 0;
};

class Stepper {
 public:
  // Prepares the walker for the calling thread. `interpreted` and `native` are methods as the
  // runtime left them.
  bool Open(JavaVM* vm, JNIEnv* env, int release, jmethodID interpreted, jmethodID native,
            std::string* why);

  const stillframe::walk::RuntimeFacts& facts() const { return facts_; }

  // Whether a method's entry point is in a place of the kind kCompiled.
  bool IsInCode(uintptr_t method) const;

  // Places come in this order; one of the kind kElsewhere is there from the start.
  void AddPlace(Place place);

  // Sets the mappings of compiled code from here on. Counts for former mappings are kept.
  void SetCode(const std::vector<Place>& code);

  // Says which method is inlined by its index in the dex file.
  void AddIndex(uint32_t index, uint64_t method) { by_index_.emplace_back(index, method); }

  // Whether compiled code is noted where it was seen, as the collector does when it resolves names.
  void NoteCode(bool notes) { notes_code_ = notes; }

  // From here to Stop each instruction of the calling thread is a sample.
  void Start(Truth* truth);
  void Stop();

  // From here on a sample is taken whenever so much time has gone by, of the wall's clock. False
  // when the system refuses.
  bool Sample(uint64_t interval_ns, Truth* truth);

  const std::vector<Place>& places() const { return places_; }
  // Each with all that is needed to find out why.
  std::vector<std::string> DescribeWrong() const;
  // Why stacks are truncated most often, and where the steps over native frames end then.
  std::vector<std::string> DescribeTruncations() const;

 private:
  void ExpandCompiled(Walked* walked) const;
  void Note(const Walked& walked);
  uint64_t MethodAt(uint32_t index) const;

  static constexpr uint32_t kMaxExamples = 4;  // of one place

  struct Example {
    uint32_t place_number;
    uintptr_t pc;
    char where[192];
    Walked walked;
    CodeAround code = {};
    uintptr_t sp = 0;
    uintptr_t stack[16] = {};  // from the stack pointer on
  };

  // Walks that were truncated for one reason at one place.
  struct TruncationPlace {
    uintptr_t pc = 0;
    core::Truncation truncation = core::Truncation::kNone;
    uint64_t count = 0;
  };
  static constexpr uint32_t kTruncationPlaces = 1U << 13;

  void NoteWrong(const Step& step, const Walked& walked);
  uintptr_t EndOfNativeFrames(const ucontext_t& machine) const;
  void NoteTruncation(uintptr_t pc, core::Truncation truncation);

  static void OnTrap(int, siginfo_t*, void* context);
  static void OnTimer(int, siginfo_t*, void* context);
  void TakeStep(const ucontext_t& machine);
  uint32_t PlaceOf(uintptr_t pc) const;

  stillframe::walk::RuntimeFacts facts_;
  uintptr_t thread_ = 0;
  Truth* truth_ = nullptr;
  bool is_stepping_ = false;
  stillframe::os::ThreadTimer timer_;
  bool notes_code_ = false;
  uint32_t steps_to_note_ = 0;
  uintptr_t previous_pc_ = 0;
  uintptr_t previous_sp_ = 0;
  std::vector<std::pair<uint32_t, uint64_t>> by_index_;
  std::vector<Place> places_;  // the last one is all the rest
  std::vector<Example> examples_;
  std::vector<TruncationPlace> truncation_places_ =
      std::vector<TruncationPlace>(kTruncationPlaces);  // hashed by pc
};

}  // namespace testbed::quick_code
