// SPDX-License-Identifier: Apache-2.0
// Cuts a stack back to the first call of a method that is called again.
#include "tools/stillframe/rules/folded_stack.h"

#include "tools/stillframe/calltree/method_name.h"

namespace stillframe::rules {

uint32_t StackFolder::MethodOf(trace::FrameId id) {
  if (method_of_frame_[id] != 0) return method_of_frame_[id] - 1;
  const trace::Frame& frame = frames_.At(id);
  const auto [entry, is_new] =
      ids_.try_emplace({frame.class_name, frame.method_name, frame.signature},
                       static_cast<uint32_t>(methods_.size()));
  if (is_new) {
    const bool is_cut = frame.kind == trace::FrameKind::kTruncated;
    const bool is_platform = calltree::IsPlatformClass(frames_.String(frame.class_name));
    methods_.push_back({!is_cut && !is_platform, 0});
  }
  method_of_frame_[id] = entry->second + 1;
  return entry->second;
}

std::span<const trace::FrameId> StackFolder::Fold(std::span<const trace::FrameId> stack) {
  for (const uint32_t method : folded_methods_) methods_[method].place = 0;
  folded_.clear();
  folded_methods_.clear();
  for (const trace::FrameId id : stack) {
    const uint32_t method = MethodOf(id);
    const uint32_t place = methods_[method].place;
    const bool repeats_last = place != 0 && place == folded_.size();
    if (place != 0 && (methods_[method].is_folded_over_others || repeats_last)) {
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

}  // namespace stillframe::rules
