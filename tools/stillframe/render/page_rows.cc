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
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/render/facts.h"

namespace stillframe::render {
namespace {

constexpr size_t kLongestKey = 300;

// Removes the numbers from "app.Feed$$ExternalSyntheticLambda3.run" and "app.Feed.lambda$load$0".
// d8 and javac number lambdas in source order, so versions of an application differ in them.
std::string WithoutLambdaNumbers(std::string_view name) {
  std::string kept;
  bool is_lambda = false;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool is_digit = name[i] >= '0' && name[i] <= '9';
    if (!is_lambda) {
      const std::string_view rest = name.substr(i);
      is_lambda = rest.starts_with("Lambda") || rest.starts_with("lambda$");
    }
    if (name[i] == '.' || name[i] == ' ') is_lambda = false;
    const char before = i == 0 ? ' ' : name[i - 1];
    const bool is_number = is_lambda && is_digit && (before == 'a' || before == '$');
    if (is_number) {
      while (i + 1 < name.size() && name[i + 1] >= '0' && name[i + 1] <= '9') ++i;
      continue;
    }
    kept += name[i];
  }
  return index::Truncated(kept, kLongestKey);
}

std::string MessageText(const index::DumpIndex& index, Token token) {
  index::Dispatch dispatch = index.DispatchFor(*index.MessageOf(token));
  dispatch.is_from_stack = false;
  if (!dispatch.segment && dispatch.callback.empty() && dispatch.target.empty()) return "";
  return WithoutLambdaNumbers(index::DispatchText(dispatch));
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
                std::string(index::NameOf(verdict.kind)),
                verdict.culprit ? WithoutLambdaNumbers(verdict.culprit->method) : "",
                verdict.token ? MessageText(index, *verdict.token) : "",
                MessageKey(index, verdict, id), ContextText(document, model::context::kVersionName),
                ContextText(document, "model"), ContextText(document, model::context::kApiLevel),
                headline},
      .taken = document.taken_realtime_ns / 1'000'000'000,
      .cost = cost_ns / 1000};
}

}  // namespace stillframe::render
