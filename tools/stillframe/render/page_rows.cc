// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/page_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "src/model/context_names.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/render/facts.h"

namespace stillframe::render {
namespace {

constexpr size_t kLongestKey = 300;

std::string StableText(std::string_view name) {
  return index::Truncated(index::StableName(std::string(name)), kLongestKey);
}

// The method of the culprit; without samples that of the main thread's own frame at the dump.
std::string FrameOf(const judge::Verdict& verdict) {
  if (verdict.culprit) return StableText(verdict.culprit->method);
  if (verdict.chain.threads.empty()) return "";
  const judge::Waiter& main = verdict.chain.threads.front();
  std::string frame = main.own_frame;
  if (frame.empty() && !main.stack.empty()) frame = main.stack.front();
  return StableText(frame.substr(0, frame.find(" (")));
}

std::string MessageText(const index::DumpIndex& index, Token token) {
  index::Dispatch dispatch = index.DispatchFor(*index.MessageOf(token));
  dispatch.is_from_stack = false;
  if (!dispatch.segment && dispatch.callback.empty() && dispatch.target.empty()) return "";
  return StableText(index::DispatchText(dispatch));
}

// Equal in two dumps if the same message of the same process is to blame. `otherwise` if no message
// is blamed or the dump does not identify its process.
std::string MessageKey(const index::DumpIndex& index, const judge::Verdict& verdict,
                       const std::string& otherwise) {
  const model::Identity& process = index.document().identity;
  if (!verdict.token || process.process_start_ns == 0) return otherwise;
  return fmt::format("{}.{}.{}", process.pid, process.process_start_ns, NumberOf(*verdict.token));
}

// The time that a dump adds to its cause: the headline's. Without one, that of the message to
// blame, or of the longest message.
int64_t CostNs(const index::DumpIndex& index, const judge::Verdict& verdict) {
  if (verdict.named_ns > 0) return static_cast<int64_t>(verdict.named_ns);
  if (verdict.token) return std::max<int64_t>(index.MessageOf(*verdict.token)->wall_ns, 0);
  int64_t longest = 0;
  for (const model::Message& message : index.document().history)
    longest = std::max(longest, message.wall_ns);
  return longest;
}

// "": absent from the dump.
std::string ContextText(const model::Document& document, std::string_view name) {
  for (const model::ContextEntry& entry : document.context) {
    if (entry.name != name || entry.state == model::ContextEntry::State::kAbsent) continue;
    return entry.state == model::ContextEntry::State::kNumber ? std::to_string(entry.number)
                                                              : index::Truncated(entry.text, 80);
  }
  return "";
}

// Depends on the dump's content only, not on its file name.
std::string ContentId(const model::Document& document) {
  uint64_t hash = 14695981039346656037U;
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211U;
  };
  add(fmt::format("{} {} {} {} {} {}", ProcessText(document), document.identity.process_start_ns,
                  document.taken_realtime_ns, index::TextOf(document.trigger),
                  document.frames.size(), document.pending.size()));
  for (const model::Message& message : document.history)
    add(fmt::format(" {} {}", NumberOf(message.token), message.wall_ns));
  for (const model::TraceTree& tree : document.trees) {
    add(fmt::format(" {}", NumberOf(tree.token())));
    tree.ForEachStack(
        [&](uint32_t node, std::span<const model::FrameId>, const model::Sample& sample) {
          add(fmt::format(" {} {}", node, sample.weight_us));
        });
  }
  return fmt::format("{:012x}", hash >> 16U);
}

}  // namespace

PageRow PageRowOf(std::string_view name, const index::DumpIndex& index,
                  const judge::Verdict& verdict, const std::string& headline) {
  const model::Document& document = index.document();
  const int64_t cost_ns = CostNs(index, verdict);
  const std::string id = ContentId(document);
  return {
      .texts = {id, index::Truncated(name, 300), ProcessText(document),
                std::string(index::NameOf(verdict.kind)), FrameOf(verdict),
                verdict.token ? MessageText(index, *verdict.token) : "",
                MessageKey(index, verdict, id), ContextText(document, model::context::kVersionName),
                ContextText(document, "model"), ContextText(document, model::context::kApiLevel),
                headline},
      .taken = document.taken_realtime_ns / 1'000'000'000,
      .cost = cost_ns / 1000};
}

}  // namespace stillframe::render
