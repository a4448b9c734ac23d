// SPDX-License-Identifier: Apache-2.0
// Cuts a stack back to the first call of a method that is called again.
#include "tools/stillframe/rules/folded_stack.h"

#include <algorithm>
#include <string_view>

#include "tools/stillframe/calltree/method_name.h"

namespace stillframe::rules {

uint32_t StackFolder::MethodOf(trace::FrameId id) {
  if (method_of_frame_[id] != 0) return method_of_frame_[id] - 1;
  const trace::Frame& frame = frames_.At(id);
  const auto [entry, is_new] =
      ids_.try_emplace({frame.class_name, frame.method_name, frame.signature},
                       static_cast<uint32_t>(methods_.size()));
  if (is_new) {
    const std::string_view class_name = frames_.String(frame.class_name);
    const bool is_platform =
        frame.kind == trace::FrameKind::kTruncated || calltree::IsPlatformClass(class_name);
    methods_.push_back({is_platform            ? Whose::kPlatform
                        : own_.Has(class_name) ? Whose::kOwn
                                               : Whose::kLibrary,
                        0});
  }
  method_of_frame_[id] = entry->second + 1;
  return entry->second;
}

bool StackFolder::IsFolded(const Method& method, uint32_t place) const {
  if (place == 0) return false;
  if (place == folded_.size() || method.whose == Whose::kOwn) return true;
  return method.whose == Whose::kLibrary &&
         std::none_of(folded_methods_.begin() + place, folded_methods_.end(),
                      [this](uint32_t other) { return methods_[other].whose == Whose::kOwn; });
}

std::span<const trace::FrameId> StackFolder::Fold(std::span<const trace::FrameId> stack) {
  for (const uint32_t method : folded_methods_) methods_[method].place = 0;
  folded_.clear();
  folded_methods_.clear();
  for (const trace::FrameId id : stack) {
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

}  // namespace stillframe::rules
