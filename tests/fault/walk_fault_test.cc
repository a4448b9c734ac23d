// SPDX-License-Identifier: Apache-2.0
// Fault injection into walks: any guarded load may fail or return garbage, and any register of the
// interrupted thread may be garbage. No walk may crash or run on, and a stack that is not marked as
// truncated must be the true one.
//
// Garbage is a value that is not valid elsewhere in a stack (injection.h).
// Remaining risk: the description of a method's code, or its bytecode for nterp, may be corrupt in
// a way that makes its frame end where an outer frame does. Then the frames between are missing
// without a mark. Those stacks are counted separately.
// Without an argument a short form runs; an argument is the number of walks.
#include <signal.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "src/core/guarded_memory.h"
#include "src/walk/warm_facts.h"
#include "tests/fault/injection.h"
#include "tests/fault/interrupted_context.h"
#include "tests/fault/synthetic_stack.h"

namespace stillframe::fault {
namespace {

constexpr uint64_t kShortForm = 400'000;
constexpr uint32_t kStacks = 128;
constexpr uint32_t kLimit = 128;
constexpr uint64_t kMaxLoads = 100'000;
constexpr double kRates[] = {0.1, 0.01, 0.001, 0.0001};
constexpr uint64_t kWalksPerLoss = 16;
constexpr size_t kTroubleCount = static_cast<size_t>(Trouble::kCount);
constexpr uintptr_t kMovedBytes = 3 * walk::ArtImage::kCodeRoom;
constexpr uint64_t kUntouched = 0x5afe5afe5afe5afe;

constexpr const char* kTroubles[] = {"sound", "without a method", "with a header that lies",
                                     "of dense code"};
// Where prologues are not read no code elsewhere is found.
#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool kReadsElsewhere = true;
#else
constexpr bool kReadsElsewhere = false;
#endif

struct Count {
  uint64_t walks = 0;
  uint64_t injected = 0;
  uint64_t undisturbed = 0;  // walks into which nothing was injected
  uint64_t whole = 0;        // not truncated, and equal to the truth
  uint64_t truncated = 0;    // truncated by the walk, or by the collector, which finds no method
  uint64_t wrong = 0;        // not truncated, another method than the true one
  uint64_t shortened = 0;    // not truncated, frames missing
  uint64_t missized = 0;     // wrong, behind frames of corrupt size or place
  uint64_t overrun = 0;      // wrote past its limit, or nothing at all
  uint64_t most_loads = 0;   // of one walk
  uint64_t elsewhere = 0;    // frames whose code is not at its method's entry point
  uint64_t unmapped = 0;     // walks that met code which was gone
  uint64_t collected = 0;    // walks that met other code in its place
  uint64_t troubled[kTroubleCount] = {};      // walks of such stacks
  uint64_t seen_through[kTroubleCount] = {};  // truncated ones
};

// The collector looks up each method in its class and dex file before it is shown
// (src/names/method_names.cc). An invalid method truncates the stack there.
bool IsWhole(const SyntheticStack& stack, const std::vector<core::RawFrame>& frames,
             uint32_t depth) {
  return std::all_of(
      frames.begin(), frames.begin() + depth,
      [&](const core::RawFrame& frame) {
        return frame.kind != core::RawFrameKind::kTruncated && stack.HasMethod(frame.method);
      });
}

void Print(const char* what, const std::vector<uintptr_t>& truth,
           const std::vector<core::RawFrame>& frames, uint32_t depth) {
  printf("%s, %" PRIu64 " loads disturbed; truth:", what, TheInjection().injected);
  for (const uintptr_t method : truth) printf(" %zx", method);
  printf("; walked:");
  for (uint32_t i = 0; i < depth; ++i)
    printf(" %" PRIx64 "/%d", frames[i].method, static_cast<int>(frames[i].kind));
  printf("\n");
}

// From `i` on the walked methods are the true ones from `next` on, but for some behind methods
// whose description lied.
bool IsMissized(const SyntheticStack& stack, const std::vector<core::RawFrame>& frames,
                uint32_t depth, uint32_t i = 0, size_t next = 0) {
  const std::vector<uintptr_t>& truth = stack.truth();
  if (next == truth.size()) return i == depth;
  if (i < depth && frames[i].method == truth[next] &&
      IsMissized(stack, frames, depth, i + 1, next + 1))
    return true;
  const std::vector<uintptr_t>& lies = TheInjection().lies;
  return i > 0 &&
         std::any_of(
             lies.begin(), lies.end(),
             [&](uintptr_t lie) { return stack.IsDescriptionOf(frames[i - 1].method, lie); }) &&
         IsMissized(stack, frames, depth, i, next + 1);
}

// True if the walked methods are the outermost true ones: the stack's start was corrupt but fits a
// frame.
bool IsTail(const std::vector<uintptr_t>& truth, const std::vector<core::RawFrame>& frames,
            uint32_t depth) {
  return depth < truth.size() &&
         std::equal(
             truth.end() - depth, truth.end(), frames.begin(),
             [](uintptr_t method, const core::RawFrame& frame) { return frame.method == method; });
}

void Judge(SyntheticStack* stack, const std::vector<core::RawFrame>& frames, uint32_t depth,
           bool is_start_true, Count* count) {
  const std::vector<uintptr_t>& truth = stack->truth();
  if (depth == 0 || depth > kLimit || frames[kLimit].method != kUntouched) {
    ++count->overrun;
  } else if (!IsWhole(*stack, frames, depth)) {
    ++count->truncated;
  } else if (depth == truth.size() && std::equal(truth.begin(), truth.end(), frames.begin(),
                                                 [](uintptr_t method, const core::RawFrame& frame) {
                                                   return frame.method == method;
                                                 })) {
    ++count->whole;
  } else if (IsMissized(*stack, frames, depth) ||
             (!is_start_true && IsTail(truth, frames, depth))) {
    ++count->missized;
  } else {
    const bool is_short = depth < truth.size();
    if (count->wrong + count->shortened == 0) Print("first", truth, frames, depth);
    ++(is_short ? count->shortened : count->wrong);
  }
}

// The thread's registers as the walk gets to see them.
arch::UnwindRegisters Disturb(const arch::UnwindRegisters& truth) {
  arch::UnwindRegisters registers = truth;
  for (uintptr_t& value : registers.values)
    if (NextFault() == Fault::kGarbage) value = static_cast<uintptr_t>(Garbage(value));
  return registers;
}

// Neither the stack pointer lied nor the word that it points to: the method of the frame that runs.
bool IsStartTrue(const arch::UnwindRegisters& truth, const arch::UnwindRegisters& disturbed) {
  const std::vector<uintptr_t>& lies = TheInjection().lies;
  return disturbed.sp() == truth.sp() && std::ranges::find(lies, truth.sp()) == lies.end();
}

void WalkOnce(SyntheticStack* stack, uint64_t chance, bool with_registers,
              std::vector<core::RawFrame>* frames, Count* count) {
  static const ContextWriter writer;
  Injection& injection = TheInjection();
  injection.arena = stack->image().base();
  injection.arena_bytes = 64 * 1024;
  injection.code_begin = stack->code_begin();
  injection.code_end = stack->code_end();
  injection.lies.clear();
  injection.fails = chance / 2;
  injection.garbage = chance - chance / 2;
  injection.injected = injection.loads = injection.gone = 0;
  // In a few walks the code disappears: unmapped, or collected and its place reused.
  injection.goes_after =
      count->walks % kWalksPerLoss == 0 ? 1 + count->walks / kWalksPerLoss % 200 : 0;
  injection.moved = count->walks % (2 * kWalksPerLoss) == 0 ? 0 : kMovedBytes;
  ucontext_t context = {};
  const arch::UnwindRegisters disturbed = Disturb(stack->registers());
  writer.Write(disturbed, &context);
  const arch::Registers registers = arch::RegistersOf(context);
  core::FrameSink sink(frames->data(), 0, UINT64_MAX, kLimit);
  // Shared by all stacks and by disturbed and undisturbed walks: what a disturbed one keeps must
  // not spoil another.
  static walk::WarmFacts warm;
  walk::RuntimeFacts facts = stack->image().facts();
  if (count->walks % 3 != 0) facts.warm = &warm;
  walk::WalkManagedStack(&facts, stack->image().thread(),
                         with_registers || stack->is_running() ? &registers : nullptr, &sink);
  injection.fails = injection.garbage = 0;
  injection.goes_after = 0;
  (injection.moved == 0 ? count->unmapped : count->collected) += injection.gone != 0 ? 1U : 0U;
  ++count->walks;
  count->injected += injection.injected;
  count->undisturbed += injection.injected == 0 && stack->trouble() == Trouble::kNone ? 1U : 0U;
  const auto trouble = static_cast<size_t>(stack->trouble());
  ++count->troubled[trouble];
  count->seen_through[trouble] += sink.truncation() != core::Truncation::kNone ? 1U : 0U;
  for (uint32_t i = 0; i < sink.depth(); ++i)
    count->elsewhere += stack->IsElsewhere((*frames)[i]) ? 1U : 0U;
  count->most_loads = std::max(count->most_loads, injection.loads);
  const bool is_start_true = IsStartTrue(stack->registers(), disturbed);
  Judge(stack, *frames, sink.depth(), is_start_true, count);
}

Count WalkAtRate(std::vector<SyntheticStack>* stacks, double rate,
                 const std::vector<uint64_t>* never, uint64_t walks) {
  std::vector<core::RawFrame> frames(kLimit + 1);
  frames[kLimit].method = kUntouched;
  Count count;
  const auto chance = static_cast<uint64_t>(rate * 4294967296.0);
  for (uint64_t i = 0; i < walks; ++i) {
    SyntheticStack& stack = (*stacks)[i % stacks->size()];
    TheInjection().never = never;
    WalkOnce(&stack, chance, i % 2 == 0, &frames, &count);
  }
  return count;
}

int Run(uint64_t walks) {
  if (core::InstallFaultRecovery(sigaction) != 0 || !core::RecoveryWorks()) {
    printf("faults cannot be recovered from\n");
    return EXIT_FAILURE;
  }
  std::mt19937_64 random(20'250'301);
  const walk::LayoutTable table = walk::KnownLayouts();
  std::vector<SyntheticStack> stacks;
  for (uint32_t i = 0; i < kStacks; ++i) stacks.emplace_back(table.rows[i % table.count], &random);
  std::vector<SyntheticStack> troubled;
  for (uint32_t i = 0; i < kStacks; ++i) {
    const auto trouble = static_cast<Trouble>(1 + i % (static_cast<uint32_t>(Trouble::kCount) - 1));
    SyntheticStack stack(table.rows[i % table.count], &random);
    if (stack.Bring(trouble)) troubled.push_back(std::move(stack));
  }
  for (SyntheticStack& stack : troubled) stacks.push_back(std::move(stack));
  std::vector<uint64_t> never;
  for (const SyntheticStack& stack : stacks)
    never.insert(never.end(), stack.structures().begin(), stack.structures().end());
  std::sort(never.begin(), never.end());
  uint64_t bad = 0;
  for (const double rate : kRates) {
    const Count count = WalkAtRate(&stacks, rate, &never, walks / std::size(kRates));
    printf("rate %g: %" PRIu64 " walks, %" PRIu64 " loads disturbed, %" PRIu64
           " walks undisturbed, %" PRIu64 " whole, %" PRIu64 " truncated, %" PRIu64
           " wrong, %" PRIu64 " shortened, %" PRIu64 " missized, %" PRIu64
           " overrun, at most %" PRIu64 " loads a walk\n",
           rate, count.walks, count.injected, count.undisturbed, count.whole, count.truncated,
           count.wrong, count.shortened, count.missized, count.overrun, count.most_loads);
    printf("  %" PRIu64 " frames of code elsewhere, %" PRIu64 " walks met unmapped code, %" PRIu64
           " collected code",
           count.elsewhere, count.unmapped, count.collected);
    for (size_t i = 1; i < kTroubleCount; ++i) {
      printf(", %" PRIu64 " %s (%" PRIu64 " truncated)", count.troubled[i], kTroubles[i],
             count.seen_through[i]);
      bad += kReadsElsewhere && count.troubled[i] == 0 ? 1U : 0U;
    }
    printf("\n");
    if (kReadsElsewhere && (count.elsewhere == 0 || count.unmapped == 0 || count.collected == 0))
      ++bad;
    bad += count.wrong + count.shortened + count.overrun;
    // A walk that runs on does so by loads; walks that nothing disturbed are whole.
    if (count.most_loads > kMaxLoads) ++bad;
    if (count.whole < count.undisturbed || count.injected == 0) ++bad;
  }
  printf("%s\n", bad == 0 ? "passed" : "FAILED");
  return bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace stillframe::fault

int main(int argc, char** argv) {
  const uint64_t walks = argc > 1 ? strtoull(argv[1], nullptr, 10) : stillframe::fault::kShortForm;
  return stillframe::fault::Run(walks);
}
