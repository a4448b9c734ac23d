#include "tests/art/quick_code/sweep.h"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "src/art/layout.h"
#include "src/art/runtime_probe.h"
#include "src/art/walk.h"
#include "src/core/guarded_memory.h"
#include "src/os/proc.h"
#include "src/os/signal_action.h"

namespace testbed::quick_code {
namespace {

using core::Cut;
using core::RawFrame;
using core::RawFrameKind;

constexpr greg_t kTrapFlag = 0x100;
constexpr uintptr_t kLongestCall = 7;         // bytes of a call instruction
constexpr size_t kNterpBytesBeforeEntry = 4;  // the code's size lies before its entry point

// The one that traps; written before the trap flag is first set.
Sweep* g_sweep = nullptr;

const stillframe::art::Layout* LayoutOf(int release) {
  const stillframe::art::LayoutTable table = stillframe::art::KnownLayouts();
  const auto* const end = table.rows + table.count;
  const auto* const row = std::find_if(table.rows, end, [&](const stillframe::art::Layout& l) {
    return l.release == std::to_string(release);
  });
  return row == end ? nullptr : row;
}

}  // namespace

size_t Place::Visited() const {
  return static_cast<size_t>(std::count(visited.begin(), visited.end(), true));
}

bool Sweep::Open(JavaVM* vm, JNIEnv* env, int release, const Fixture& fixture, uint64_t root,
                 std::string* why) {
  const auto kernel_sigaction = stillframe::os::KernelSigaction();
  const stillframe::art::Layout* layout = LayoutOf(release);
  *why = "no layout of this release";
  if (layout == nullptr || core::InstallFaultRecovery(kernel_sigaction) != 0 ||
      !stillframe::art::ProbeRuntime(*layout, vm, env, &facts_, why)) {
    return false;
  }
  const stillframe::os::AddressRange stack = stillframe::os::MainStack();
  facts_.stack_low = stack.begin;
  facts_.stack_high = stack.end;
  thread_ = reinterpret_cast<uintptr_t>(ArtOracle::ThreadOf(env));
  fixture_ = &fixture;
  root_ = root;
  for (const Installed& installed : fixture.installed()) {
    Place place;
    place.name = NameOf(installed.kind);
    place.begin = installed.entry;
    place.end = installed.entry + installed.method.code.size();
    place.assembled = installed.method.instructions.size();
    places_.push_back(std::move(place));
  }
  Place nterp;
  nterp.name = "nterp code";
  nterp.begin = fixture.EntryOf(kNterp);
  uint32_t bytes = 0;
  memcpy(&bytes, reinterpret_cast<const void*>(nterp.begin - kNterpBytesBeforeEntry), sizeof bytes);
  nterp.end = nterp.begin + bytes;
  places_.push_back(std::move(nterp));
  for (Place& place : places_) place.visited.resize(place.end - place.begin);
  places_.emplace_back();
  places_.back().name = "elsewhere";
  examples_.reserve(kMaxExamples);

  g_sweep = this;
  struct sigaction action = {};
  action.sa_sigaction = OnTrap;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  *why = "no handler for SIGTRAP";
  return kernel_sigaction(SIGTRAP, &action, nullptr) == 0;
}

void Sweep::Start(const std::vector<OracleFrame>& learned, uint32_t chain) {
  chain_ = chain;
  level_count_ = 0;
  levels_[level_count_++] = {kKinds, root_, 0, 1, true};
  bool is_last = false;
  for (uint32_t rest = chain; !is_last && level_count_ < kMaxLevels; rest >>= 4) {
    const auto kind = static_cast<Kind>(rest & 15);
    is_last = kind == kProbe || kind == kLeaf || kind == kSpilling;
    const bool has_inlined = kind == kAhead || kind == kJust;
    const bool is_followed = kind != kProbe && kind != kThrough && kind != kInterpreted;
    levels_[level_count_++] = {kind, fixture_->MethodOf(kind), 0, has_inlined ? 3U : 1U,
                               is_followed};
  }
  // While leaves taught their dex pc they called the probe.
  const bool has_probe_too = levels_[level_count_ - 1].kind != kProbe;
  learned_.assign(learned.begin() + (has_probe_too ? 1 : 0), learned.end());
  uint32_t first = 0;
  for (uint32_t i = level_count_; i-- > 0;) {
    levels_[i].first = first;
    first += levels_[i].frames;
  }
  live_count_ = 0;
  next_level_ = 0;
  previous_pc_ = 0;
  previous_sp_ = 0;
  is_tracing_ = true;
  syscall(SYS_tgkill, getpid(), gettid(), SIGTRAP);
}

void Sweep::Stop() { is_tracing_ = false; }

void Sweep::OnTrap(int, siginfo_t*, void* context) {
  auto* machine = static_cast<ucontext_t*>(context);
  greg_t* gregs = machine->uc_mcontext.gregs;
  if (!g_sweep->is_tracing_) {
    gregs[REG_EFL] &= ~kTrapFlag;
    return;
  }
  gregs[REG_EFL] |= kTrapFlag;
  g_sweep->Step(arch::RegistersOf(*machine), static_cast<uint64_t>(gregs[REG_RDI]));
}

uint32_t Sweep::PlaceOf(uintptr_t pc) const {
  uint32_t place = 0;
  while (place + 1 < places_.size() && !(pc >= places_[place].begin && pc < places_[place].end)) {
    ++place;
  }
  return place;
}

// Methods that have returned go, and one that is entered with this instruction comes.
void Sweep::Follow(const arch::Registers& registers, uint64_t first_argument, uint32_t place) {
  while (live_count_ > 0 && registers.sp > live_[live_count_ - 1].entry_sp) {
    next_level_ = live_[--live_count_].level;
  }
  if (next_level_ < level_count_ && first_argument == levels_[next_level_].method) {
    const bool is_entry = registers.pc == places_[place].begin;
    uintptr_t return_address = 0;
    memcpy(&return_address, reinterpret_cast<const void*>(registers.sp), sizeof return_address);
    const bool is_called = previous_sp_ - registers.sp == sizeof(uintptr_t) &&
                           return_address - previous_pc_ <= kLongestCall;
    // nterp calls methods that it runs itself beside its entry point.
    const bool is_nterp = place + 2 == places_.size();
    if (place + 1 < places_.size() && (is_entry || (is_nterp && is_called))) {
      if (live_count_ > 0 && live_[live_count_ - 1].level + 1 == next_level_) {
        const Level& caller = levels_[next_level_ - 1];
        const uint32_t dex_pc = learned_[caller.first].dex_pc;
        if (caller.kind == kNterp || caller.kind == kKinds) {
          instructions_[caller.kind] = registers.mterp_pc - 2 * dex_pc;
        }
      }
      live_[live_count_++] = {next_level_, registers.sp};
      do {
        ++next_level_;
      } while (next_level_ < level_count_ && !levels_[next_level_].is_followed);
    }
  }
  previous_pc_ = registers.pc;
  previous_sp_ = registers.sp;
}

void Sweep::Step(const arch::Registers& registers, uint64_t first_argument) {
  const uint32_t at = PlaceOf(registers.pc);
  Follow(registers, first_argument, at);
  if (live_count_ == 0) return;
  Frames walked;
  core::FrameSink sink(walked.frame, 0, UINT64_MAX, kMaxDepth);
  stillframe::art::WalkManagedStack(&facts_, thread_, &registers, &sink);
  walked.depth = sink.depth();
  Place& place = places_[at];
  ++place.steps;
  if (!place.visited.empty()) place.visited[registers.pc - place.begin] = true;
  switch (Judge(walked, at, registers)) {
    case Verdict::kRight: ++place.right; break;
    case Verdict::kCut: ++place.cut; break;
    case Verdict::kWrong:
      ++place.wrong;
      if (examples_.size() < kMaxExamples) {
        examples_.push_back({chain_, at, registers.pc, live_[live_count_ - 1].level, walked});
      }
      break;
  }
}

bool Sweep::Outer(const Frames& walked, uint32_t from, uint32_t to, uint32_t expected) const {
  for (uint32_t i = from; i < to; ++i, ++expected) {
    if (expected >= learned_.size() || walked.frame[i].method != learned_[expected].method ||
        walked.frame[i].dex_pc != learned_[expected].dex_pc) {
      return false;
    }
  }
  return true;
}

// Between two safepoints of a method either one's dex pc and inlined methods will do.
bool Sweep::IsCompiledInnermost(const RawFrame* frames, uint32_t depth, const Installed& installed,
                                uintptr_t pc) const {
  const uint64_t method = fixture_->MethodOf(installed.kind);
  const auto& safepoints = installed.method.description.safepoints;
  if (depth == 1 && frames[0].method == method &&
      (frames[0].dex_pc == 0 || frames[0].dex_pc == core::kNoDexPc)) {
    return true;
  }
  const uintptr_t offset = pc - installed.entry;
  const auto after = std::find_if(safepoints.begin(), safepoints.end(),
                                  [&](const Safepoint& s) { return s.native_pc > offset; });
  for (auto near = after == safepoints.begin() ? after : after - 1;
       near != safepoints.end() && near <= after; ++near) {
    const auto inlined = static_cast<uint32_t>(near->inlined.size());
    bool is_it = depth == inlined + 1 && frames[inlined].method == method &&
                 frames[inlined].dex_pc == near->dex_pc;
    for (uint32_t i = 0; is_it && i < inlined; ++i) {
      const InlinedMethod& want = near->inlined[inlined - 1 - i];
      is_it = frames[i].method == want.art_method && frames[i].dex_pc == want.dex_pc;
    }
    if (is_it) return true;
  }
  return false;
}

bool Sweep::IsInstruction(const RawFrame& frame, Kind kind,
                          const arch::Registers& registers) const {
  const uintptr_t instructions = instructions_[kind];
  const uintptr_t live = (registers.mterp_pc - instructions) / 2;
  return instructions == 0 || live > UINT16_MAX || frame.dex_pc == live;
}

// True when the first `depth` walked frames are the beginning of a stack whose innermost method is
// that of `level`.
bool Sweep::StartsRight(const Frames& walked, uint32_t depth, uint32_t level, uint32_t place,
                        const arch::Registers& registers) const {
  const Level& innermost = levels_[level];
  const uint32_t outer = innermost.first + innermost.frames;
  const bool is_compiled = place + 2 < places_.size();
  if (is_compiled) {
    for (uint32_t own = 1; own <= std::min(depth, 3U); ++own) {
      if (IsCompiledInnermost(walked.frame, own, fixture_->installed()[place], registers.pc) &&
          Outer(walked, own, depth, outer)) {
        return true;
      }
    }
    return false;
  }
  if (depth == 0) return true;
  const bool is_interpreter =
      innermost.kind == kNterp || innermost.kind == kKinds || innermost.kind == kInterpreted;
  if (!is_interpreter) return Outer(walked, 0, depth, innermost.first);
  const bool is_nterp = place + 2 == places_.size();
  return walked.frame[0].method == innermost.method &&
         (!is_nterp || IsInstruction(walked.frame[0], innermost.kind, registers)) &&
         Outer(walked, 1, depth, outer);
}

Sweep::Verdict Sweep::Judge(const Frames& walked, uint32_t place,
                            const arch::Registers& registers) const {
  uint32_t before_cut = 0;
  while (before_cut < walked.depth && walked.frame[before_cut].kind != RawFrameKind::kCut) {
    ++before_cut;
  }
  uint32_t after_cut = walked.depth;
  while (after_cut > 0 && walked.frame[after_cut - 1].kind != RawFrameKind::kCut) --after_cut;
  const bool is_cut = before_cut < walked.depth;

  const bool is_elsewhere = place + 1 == places_.size();
  const uint32_t lowest = live_[live_count_ - 1].level;
  const uint32_t highest = is_elsewhere ? std::max(next_level_, lowest + 1) - 1 : lowest;
  for (uint32_t level = lowest; level <= highest; ++level) {
    const uint32_t whole = static_cast<uint32_t>(learned_.size()) - levels_[level].first;
    if (is_cut) {
      const uint32_t rest = walked.depth - after_cut;
      if ((before_cut == 0 || StartsRight(walked, before_cut, level, place, registers)) &&
          rest <= whole &&
          Outer(walked, after_cut, walked.depth, static_cast<uint32_t>(learned_.size()) - rest)) {
        return Verdict::kCut;
      }
      continue;
    }
    const uint32_t outer =
        static_cast<uint32_t>(learned_.size()) - levels_[level].first - levels_[level].frames;
    if (walked.depth > outer && StartsRight(walked, walked.depth, level, place, registers) &&
        walked.frame[walked.depth - 1].method == learned_.back().method) {
      return Verdict::kRight;
    }
  }
  return Verdict::kWrong;
}

std::vector<std::string> Sweep::DescribeWrong() const {
  std::vector<std::string> all;
  for (const Example& example : examples_) {
    const Place& place = places_[example.place];
    char text[160];
    snprintf(text, sizeof text, "chain %x, %s + %zx, in level %u of %u:\n", example.chain,
             place.name.c_str(), static_cast<size_t>(example.pc - place.begin), example.level,
             level_count_);
    std::string description = text;
    for (uint32_t i = 0; i < example.walked.depth; ++i) {
      const RawFrame& frame = example.walked.frame[i];
      const std::string name = frame.kind == RawFrameKind::kCut
                                   ? core::CutName(static_cast<Cut>(frame.method))
                                   : ArtOracle::PrettyMethod(frame.method);
      description +=
          "  " + name + " at " + std::to_string(static_cast<int32_t>(frame.dex_pc)) + "\n";
    }
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace testbed::quick_code
