// The instruction sweep: the thread runs one chain of QuickCode.java under the trap flag, and after
// each instruction the walker takes the stack, with the registers of that very place.
//
// What is right is known without asking the runtime: the frames below the innermost method stand
// at their calls, as ART's StackVisitor saw them when the same chain was interpreted; which method
// is the innermost is followed from entry to return.
// Context: an ART process; the handler of SIGTRAP on the thread that sweeps
#pragma once

#include <signal.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/arch.h"
#include "src/art/runtime_facts.h"
#include "src/core/sample.h"
#include "tests/art/oracle/art_oracle.h"
#include "tests/art/quick_code/fixture.h"

namespace testbed::quick_code {

namespace arch = stillframe::arch;
namespace core = stillframe::core;

// Where an instruction belongs.
struct Place {
  std::string name;
  uintptr_t begin = 0;
  uintptr_t end = 0;
  size_t assembled = 0;       // instructions it has; 0 when nobody counted
  std::vector<bool> visited;  // by offset from begin
  uint64_t steps = 0;
  uint64_t right = 0;
  uint64_t cut = 0;
  uint64_t wrong = 0;

  size_t Visited() const;
};

class Sweep {
 public:
  // Prepares the walker for the calling thread. `fixture` has its methods installed; `root` is the
  // ArtMethod* that calls the first method of each chain.
  bool Open(JavaVM* vm, JNIEnv* env, int release, const Fixture& fixture, uint64_t root,
            std::string* why);

  // From here to Stop each instruction of the calling thread is a sample. `learned` is the stack at
  // the end of the same chain.
  void Start(const std::vector<OracleFrame>& learned, uint32_t chain);
  void Stop();

  const std::vector<Place>& places() const { return places_; }
  // Each with all that is needed to find out why.
  std::vector<std::string> DescribeWrong() const;

 private:
  static constexpr uint32_t kMaxDepth = 64;
  static constexpr uint32_t kMaxLevels = 16;
  static constexpr uint32_t kMaxExamples = 12;

  // One method of the chain, with the methods inlined into it.
  struct Level {
    Kind kind = kKinds;
    uint64_t method = 0;
    uint32_t first = 0;        // its innermost frame in learned_
    uint32_t frames = 0;       // how many
    bool is_followed = false;  // its entry and its return are seen: compiled or nterp
  };
  struct Live {
    uint32_t level;
    uintptr_t entry_sp;
  };
  struct Frames {
    core::RawFrame frame[kMaxDepth];
    uint32_t depth;
  };
  struct Example {
    uint32_t chain;
    uint32_t place;
    uintptr_t pc;
    uint32_t level;
    Frames walked;
  };
  enum class Verdict { kRight, kCut, kWrong };

  static void OnTrap(int, siginfo_t*, void* context);
  void Step(const arch::Registers& registers, uint64_t first_argument);
  void Follow(const arch::Registers& registers, uint64_t first_argument, uint32_t place);
  uint32_t PlaceOf(uintptr_t pc) const;
  Verdict Judge(const Frames& walked, uint32_t place, const arch::Registers& registers) const;
  bool StartsRight(const Frames& walked, uint32_t depth, uint32_t level, uint32_t place,
                   const arch::Registers& registers) const;
  bool IsCompiledInnermost(const core::RawFrame* frames, uint32_t depth, const Installed& installed,
                           uintptr_t pc) const;
  bool IsInstruction(const core::RawFrame& frame, Kind kind,
                     const arch::Registers& registers) const;
  bool Outer(const Frames& walked, uint32_t from, uint32_t to, uint32_t expected) const;

  const Fixture* fixture_ = nullptr;
  stillframe::art::RuntimeFacts facts_;
  uintptr_t thread_ = 0;
  uint64_t root_ = 0;  // ArtMethod* of the method before the chain
  bool is_tracing_ = false;

  std::vector<OracleFrame> learned_;  // innermost first
  std::array<Level, kMaxLevels> levels_;
  uint32_t level_count_ = 0;
  uint32_t chain_ = 0;
  std::array<Live, kMaxLevels> live_;
  uint32_t live_count_ = 0;
  uint32_t next_level_ = 0;  // the next one whose entry can be seen; level_count_: none
  uintptr_t previous_pc_ = 0;
  uintptr_t previous_sp_ = 0;
  // Where the instructions of an nterp method lie, once a call of its shows it; by Kind, kKinds is
  // the root.
  std::array<uintptr_t, kKinds + 1> instructions_ = {};

  std::vector<Place> places_;  // compiled methods, then nterp, then all the rest
  std::vector<Example> examples_;
};

}  // namespace testbed::quick_code
