// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/rules/kernel_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::rules {
namespace {

constexpr size_t kMostTold = 3;
constexpr size_t kLongestCall = 80;
constexpr uint64_t kShortestTold = 10;  // one in so many of the longest one's microseconds

}  // namespace

std::vector<index::KernelWait> KernelWaitsOf(const index::DumpIndex& index, uint64_t token) {
  std::vector<index::KernelWait> waits;
  const trace::TraceTree* const tree = index.MixedTraceOf(token);
  if (tree == nullptr) return waits;
  tree->ForEachStack([&](uint32_t, std::span<const trace::FrameId> stack, const trace::Sample&) {
    waits.push_back(index::WaitInKernel(index::KernelCallOf(index.document().frames, stack)));
  });
  return waits;
}

std::string KernelCallsText(const index::DumpIndex& index, const model::Message& message) {
  const trace::TraceTree* const tree = index.MixedTraceOf(message.token);
  if (tree == nullptr) return {};
  std::map<std::string_view, uint64_t> times_us;
  tree->ForEachStack(
      [&](uint32_t, std::span<const trace::FrameId> stack, const trace::Sample& sample) {
        const std::string_view call = index::KernelCallOf(index.document().frames, stack);
        if (!call.empty()) times_us[call] += sample.weight_us;
      });
  std::vector<std::pair<std::string_view, uint64_t>> longest(times_us.begin(), times_us.end());
  std::ranges::stable_sort(longest,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (size_t i = 0; i < std::min(longest.size(), kMostTold); ++i) {
    const auto& [call, us] = longest[i];
    if (us * kShortestTold < longest.front().second) break;
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", text::Truncated(call, kLongestCall),
                        calltree::DurationUs(us));
  }
  return text.empty() ? text : fmt::format("It stood still in the kernel: {}.", text);
}

std::string_view WaitText(verdict::Cause cause, trace::ThreadState state) {
  if (cause == verdict::Cause::kStill) return "standing still, for a reason that nobody saw,";
  if (state != trace::ThreadState::kNative) return calltree::StateText(state);
  return cause == verdict::Cause::kSleep ? "sleeping in native code" : "waiting in native code";
}

}  // namespace stillframe::rules
