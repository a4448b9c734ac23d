// SPDX-License-Identifier: Apache-2.0
// Goes through the samples of a message and gives each one's time to a cause.
#include "tools/stillframe/rules/message_parts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/rules/folded_stack.h"

namespace stillframe::rules {
namespace {

using model::Message;
using trace::ThreadState;
using verdict::Cause;

constexpr size_t kCauses = static_cast<size_t>(Cause::kUnseen) + 1;
// What a sampler that works may leave at a message's end.
constexpr uint64_t kLongestTailUs = 200'000;

uint64_t Known(int64_t ns) { return static_cast<uint64_t>(std::max<int64_t>(ns, 0)); }

uint64_t Scaled(uint64_t value, uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<uint64_t>(static_cast<__uint128_t>(value) * part / whole);
}

uint64_t Overlap(const TimeSpan& a, const TimeSpan& b) {
  const uint64_t begin_ns = std::max(a.begin_ns, b.begin_ns);
  const uint64_t end_ns = std::min(a.end_ns, b.end_ns);
  return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

uint64_t Overlap(const TimeSpan& span, std::span<const TimeSpan> others) {
  uint64_t ns = 0;
  for (const TimeSpan& other : others) ns += Overlap(span, other);
  return std::min(ns, span.length_ns());
}

// The tree of one cause: at most as large as the message's own.
trace::TraceTree EmptyTree(const trace::TraceTree& like) {
  return trace::TraceTree(like.token(),
                          {.max_samples = like.sample_count() + 2,
                           .max_nodes = 4 * static_cast<uint32_t>(like.nodes().size()) + 16});
}

// A sample within the span that is looked at.
struct Slice {
  uint32_t sample;
  uint64_t inside_us;
  uint64_t used_us;    // of the CPU
  uint64_t frozen_us;  // the process was not run
  uint64_t idle_us() const { return inside_us - frozen_us - used_us; }
};

class Splitter {
 public:
  Splitter(const index::DumpIndex& index, const Message& message, const TimeSpan& inside,
           std::span<const TimeSpan> frozen)
      : index_(index),
        message_(message),
        inside_(inside),
        frozen_(frozen),
        trace_(index.TraceOf(message.token)),
        folder_(index.document().frames) {}

  std::vector<MessagePart> Split() {
    if (trace_ != nullptr && !trace_->empty()) {
      MakeSlices();
      GiveSlices();
    }
    GiveRest();
    return Parts();
  }

 private:
  void Give(Cause cause, uint64_t us) { us_[static_cast<size_t>(cause)] += us; }

  // With the stack at hand.
  void GiveStack(Cause cause, uint64_t us, ThreadState state) {
    if (us == 0) return;
    Give(cause, us);
    auto& tree = trees_[static_cast<size_t>(cause)];
    if (!tree) tree = EmptyTree(*trace_);
    constexpr uint64_t kMaxUs = UINT32_MAX;
    tree->Add(folder_.Fold(stack_), {.wall_us = 0,
                                     .weight_us = static_cast<uint32_t>(std::min(us, kMaxUs)),
                                     .cpu_us = 0,
                                     .state = state});
  }

  // What Message::start_ns is to samples; a message that lost its record is looked at as a whole.
  TimeSpan SpanOfSample(const trace::Sample& sample) const {
    const uint64_t end_ns = message_.start_ns + uint64_t{sample.wall_us} * 1000;
    const uint64_t length_ns = uint64_t{sample.weight_us} * 1000;
    return {end_ns - std::min(length_ns, end_ns), end_ns};
  }

  void MakeSlices() {
    const std::span<const trace::Sample> samples = trace_->samples();
    const uint64_t stopped_us = index::UnseenNs(index_, message_) / 1000;
    // Of stacks that other tools took nobody knows the CPU time: they did not wait for it.
    const bool is_cpu_known = message_.cpu_ns >= 0 || samples.back().cpu_us > 0;
    uint32_t cpu_us = 0;
    for (uint32_t i = 0; i < samples.size(); ++i) {
      const trace::Sample& sample = samples[i];
      const uint64_t used_us =
          is_cpu_known ? sample.cpu_us - std::min(cpu_us, sample.cpu_us) : sample.weight_us;
      cpu_us = sample.cpu_us;
      TimeSpan span = SpanOfSample(sample);
      if (i + 1 == samples.size()) span.end_ns += TailNs(span.end_ns);
      Slice slice = {i, Overlap(span, inside_) / 1000, 0, 0};
      const bool was_stopped =
          index::MayBeStopped(message_, *trace_, sample, used_us) && stopped_us > 0;
      slice.frozen_us = was_stopped ? slice.inside_us - std::min(used_us, slice.inside_us)
                                    : FrozenUs(span, slice.inside_us);
      slice.used_us = std::min(Scaled(used_us, slice.inside_us, sample.weight_us),
                               slice.inside_us - slice.frozen_us);
      slices_.push_back(slice);
    }
  }

  // From the last sample to the message's end, as TraceTree::CloseAt gives it to that sample.
  uint64_t TailNs(uint64_t sampled_until_ns) const {
    const uint64_t end_ns = SpanOf(message_).end_ns;
    const uint64_t tail_ns = end_ns - std::min(end_ns, sampled_until_ns);
    return tail_ns <= kLongestTailUs * 1000 ? tail_ns : 0;
  }

  uint64_t FrozenUs(const TimeSpan& span, uint64_t inside_us) const {
    const TimeSpan clipped = {std::max(span.begin_ns, inside_.begin_ns),
                              std::min(span.end_ns, inside_.end_ns)};
    return clipped.end_ns <= clipped.begin_ns
               ? 0
               : std::min(Overlap(clipped, frozen_) / 1000, inside_us);
  }

  // How much of the time that a runnable thread did not compute it waited for a CPU; `of_native`
  // likewise in native code, where nothing but the kernel's count tells that from waiting.
  void ShareReady(uint64_t runnable_us, uint64_t native_us, double* of_runnable,
                  double* of_native) const {
    *of_runnable = 1;
    *of_native = 0;
    if (message_.runqueue_wait_ns < 0) return;
    const uint64_t ready_us = Scaled(Known(message_.runqueue_wait_ns), inside_.length_ns(),
                                     SpanOf(message_).length_ns()) /
                              1000;
    const auto part = [](uint64_t some_us, uint64_t all_us) {
      return all_us == 0
                 ? 0.0
                 : std::min(1.0, static_cast<double>(some_us) / static_cast<double>(all_us));
    };
    *of_runnable = part(ready_us, runnable_us);
    *of_native = part(ready_us - std::min(ready_us, runnable_us), native_us);
  }

  void GiveSlices() {
    uint64_t runnable_us = 0;
    uint64_t native_us = 0;
    for (const Slice& slice : slices_) {
      const ThreadState state = trace_->samples()[slice.sample].state;
      if (state == ThreadState::kRunnable || state == ThreadState::kUnknown)
        runnable_us += slice.idle_us();
      if (state == ThreadState::kNative) native_us += slice.idle_us();
    }
    double of_runnable = 0;
    double of_native = 0;
    ShareReady(runnable_us, native_us, &of_runnable, &of_native);
    trace_->ForEachStack([&](uint32_t i, std::span<const trace::FrameId> stack,
                             const trace::Sample& sample) {
      const Slice& slice = slices_[i];
      stack_ = stack;
      sampled_us_ += slice.inside_us;
      GiveStack(Cause::kFrozen, slice.frozen_us, sample.state);
      const bool is_running =
          sample.state == ThreadState::kRunnable || sample.state == ThreadState::kUnknown;
      const double ready = is_running                             ? of_runnable
                           : sample.state == ThreadState::kNative ? of_native
                                                                  : 0;
      const auto ready_us = static_cast<uint64_t>(ready * static_cast<double>(slice.idle_us()));
      GiveStack(Cause::kNoCpu, ready_us, sample.state);
      GiveStack(CauseOf(sample.state), slice.inside_us - slice.frozen_us - ready_us, sample.state);
    });
  }

  // Of the stack at hand.
  Cause CauseOf(ThreadState state) const {
    if (state == ThreadState::kBlocked) return Cause::kLock;
    for (const trace::FrameId id : stack_) {
      switch (index::WaitedFor(index_.document().frames, id)) {
        case index::Outside::kBinder: return Cause::kBinder;
        case index::Outside::kInputOutput: return Cause::kInputOutput;
        case index::Outside::kNothing: break;
      }
    }
    switch (state) {
      case ThreadState::kWaiting:
      case ThreadState::kTimedWaiting: return Cause::kWait;
      case ThreadState::kSleeping: return Cause::kSleep;
      case ThreadState::kSuspended:
      case ThreadState::kOther: return Cause::kRuntime;
      default: return Cause::kWork;
    }
  }

  // What no sample covers, by what the kernel counted.
  void GiveRest() {
    const uint64_t whole_us = inside_.length_ns() / 1000;
    uint64_t left_us = whole_us - std::min(whole_us, sampled_us_);
    const auto give = [&](Cause cause, uint64_t us) {
      const uint64_t given_us = std::min(us, left_us);
      Give(cause, given_us);
      left_us -= given_us;
    };
    const uint64_t wall_ns = SpanOf(message_).length_ns();
    const auto counted_us = [&](int64_t ns, Cause cause) {
      const uint64_t inside_us = Scaled(Known(ns), inside_.length_ns(), wall_ns) / 1000;
      const uint64_t seen_us = us_[static_cast<size_t>(cause)];
      return inside_us - std::min(inside_us, seen_us);
    };
    const uint64_t frozen_us = Overlap(inside_, frozen_) / 1000;
    const uint64_t frozen_seen_us = us_[static_cast<size_t>(Cause::kFrozen)];
    give(Cause::kFrozen, frozen_us - std::min(frozen_us, frozen_seen_us));
    give(Cause::kWork, counted_us(message_.cpu_ns, Cause::kWork));
    give(Cause::kLock, counted_us(message_.blocked_ns, Cause::kLock));
    give(Cause::kNoCpu, counted_us(message_.runqueue_wait_ns, Cause::kNoCpu));
    give(Cause::kStill, left_us);
  }

  std::vector<MessagePart> Parts() {
    std::vector<MessagePart> parts;
    uint64_t sum_us = 0;
    for (const uint64_t us : us_) sum_us += us;
    uint64_t given_ns = 0;
    for (size_t i = 0; i < kCauses; ++i) {
      if (us_[i] == 0) continue;
      MessagePart part = {static_cast<Cause>(i), Scaled(us_[i], inside_.length_ns(), sum_us), {}};
      given_ns += part.ns;
      if (trees_[i]) part.tree.emplace(index_.document().frames, *trees_[i]);
      parts.push_back(std::move(part));
    }
    if (parts.empty()) parts.push_back({Cause::kStill, 0, {}});
    std::stable_sort(parts.begin(), parts.end(),
                     [](const MessagePart& a, const MessagePart& b) { return a.ns > b.ns; });
    parts.front().ns += inside_.length_ns() - given_ns;  // what rounding left
    return parts;
  }

  const index::DumpIndex& index_;
  const Message& message_;
  TimeSpan inside_;
  std::span<const TimeSpan> frozen_;
  const trace::TraceTree* trace_;
  StackFolder folder_;
  std::span<const trace::FrameId> stack_;
  std::vector<Slice> slices_;
  uint64_t sampled_us_ = 0;
  std::array<uint64_t, kCauses> us_ = {};
  std::array<std::optional<trace::TraceTree>, kCauses> trees_;
};

}  // namespace

TimeSpan SpanOf(const Message& message) {
  const uint64_t length_ns = Known(message.wall_ns);
  return {message.start_ns, message.start_ns + std::min(length_ns, UINT64_MAX - message.start_ns)};
}

std::vector<TimeSpan> FrozenSpans(const model::Document& document) {
  std::vector<TimeSpan> spans;
  for (const model::HistoryRecord& record : document.records) {
    if (record.kind != model::SpanKind::kFrozen || record.looper != 0) continue;
    spans.push_back({record.start_ns,
                     record.start_ns + std::min(record.span_ns, UINT64_MAX - record.start_ns)});
  }
  std::sort(spans.begin(), spans.end(),
            [](const TimeSpan& a, const TimeSpan& b) { return a.begin_ns < b.begin_ns; });
  uint64_t last_ns = 0;
  for (TimeSpan& span : spans) {
    span.begin_ns = std::max(span.begin_ns, last_ns);
    span.end_ns = std::max(span.end_ns, span.begin_ns);
    last_ns = span.end_ns;
  }
  return spans;
}

std::vector<MessagePart> PartsOf(const index::DumpIndex& index, const Message& message,
                                 const TimeSpan& inside, std::span<const TimeSpan> frozen) {
  return Splitter(index, message, inside, frozen).Split();
}

}  // namespace stillframe::rules
