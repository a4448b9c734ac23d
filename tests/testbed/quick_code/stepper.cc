// SPDX-License-Identifier: Apache-2.0
#include "tests/testbed/quick_code/stepper.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "src/art/runtime_probe.h"
#include "src/core/guarded_memory.h"
#include "src/os/proc.h"
#include "src/os/signal_action.h"
#include "src/unwind/native_step.h"
#include "src/walk/code_elsewhere.h"
#include "src/walk/code_index.h"
#include "src/walk/layout.h"
#include "src/walk/method_check.h"
#include "src/walk/walk.h"

namespace testbed::quick_code {
namespace {

namespace walk = stillframe::walk;
using core::RawFrame;
using core::RawFrameKind;

// The one that steps; written before the first trap.
Stepper* g_stepper = nullptr;

const walk::Layout* LayoutOf(int release) {
  const walk::LayoutTable table = walk::KnownLayouts();
  const auto* const end = table.rows + table.count;
  const auto* const row = std::find_if(table.rows, end, [&](const walk::Layout& layout) {
    return layout.release == std::to_string(release);
  });
  return row == end ? nullptr : row;
}

// A place of ours, or the library.
std::pair<std::string, size_t> NameOfCode(const Place& place, uintptr_t pc) {
  Dl_info info;
  if (place.kind == PlaceKind::kElsewhere && dladdr(reinterpret_cast<void*>(pc), &info) != 0)
    return {info.dli_fname, pc - reinterpret_cast<uintptr_t>(info.dli_fbase)};
  return {place.name, pc - place.begin};
}

// A wrong walk may report an invalid method, and ART does not check it.
std::string NameOfFrame(const walk::Layout& layout, const RawFrame& frame) {
  if (frame.kind == RawFrameKind::kTruncated)
    return core::TruncationName(static_cast<core::Truncation>(frame.method));
  return walk::WalkIsMethod(layout, static_cast<uintptr_t>(frame.method))
             ? ArtOracle::PrettyMethod(frame.method)
             : "no method";
}

std::string Hex(uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, ", method %" PRIx64, value);
  return text;
}

}  // namespace

size_t Place::Visited() const {
  return static_cast<size_t>(std::count(visited.begin(), visited.end(), true));
}

void CodeAround::Read(uintptr_t pc) {
  for (uint32_t i = 0; i < sizeof bytes; ++i)
    if (!arch::GuardedLoad8(pc - kBefore + i, &bytes[i])) return;
}

std::string CodeAround::Describe() const {
  std::string text = "  code, the pc in brackets:";
  for (uint32_t i = 0; i < sizeof bytes; ++i) {
    char byte[8];
    snprintf(byte, sizeof byte, i == kBefore ? " [%02x]" : " %02x", bytes[i]);
    text += byte;
  }
  return text + "\n";
}

uint32_t Walked::BeforeTruncation() const {
  uint32_t count = 0;
  while (count < depth && frame[count].kind != RawFrameKind::kTruncated) ++count;
  return count;
}

uint32_t Walked::AfterTruncation() const {
  uint32_t from = depth;
  while (from > 0 && frame[from - 1].kind != RawFrameKind::kTruncated) --from;
  return from;
}

bool Walked::Equals(uint32_t from, uint32_t to, const std::vector<OracleFrame>& expected,
                    uint32_t first) const {
  for (uint32_t i = from; i < to; ++i, ++first)
    if (first >= expected.size() || frame[i].method != expected[first].method ||
        frame[i].dex_pc != expected[first].dex_pc)
      return false;
  return true;
}

bool Walked::EndsLike(const std::vector<OracleFrame>& expected) const {
  const uint32_t count = depth - AfterTruncation();
  const auto size = static_cast<uint32_t>(expected.size());
  return count <= size && Equals(AfterTruncation(), depth, expected, size - count);
}

bool Stepper::Open(JavaVM* vm, JNIEnv* env, int release, jmethodID interpreted, jmethodID native,
                   std::string* why) {
  const auto kernel_sigaction = stillframe::os::KernelSigaction();
  const walk::Layout* layout = LayoutOf(release);
  *why = "no layout of this release";
  if (layout == nullptr || core::InstallFaultRecovery(kernel_sigaction) != 0) return false;
  const stillframe::model::Outcome probed =
      stillframe::art::ProbeRuntime(*layout, vm, env, &facts_);
  *why = probed.why;
  if (!probed.ok()) return false;
  // A jmethodID is the ArtMethod* here.
  stillframe::art::ProbeCode(reinterpret_cast<uintptr_t>(interpreted),
                             reinterpret_cast<uintptr_t>(native), &facts_);
  const stillframe::os::AddressRange stack = stillframe::os::MainStack();
  facts_.stack_low = stack.begin;
  facts_.stack_high = stack.end;
  thread_ = reinterpret_cast<uintptr_t>(ArtOracle::ThreadOf(env));
  places_.emplace_back();
  places_.back().name = "elsewhere";
  g_stepper = this;
  struct sigaction action = {};
  action.sa_sigaction = OnTrap;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  *why = "no handler for SIGTRAP";
  return kernel_sigaction(SIGTRAP, &action, nullptr) == 0;
}

