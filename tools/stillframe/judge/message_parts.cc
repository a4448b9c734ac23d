// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/message_parts.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include "src/model/document.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/index/units.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/judge/culprit.h"
#include "tools/stillframe/judge/lock_owner.h"
#include "tools/stillframe/judge/sample_slices.h"

namespace stillframe::judge {
namespace {

using model::Message;
using model::ThreadState;

// The process's setting; its default if the dump does not record it.
uint64_t SampleIntervalUs(const model::Document& document) {
  constexpr uint64_t kDefaultUs = 10'000;
  return document.interval_ns == 0 ? kDefaultUs : document.interval_ns / 1'000;
}

// A working sampler may leave this much time unsampled at a message's end.
constexpr uint64_t kLongestTailUs = 200'000;
// The same before the first sample, unless `slow_ms` delays that further.
constexpr uint64_t kLongestHeadUs = 300'000;
// A native method first seen with less CPU time may have been idle from its start.
constexpr uint32_t kLeastRunUs = 1'000;
// A longer gap between samples than a working sampler leaves.
constexpr uint64_t kLeastGapUs = 60'000;

uint64_t Known(int64_t ns) { return static_cast<uint64_t>(std::max<int64_t>(ns, 0)); }

uint64_t Overlap(const TimeSpan& a, const TimeSpan& b) {
  const uint64_t begin_ns = std::max(a.begin_ns, b.begin_ns);
  const uint64_t end_ns = std::min(a.end_ns, b.end_ns);
  return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

// One for each sample of the message's tree, in order. Empty without a tree.
std::vector<index::KernelWait> KernelWaitsOf(const index::DumpIndex& index, Token token) {
  std::vector<index::KernelWait> waits;
  const model::TraceTree* const tree = index.MixedTraceOf(token);
  if (tree == nullptr) return waits;
  tree->ForEachStack([&](uint32_t, std::span<const model::FrameId> stack, const model::Sample&) {
    waits.push_back(index::WaitInKernel(index::KernelCallOf(index.document().frames, stack)));
  });
  return waits;
}

class Attributor {
 public:
  Attributor(const index::DumpIndex& index, const Message& message, const TimeSpan& inside,
             std::span<const TimeSpan> frozen)
      : index_(index),
        message_(message),
        inside_(inside),
        frozen_(frozen),
        trace_(index.TraceOf(message.token)),
        kernel_waits_(KernelWaitsOf(index, message.token)),
        locks_(message),
        least_gap_us_(std::max(kLeastGapUs, 5 * SampleIntervalUs(index.document()))) {}

  Attribution Attribute() {
    result_.message = &message_;
    if (trace_ != nullptr && !trace_->empty()) {
      MakeSlices();
      AttributeSlices();
    }
    AttributeRest();
    SetTimes();
    return std::move(result_);
  }

 private:
  uint32_t At(Cause cause, const PartKey& part_key) {
    std::vector<Attribution::Part>& parts = result_.parts;
    const auto known = std::ranges::find_if(parts, [&](const Attribution::Part& part) {
      return part.cause == cause && part.part_key == part_key;
    });
    if (known != parts.end()) return static_cast<uint32_t>(known - parts.begin());
    parts.push_back({cause, part_key});
    return static_cast<uint32_t>(parts.size() - 1);
  }
  void Attribute(Cause cause, const PartKey& part_key, uint64_t us) {
    if (us > 0) result_.parts[At(cause, part_key)].us += us;
  }
  void AttributeSample(Cause cause, const PartKey& part_key, uint64_t us, uint32_t sample) {
    if (us == 0) return;
    Attribute(cause, part_key, us);
    result_.shares.push_back({sample, At(cause, part_key), us});
  }
  uint64_t UsOf(Cause cause) const {
    uint64_t us = 0;
    for (const Attribution::Part& part : result_.parts) us += part.cause == cause ? part.us : 0;
    return us;
  }

  // Attributes the slice's own time. `stack_` holds the stack of sample `i`.
  void AttributeOwn(const Slice& slice, const model::Sample& sample, uint32_t i) {
    if (slice.cause != Cause::kLock) {
      AttributeSample(slice.cause, Handler(), slice.own_us, i);
      return;
    }
    const uint64_t begin_us = sample.wall_us - std::min(sample.weight_us, sample.wall_us);
    for (const auto& [owner, us] : locks_.Of(begin_us, sample.wall_us, slice.own_us))
      AttributeSample(slice.cause, {owner, ""}, us, i);
  }

  // The idle handler in `stack_`, else the handler that names the segment. One segment can hold
  // code before the loop and the first handlers.
  PartKey Handler() const {
    if (message_.segment.kind != model::SegmentKind::kIdleHandler &&
        message_.segment.kind != model::SegmentKind::kBeforeLoop)
      return {};
    std::string handler = index::IdleHandlerOf(index_.document().frames, stack_);
    if (index::IsBeforeLoop(index_.document().frames, stack_)) return {{}, "", true};
    return {{}, handler.empty() ? NameOfHandler() : handler};
  }
  std::string NameOfHandler() const {
    return message_.segment.kind == model::SegmentKind::kIdleHandler ? message_.segment.method : "";
  }

  // The sample's time by the monotonic clock. A message without a record starts at 0.
  TimeSpan SpanOfSample(const model::Sample& sample) const {
    const uint64_t end_ns = message_.start_ns + uint64_t{sample.wall_us} * 1000;
    const uint64_t length_ns = uint64_t{sample.weight_us} * 1000;
    return {end_ns - std::min(length_ns, end_ns), end_ns};
  }

  void MakeSlices() {
    const std::span<const model::Sample> samples = trace_->samples();
    const uint64_t stopped_us = index::UnseenNs(index_, message_) / 1000;
    slices_.reserve(samples.size());
    uint32_t cpu_us = 0;
    trace_->ForEachStack(
        [&](uint32_t i, std::span<const model::FrameId> stack, const model::Sample& sample) {
          stack_ = stack;
          const uint64_t used_us =
              IsCpuKnown() ? sample.cpu_us - std::min(cpu_us, sample.cpu_us) : sample.weight_us;
          TimeSpan span = SpanOfSample(sample);
          if (i == 0) span.begin_ns += UnseenHeadNs(sample);
          if (i + 1 == samples.size()) span = WithTail(span, samples);
          Slice slice = {.cause = CauseOf(i, sample.state),
                         .is_repeat = i > 0 && sample.cpu_us == cpu_us,
                         .inside_us = Overlap(span, inside_) / 1000};
          slice.kind = KindOf(sample.state, slice.cause);
          const uint64_t early_us = i == 0 ? Known(index_.slow_ns()) / 1000 : 0;  // not slow yet
          slice.is_gap = sample.weight_us / trace_->interval_scale() >= early_us + least_gap_us_;
          const bool was_stopped = !index::IsImported(index_.document()) &&
                                   index::MayBeStopped(message_, *trace_, sample, used_us) &&
                                   stopped_us > 0;
          slice.frozen_us = was_stopped ? slice.inside_us - std::min(used_us, slice.inside_us)
                                        : FrozenUs(span, slice.inside_us);
          cpu_us = std::max(cpu_us, sample.cpu_us);
          sampled_us_ += slice.inside_us;
          slices_.push_back(slice);
          AttributeCpu(index::Scaled(used_us, slice.inside_us, sample.weight_us), slices_);
        });
    if (message_.runqueue_wait_ns >= 0) {
      ShareReady(index::Scaled(Known(message_.runqueue_wait_ns), inside_.length_ns(),
                               SpanOf(message_).length_ns()) /
                     1000,
                 slices_);
    } else {
      ShareReady(IdleOfRunningUs(), slices_);
    }
    SettleSlices(slices_);
  }

  // Stacks imported from other tools lack CPU time, which does not mean that they were idle.
  // An import may know the message's CPU time, but not that of its samples.
  bool IsCpuKnown() const {
    return (message_.cpu_ns >= 0 && !index::IsImported(index_.document())) ||
           trace_->samples().back().cpu_us > 0;
  }

  Slice::Kind KindOf(ThreadState state, Cause cause) const {
    if (!IsCpuKnown()) return Slice::Kind::kOther;
    if (IsOutside(cause)) return Slice::Kind::kOutside;
    if (cause == Cause::kWait || cause == Cause::kSleep) return Slice::Kind::kWaits;
    switch (model::ActivityOf(state)) {
      case model::Activity::kComputing:
      case model::Activity::kUnknown: return Slice::Kind::kRuns;
      case model::Activity::kNative: return Slice::Kind::kNative;
      case model::Activity::kBlocked: return Slice::Kind::kWaits;
      case model::Activity::kWaiting:
      case model::Activity::kSleeping:
      case model::Activity::kRuntime: break;
    }
    return Slice::Kind::kOther;
  }

  // Without the kernel's count, a runnable thread that does not compute waits for a CPU.
  uint64_t IdleOfRunningUs() const {
    uint64_t idle_us = 0;
    for (const Slice& slice : slices_)
      idle_us += slice.kind == Slice::Kind::kRuns ? slice.idle_us() : 0;
    return idle_us;
  }

  // The last sample also covers the time to the message's end. The weight in a closed tree already
  // includes it (TraceTree::CloseAt).
  TimeSpan WithTail(TimeSpan last, std::span<const model::Sample> samples) const {
    if (samples.size() > 1)
      last.begin_ns = std::max(last.begin_ns, SpanOfSample(samples[samples.size() - 2]).end_ns);
    return {last.begin_ns, last.end_ns + TailNs(last.end_ns)};
  }

  uint64_t TailNs(uint64_t sampled_until_ns) const {
    if (index::HasRecordedCalls(index_.document())) return 0;
    const uint64_t end_ns = SpanOf(message_).end_ns;
    const uint64_t tail_ns = end_ns - std::min(end_ns, sampled_until_ns);
    return tail_ns <= kLongestTailUs * 1000 ? tail_ns : 0;
  }

  // The first sample covers the time since the message began. If the thread runs there but used
  // little CPU before, a long idle part belongs to something that was not sampled.
  uint64_t UnseenHeadNs(const model::Sample& first) const {
    const auto slow_us = static_cast<uint64_t>(std::max<int64_t>(index_.slow_ns(), 0)) / 1000;
    const uint64_t longest_us = std::max(kLongestHeadUs, 3 * slow_us);
    const uint64_t idle_us = first.weight_us - std::min(first.cpu_us, first.weight_us);
    const bool runs = first.state == ThreadState::kRunnable ||
                      (first.state == ThreadState::kNative && first.cpu_us >= kLeastRunUs);
    return !runs || !IsCpuKnown() || idle_us <= longest_us ? 0 : (idle_us - longest_us) * 1000;
  }

  uint64_t FrozenUs(const TimeSpan& span, uint64_t inside_us) const {
    const TimeSpan clipped = {std::max(span.begin_ns, inside_.begin_ns),
                              std::min(span.end_ns, inside_.end_ns)};
    return clipped.end_ns <= clipped.begin_ns
               ? 0
               : std::min(index::OverlapNs(clipped, frozen_) / 1000, inside_us);
  }

  void AttributeSlices() {
    trace_->ForEachStack(
        [&](uint32_t i, std::span<const model::FrameId> stack, const model::Sample& sample) {
          const Slice& slice = slices_[i];
          stack_ = stack;
          AttributeSample(Cause::kFrozen, {}, slice.frozen_us, i);
          AttributeSample(Cause::kNoCpu, {}, slice.ready_us, i);
          AttributeSample(Cause::kStill, Handler(), slice.still_us, i);
          AttributeOwn(slice, sample, i);
        });
  }

  // The cause of sample `i`, whose stack is in `stack_`.
  Cause CauseOf(uint32_t i, ThreadState state) {
    if (state == ThreadState::kBlocked) return Cause::kLock;
    for (const model::FrameId id : stack_) {
      switch (WaitedFor(id)) {
        case index::Outside::kBinder: return Cause::kBinder;
        case index::Outside::kInputOutput: return Cause::kInputOutput;
        case index::Outside::kMemory: return Cause::kMemory;
        case index::Outside::kNothing: break;
      }
    }
    switch (model::ActivityOf(state)) {
      case model::Activity::kWaiting: return Cause::kWait;
      case model::Activity::kSleeping: return Cause::kSleep;
      case model::Activity::kRuntime: return Cause::kRuntime;
      case model::Activity::kComputing:
      case model::Activity::kNative:
      case model::Activity::kBlocked:
      case model::Activity::kUnknown: break;
    }
    return CauseInKernel(i);
  }

  index::Outside WaitedFor(model::FrameId id) {
    constexpr uint8_t kUnknown = UINT8_MAX;
    if (waited_for_.empty()) waited_for_.assign(index_.document().frames.size(), kUnknown);
    if (waited_for_[id] == kUnknown)
      waited_for_[id] = static_cast<uint8_t>(index::WaitedFor(index_.document().frames, id));
    return static_cast<index::Outside>(waited_for_[id]);
  }

  Cause CauseInKernel(uint32_t i) const {
    switch (i < kernel_waits_.size() ? kernel_waits_[i] : index::KernelWait::kNothing) {
      case index::KernelWait::kBinder: return Cause::kBinder;
      case index::KernelWait::kInputOutput: return Cause::kInputOutput;
      case index::KernelWait::kMemory: return Cause::kMemory;
      case index::KernelWait::kSleep: return Cause::kSleep;
      case index::KernelWait::kWait: return Cause::kWait;
      case index::KernelWait::kNothing: break;
    }
    return Cause::kWork;
  }

  // Attributes time that no sample covers, by the kernel's counts.
  void AttributeRest() {
    const uint64_t whole_us = inside_.length_ns() / 1000;
    uint64_t left_us = whole_us - std::min(whole_us, sampled_us_);
    const auto give = [&](Cause cause, uint64_t us) {
      const uint64_t given_us = std::min(us, left_us);
      left_us -= given_us;
      if (cause != Cause::kLock || given_us == 0) {
        const bool is_handlers = cause == Cause::kWork || cause == Cause::kStill;
        Attribute(cause, {{}, is_handlers ? NameOfHandler() : ""}, given_us);
        return;
      }
      const uint64_t begin_us =
          (inside_.begin_ns - std::min(message_.start_ns, inside_.begin_ns)) / 1000;
      for (const auto& [owner, part_us] : locks_.Of(begin_us, begin_us + whole_us, given_us))
        Attribute(cause, {owner, ""}, part_us);
    };
    const uint64_t wall_ns = SpanOf(message_).length_ns();
    const auto counted_us = [&](int64_t ns, Cause cause) {
      const uint64_t inside_us = index::Scaled(Known(ns), inside_.length_ns(), wall_ns) / 1000;
      const uint64_t seen_us = UsOf(cause);
      return inside_us - std::min(inside_us, seen_us);
    };
    const uint64_t frozen_us = index::OverlapNs(inside_, frozen_) / 1000;
    const uint64_t frozen_seen_us = UsOf(Cause::kFrozen);
    give(Cause::kFrozen, frozen_us - std::min(frozen_us, frozen_seen_us));
    give(Cause::kWork, counted_us(message_.cpu_ns, Cause::kWork));
    give(Cause::kLock, counted_us(message_.blocked_ns, Cause::kLock));
    give(Cause::kNoCpu, counted_us(message_.runqueue_wait_ns, Cause::kNoCpu));
    give(CauseOfRest(), left_us);
  }

  // Other tools do not say what happened beside their stacks, so that time is not known to be idle.
  Cause CauseOfRest() const {
    if (!index::IsImported(index_.document())) return Cause::kStill;
    if (trace_ != nullptr) return Cause::kUnseen;
    return message_.cpu_ns >= 0 ? Cause::kStill : Cause::kWork;
  }

  void SetTimes() {
    std::vector<Attribution::Part>& parts = result_.parts;
    uint64_t sum_us = 0;
    for (const Attribution::Part& part : parts) sum_us += part.us;
    if (sum_us == 0) parts = {{Cause::kStill, {}}};
    uint64_t left_ns = inside_.length_ns();
    for (Attribution::Part& part : parts) {
      part.ns = index::Scaled(part.us, inside_.length_ns(), sum_us);
      left_ns -= part.ns;
    }
    std::ranges::max_element(parts, {}, &Attribution::Part::us)->ns += left_ns;  // rounding
  }

  const index::DumpIndex& index_;
  const Message& message_;
  TimeSpan inside_;
  std::span<const TimeSpan> frozen_;
  const model::TraceTree* trace_;
  std::vector<index::KernelWait> kernel_waits_;
  std::span<const model::FrameId> stack_;
  std::vector<Slice> slices_;
  std::vector<uint8_t> waited_for_;  // index::Outside by frame
  uint64_t sampled_us_ = 0;
  LockShares locks_;
  uint64_t least_gap_us_;
  Attribution result_;
};

}  // namespace

std::optional<index::CallTree> TreeOf(const index::DumpIndex& index,
                                      std::span<const Source> sources) {
  constexpr model::TreeLimits kLimits = {.max_samples = 1U << 20, .max_nodes = 1U << 20};
  std::optional<model::TraceTree> tree;
  StackFolder folder(index.document().frames, index.own());
  for (const Source& source : sources) {
    const Attribution& from = *source.attribution;
    const model::TraceTree* trace = index.TraceOf(from.message->token);
    if (trace == nullptr || from.shares.empty()) continue;
    if (!tree) tree.emplace(trace->token(), kLimits);
    auto share = from.shares.begin();
    trace->ForEachStack([&](uint32_t i, std::span<const model::FrameId> stack,
                            const model::Sample& sample) {
      for (; share != from.shares.end() && share->sample == i; ++share) {
        if (share->part != source.part) continue;
        tree->Add(folder.Fold(stack),
                  {.wall_us = 0,
                   .weight_us = static_cast<uint32_t>(std::min<uint64_t>(share->us, UINT32_MAX)),
                   .cpu_us = 0,
                   .state = sample.state});
      }
    });
  }
  if (!tree || tree->empty()) return std::nullopt;
  return std::optional<index::CallTree>(std::in_place, index.document().frames, *tree);
}

TimeSpan SpanOf(const Message& message) {
  const uint64_t length_ns = Known(message.wall_ns);
  return {message.start_ns, message.start_ns + std::min(length_ns, UINT64_MAX - message.start_ns)};
}

Attribution Attribute(const index::DumpIndex& index, const Message& message, const TimeSpan& inside,
                      std::span<const TimeSpan> frozen) {
  return Attributor(index, message, inside, frozen).Attribute();
}

}  // namespace stillframe::judge
