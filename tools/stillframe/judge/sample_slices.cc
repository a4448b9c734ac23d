// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/sample_slices.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "tools/stillframe/index/known_code.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::judge {
namespace {

using SliceKind = Slice::Kind;

// Number of slices to which a sample's CPU time may belong, its own included.
constexpr size_t kMostBack = 4;
// A running thread's idle time within this distance of a wait is attributed to that wait.
constexpr uint64_t kBesideUs = 50'000;
constexpr size_t kMostBeside = 16;

bool MayRun(const Slice& slice) {
  return slice.kind == SliceKind::kRuns || slice.kind == SliceKind::kNative;
}

// A wait, whose own CPU time belongs to another slice.
bool IsWait(std::span<const Slice> slices, size_t i) {
  const Slice& slice = slices[i];
  if (slice.kind == SliceKind::kWaits) return true;
  const bool goes_on = i > 0 && slices[i - 1].cause == slice.cause;
  return slice.kind == SliceKind::kOutside &&
         !(goes_on && slice.used_us * 4 >= (slice.inside_us - slice.frozen_us) * 3);
}

// A native method may be idle by itself: two samples without CPU time between them show that.
bool MayHideWait(std::span<const Slice> slices, size_t i) {
  const Slice& slice = slices[i];
  if (slice.kind == SliceKind::kRuns) return true;
  const bool stands =
      i + 1 < slices.size() && slices[i + 1].kind == SliceKind::kNative && slices[i + 1].is_repeat;
  return slice.kind == SliceKind::kNative && !slice.is_repeat && !stands;
}

void Move(uint64_t us, Slice* from, Slice* to) {
  from->own_us -= us;
  to->own_us += us;
}

void MoveUsed(std::span<Slice> slices) {
  std::optional<size_t> last;
  size_t next = 0;
  for (size_t i = 0; i < slices.size(); ++i) {
    if (MayRun(slices[i])) last = i;
    if (slices[i].used_us == 0 || !IsWait(slices, i)) continue;
    for (next = std::max(next, i); next < slices.size() && !MayRun(slices[next]);) ++next;
    if (next < slices.size())
      Move(slices[i].used_us, &slices[i], &slices[next]);
    else if (last)
      Move(slices[i].used_us, &slices[i], &slices[*last]);
  }
}

// The wait near slice `i`: the previous one if near enough, else the next.
std::optional<size_t> WaitBeside(std::span<const Slice> slices, size_t i) {
  for (const bool is_before : {true, false}) {
    uint64_t between_us = 0;
    for (size_t steps = 1; steps <= kMostBeside && between_us <= kBesideUs; ++steps) {
      if (steps > (is_before ? i : slices.size() - 1 - i)) break;
      const size_t place = is_before ? i - steps : i + steps;
      if (IsWait(slices, place)) return place;
      between_us += slices[place].inside_us;
    }
  }
  return std::nullopt;
}

// A running slice's idle time goes to the wait near it. Without one, in a gap, it becomes still
// time: the thread may have stopped in a native method at any moment.
void MoveIdle(std::span<Slice> slices) {
  for (size_t i = 0; i < slices.size(); ++i) {
    const uint64_t idle_us = slices[i].idle_us() - slices[i].ready_us;
    if (idle_us == 0 || !MayRun(slices[i])) continue;
    const auto wait = MayHideWait(slices, i) ? WaitBeside(slices, i) : std::nullopt;
    if (wait) {
      Move(idle_us, &slices[i], &slices[*wait]);
    } else if (slices[i].is_gap) {
      slices[i].still_us = std::min(idle_us, slices[i].own_us);
      slices[i].own_us -= slices[i].still_us;
    }
  }
}

}  // namespace