void Stepper::AddPlace(Place place) {
  place.visited.resize(place.end - place.begin);
  const size_t last = places_.size() - 1;
  for (Example& example : examples_)
    if (example.place_number == last) ++example.place_number;
  places_.insert(places_.end() - 1, std::move(place));
  examples_.reserve(places_.size() * kMaxExamples);
}

void Stepper::SetCode(const std::vector<Place>& code) {
  const auto is_in = [](const std::vector<Place>& places, const Place& wanted) {
    return std::any_of(places.begin(), places.end(), [&](const Place& place) {
      return place.begin == wanted.begin && place.end == wanted.end && place.name == wanted.name;
    });
  };
  for (Place& place : places_)
    if (place.kind == PlaceKind::kCompiled && !is_in(code, place)) place.begin = place.end = 0;
  for (const Place& place : code)
    if (!is_in(places_, place)) AddPlace(place);
}

void Stepper::Start(Truth* truth) {
  truth_ = truth;
  previous_pc_ = 0;
  previous_sp_ = 0;
  is_stepping_ = true;
  SingleStep::Start();
}

void Stepper::Stop() { is_stepping_ = false; }

bool Stepper::Sample(uint64_t interval_ns, Truth* truth) {
  truth_ = truth;
  struct sigaction action = {};
  action.sa_sigaction = OnTimer;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  if (stillframe::os::KernelSigaction()(SIGPROF, &action, nullptr) != 0 ||
      timer_.Create(CLOCK_MONOTONIC, gettid(), this) != 0)
    return false;
  timer_.Arm(interval_ns, interval_ns);
  return true;
}

void Stepper::OnTimer(int, siginfo_t*, void* context) {
  const int saved_errno = errno;
  g_stepper->TakeStep(*static_cast<const ucontext_t*>(context));
  errno = saved_errno;
}

void Stepper::OnTrap(int, siginfo_t*, void* context) {
  auto* machine = static_cast<ucontext_t*>(context);
  if (!g_stepper->is_stepping_) {
    SingleStep::End(machine);
    return;
  }
  if (!SingleStep::BeforeWalk(machine)) return;
  g_stepper->TakeStep(*machine);
  SingleStep::GoOn(machine);
}

uint32_t Stepper::PlaceOf(uintptr_t pc) const {
  uint32_t number = 0;
  while (number + 1 < places_.size() && (pc < places_[number].begin || pc >= places_[number].end))
    ++number;
  return number;
}

uint64_t Stepper::MethodAt(uint32_t index) const {
  for (const auto& [known, method] : by_index_)
    if (known == index) return method;
  return 0;
}

// Compiled frames as their names are resolved later: with dex pcs, and the methods inlined.
void Stepper::ExpandCompiled(Walked* walked) const {
  const Walked raw = *walked;
  walked->depth = 0;
  for (uint32_t i = 0; i < raw.depth; ++i) {
    walk::CompiledFrame frames[walk::kMaxInlined + 1];
    walk::CompiledCode code;
    uint32_t count = 1;
    frames[0] = {static_cast<uintptr_t>(raw.frame[i].method), 0, raw.frame[i].dex_pc};
    if (raw.frame[i].kind == RawFrameKind::kCompiled) {
      count = walk::MethodsOf(facts_, raw.frame[i], frames, &code);
      if (notes_code_ && code.bytes != 0)
        facts_.code_index->Add(code.begin, code.bytes, static_cast<uintptr_t>(raw.frame[i].method));
    }
    for (uint32_t k = 0; k < count && walked->depth < Walked::kMaxDepth; ++k) {
      const uint64_t method =
          frames[k].method != 0 ? frames[k].method : MethodAt(frames[k].method_index);
      walked->frame[walked->depth++] = {method, frames[k].dex_pc, raw.frame[i].kind, {}};
    }
  }
}

// One sample in many is resolved before the code that it met runs again.
void Stepper::Note(const Walked& walked) {
  constexpr uint32_t kStepsPerNote = 32;
  if (!notes_code_ || steps_to_note_-- != 0) return;
  steps_to_note_ = kStepsPerNote;
  Walked resolved = walked;
  ExpandCompiled(&resolved);
}

bool Stepper::IsInCode(uintptr_t method) const {
  uintptr_t entry_point = 0;
  return walk::LoadPointer(method + facts_.layout->method_entry_point, &entry_point) &&
         places_[PlaceOf(entry_point)].kind == PlaceKind::kCompiled;
}

