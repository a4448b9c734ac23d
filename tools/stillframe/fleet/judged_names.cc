// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/judged_names.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/judge/message_parts.h"

namespace stillframe::fleet {
namespace {

constexpr size_t kLongestName = 400;

// Names by the application's frames on the heaviest path that holds two fifths of the message.
// The verdict divides the time by its cause first, so that what it names varies from hang to hang
// where a method both computes and waits.
void NameByWeight(const index::CallTree& tree, const index::OwnCode& own, CauseNames* cause) {
  std::vector<std::string> names;  // outermost first
  const index::MethodId* leaf = nullptr;
  const std::vector<index::CallNode>& nodes = tree.nodes();
  for (uint32_t node = nodes[0].first_child;
       node != index::kNone && nodes[node].total_us * 5 >= nodes[0].total_us * 2;
       node = nodes[node].first_child) {
    const index::Method& method = tree.methods()[nodes[node].method];
    if (method.is_truncation) continue;
    leaf = &nodes[node].method;
    const std::string_view class_name = tree.ClassName(*leaf);
    if (!own.Has(class_name) || index::IsGlue(class_name, tree.frames().String(method.method_name)))
      continue;
    std::string name = tree.NameOf(*leaf, kLongestName);
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  if (names.empty()) return;
  cause->method = names.back();
  cause->caller = names.size() > 1 ? names[names.size() - 2] : "";
  cause->leaf = tree.NameOf(*leaf, kLongestName);
}

// The cause with most of one message's time. What is not recorded counts if no other has a tenth.
judge::Cause CauseOf(const index::DumpIndex& index, const model::Message& message) {
  const std::vector<judge::TimeSpan> frozen = judge::FrozenSpans(index.document());
  const judge::Attribution attribution =
      judge::Attribute(index, message, judge::SpanOf(message), frozen);
  std::map<judge::Cause, uint64_t> us;
  uint64_t all_us = 0;
  for (const judge::Attribution::Part& part : attribution.parts) {
    us[part.cause] += part.us;
    all_us += part.us;
  }
  std::pair<uint64_t, judge::Cause> largest = {0, judge::Cause::kUnseen};
  for (const auto& [cause, of] : us)
    if (cause != judge::Cause::kUnseen && of * 10 >= all_us)
      largest = std::max(largest, std::pair(of, cause));
  return largest.second;
}

}  // namespace

CauseNames JudgedNames(const index::DumpIndex& index) {
  CauseNames cause;
  const std::vector<Token> trees = index.TreeTokens();
  const model::Message* only = trees.size() == 1 ? index.MessageOf(trees.front()) : nullptr;
  if (only != nullptr && only->wall_ns > 0) {
    cause.kind = kTableOf<judge::Cause>.Of(CauseOf(index, *only)).name;
    cause.message = index::DispatchText(index.DispatchFor(*only));
    NameByWeight(*index.TreeOf(only->token), index.own(), &cause);
    if (!cause.method.empty()) return cause;
  }
  const judge::Verdict verdict = judge::Judge(index);
  const judge::Contributor* lead = verdict.LeadRow();
  cause.kind = kTableOf<judge::Cause>.Of(verdict.cause).name;
  const judge::Culprit* culprit = verdict.culprit ? &*verdict.culprit : nullptr;
  if (culprit == nullptr && lead != nullptr && lead->place) culprit = &*lead->place;
  if (culprit != nullptr) {
    cause.method = culprit->method;
    cause.caller = culprit->caller;
    cause.leaf = culprit->leaf;
  }
  const Token token =
      verdict.token.value_or(lead != nullptr && !lead->tokens.empty() ? lead->tokens.front()
                             : trees.size() == 1                      ? trees.front()
                                                                      : Token::kNone);
  const index::CallTree* tree = index.TreeOf(token);
  if (tree != nullptr) NameByWeight(*tree, index.own(), &cause);
  const model::Message* message = index.MessageOf(token);
  if (verdict.message)
    cause.message = index::DispatchText(*verdict.message);
  else if (message != nullptr)
    cause.message = index::DispatchText(index.DispatchFor(*message));
  return cause;
}

CauseNames Completed(CauseNames judged, const std::string& method, const std::string& message) {
  if (judged.method.empty()) judged.method = method;
  // A stack in Matrix's form does not name its message.
  const bool is_named = !judged.message.empty() && judged.message != "unidentified message";
  if (!is_named || message.starts_with("frozen frame")) judged.message = message;
  return judged;
}

}  // namespace stillframe::fleet