uint32_t StackFolder::MethodOf(model::FrameId id) {
  if (method_of_frame_[id] != 0) return method_of_frame_[id] - 1;
  const model::Frame& frame = frames_.At(id);
  const auto [entry, is_new] =
      ids_.try_emplace({frame.class_name, frame.method_name, frame.signature},
                       static_cast<uint32_t>(methods_.size()));
  if (is_new) {
    const std::string_view class_name = frames_.String(frame.class_name);
    const bool is_platform =
        frame.kind == model::FrameKind::kTruncated || index::IsPlatformClass(class_name);
    methods_.push_back({is_platform            ? CodeOwner::kPlatform
                        : own_.Has(class_name) ? CodeOwner::kOwn
                                               : CodeOwner::kLibrary,
                        0});
  }
  method_of_frame_[id] = entry->second + 1;
  return entry->second;
}

bool StackFolder::IsFolded(const Method& method, uint32_t place) const {
  if (place == 0) return false;
  if (place == folded_.size() || method.whose == CodeOwner::kOwn) return true;
  return method.whose == CodeOwner::kLibrary &&
         std::none_of(folded_methods_.begin() + place, folded_methods_.end(),
                      [this](uint32_t other) { return methods_[other].whose == CodeOwner::kOwn; });
}

std::span<const model::FrameId> StackFolder::Fold(std::span<const model::FrameId> stack) {
  for (const uint32_t method : folded_methods_) methods_[method].place = 0;
  folded_.clear();
  folded_methods_.clear();
  for (const model::FrameId& id : stack) {
    // A truncation inside the stack marks missing outer frames. Only the innermost frame counts as
    // one.
    if (frames_.At(id).kind == model::FrameKind::kTruncated && &id != &stack.back()) continue;
    const uint32_t method = MethodOf(id);
    const uint32_t place = methods_[method].place;
    if (IsFolded(methods_[method], place)) {
      while (folded_.size() >= place) {
        methods_[folded_methods_.back()].place = 0;
        folded_.pop_back();
        folded_methods_.pop_back();
      }
    }
    folded_.push_back(id);
    folded_methods_.push_back(method);
    methods_[method].place = static_cast<uint32_t>(folded_.size());
  }
  return folded_;
}

void AttributeCpu(uint64_t used_us, std::span<Slice> up_to_it) {
  for (size_t back = 0; back < std::min(kMostBack, up_to_it.size()) && used_us > 0; ++back) {
    Slice& slice = up_to_it[up_to_it.size() - 1 - back];
    const uint64_t given_us = std::min(used_us, slice.idle_us());
    slice.used_us += given_us;
    used_us -= given_us;
  }
}

void ShareReady(uint64_t ready_us, std::span<Slice> slices) {
  // A waiting thread is ready only between the end of its wait and its next time slice.
  const auto is_first = [](const Slice& slice) { return slice.kind == SliceKind::kRuns; };
  const auto is_second = [](const Slice& slice) {
    return slice.kind == SliceKind::kNative || slice.kind == SliceKind::kOutside;
  };
  const auto is_last = [](const Slice& slice) {
    return slice.kind == SliceKind::kWaits && !slice.is_repeat;
  };
  const auto share = [&](const auto& is_one) {
    uint64_t idle_us = 0;
    for (const Slice& slice : slices) idle_us += is_one(slice) ? slice.idle_us() : 0;
    if (idle_us == 0 || ready_us == 0) return;
    const double part = std::min(1.0, static_cast<double>(ready_us) / static_cast<double>(idle_us));
    for (Slice& slice : slices)
      if (is_one(slice))
        slice.ready_us = static_cast<uint64_t>(part * static_cast<double>(slice.idle_us()));
    ready_us -= std::min(ready_us, idle_us);
  };
  share(is_first);
  share(is_second);
  share(is_last);
}

void SettleSlices(std::span<Slice> slices) {
  for (Slice& slice : slices) slice.own_us = slice.inside_us - slice.frozen_us - slice.ready_us;
  MoveUsed(slices);
  MoveIdle(slices);
}

}  // namespace stillframe::judge