void Stepper::TakeStep(const ucontext_t& machine) {
  const arch::Registers registers = arch::RegistersOf(machine);
  arch::UnwindRegisters all;
  arch::FillUnwindRegisters(machine, &all);
  const bool is_call_target = IsCallTarget(machine, previous_pc_, previous_sp_);
  previous_pc_ = registers.pc;
  previous_sp_ = registers.sp;
  const uint32_t number = PlaceOf(registers.pc);
  Place& place = places_[number];
  const Step step = {registers,
                     FirstArgumentOf(machine),
                     ReturnAddressOf(machine),
                     NterpHandlersOf(machine),
                     all.values[arch::kNterpDexPcRegister],
                     &place,
                     number,
                     is_call_target};
  if (!truth_->Follow(step)) return;
  Walked walked;
  core::FrameSink sink(walked.frame, 0, UINT64_MAX, Walked::kMaxDepth);
  walk::WalkManagedStack(&facts_, thread_, &registers, &sink);
  walked.depth = sink.depth();
  if (truth_->JudgesRawFrames())
    Note(walked);
  else
    ExpandCompiled(&walked);
  ++place.steps;
  if (!place.visited.empty()) place.visited[registers.pc - place.begin] = true;
  switch (truth_->Judge(walked, step)) {
    case Verdict::kRight: ++place.right; break;
    case Verdict::kTruncated:
      ++place.truncated;
      NoteTruncation(EndOfNativeFrames(machine), sink.truncation());
      break;
    case Verdict::kWrong:
      ++place.wrong;
      if (place.wrong <= kMaxExamples) NoteWrong(step, walked);
      break;
  }
}

void Stepper::NoteWrong(const Step& step, const Walked& walked) {
  const arch::Registers& registers = step.registers;
  Example example{step.place_number, registers.pc, {}, walked};
  truth_->Describe(example.where, sizeof example.where);
  example.code.Read(registers.pc);
  example.sp = registers.sp;
  for (uint32_t i = 0; i < std::size(example.stack); ++i)
    if (!walk::LoadPointer(registers.sp + i * sizeof(uintptr_t), &example.stack[i])) break;
  examples_.push_back(example);
}

// The end of the steps over native frames, which contains what a truncated stack lacks.
uintptr_t Stepper::EndOfNativeFrames(const ucontext_t& machine) const {
  constexpr uint32_t kMaxSteps = 256;
  arch::UnwindRegisters registers;
  arch::FillUnwindRegisters(machine, &registers);
  for (uint32_t i = 0; i < kMaxSteps; ++i)
    if (!stillframe::unwind::StepNativeFrame(*facts_.modules, i != 0, &registers)) break;
  return registers.pc();
}

void Stepper::NoteTruncation(uintptr_t pc, core::Truncation truncation) {
  for (uint32_t i = 0; i < kTruncationPlaces; ++i) {
    TruncationPlace& row = truncation_places_[(pc + i) % kTruncationPlaces];
    if (row.count == 0) row = {pc, truncation, 0};
    if (row.pc == pc && row.truncation == truncation) {
      ++row.count;
      return;
    }
  }
}

std::vector<std::string> Stepper::DescribeTruncations() const {
  constexpr size_t kMax = 12;
  std::vector<TruncationPlace> rows = truncation_places_;
  std::sort(rows.begin(), rows.end(),
            [](const TruncationPlace& a, const TruncationPlace& b) { return a.count > b.count; });
  std::vector<std::string> all;
  for (const TruncationPlace& row : rows) {
    if (row.count == 0 || all.size() == kMax) break;
    const auto [code, offset] = NameOfCode(places_[PlaceOf(row.pc)], row.pc);
    char text[96];
    snprintf(text, sizeof text, " + 0x%zx: %" PRIu64 " times, %s", offset, row.count,
             core::TruncationName(row.truncation));
    CodeAround around;
    around.Read(row.pc);
    all.push_back("truncated in " + code + text + "\n" + around.Describe());
  }
  return all;
}

std::vector<std::string> Stepper::DescribeWrong() const {
  std::vector<std::string> all;
  for (const Example& example : examples_) {
    const Place& place = places_[example.place_number];
    const auto [code, offset] = NameOfCode(place, example.pc);
    char text[256];
    snprintf(text, sizeof text, " + 0x%zx, %s:\n", offset, example.where);
    std::string description = "wrong in " + code + text;
    for (uint32_t i = 0; i < example.walked.depth; ++i) {
      const RawFrame& frame = example.walked.frame[i];
      description += "  " + NameOfFrame(*facts_.layout, frame) + " at " +
                     std::to_string(static_cast<int32_t>(frame.dex_pc)) + ", kind " +
                     std::to_string(static_cast<int>(frame.kind)) + Hex(frame.method) + "\n";
    }
    description += example.code.Describe();
    snprintf(text, sizeof text, "  stack from %zx on:", example.sp);
    description += text;
    for (const uintptr_t word : example.stack) {
      snprintf(text, sizeof text, " %zx", word);
      description += text;
    }
    all.push_back(description + "\n");
  }
  return all;
}

}  // namespace testbed::quick_code
