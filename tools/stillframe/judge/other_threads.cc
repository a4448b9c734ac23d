// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/other_threads.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/judge/culprit.h"
#include "tools/stillframe/judge/lock_owner.h"

namespace stillframe::judge {
namespace {

using model::OtherThread;
using model::ThreadRole;

constexpr size_t kMostRows = 5;
constexpr int64_t kLongOnOthersNs = 1'000'000'000;  // a message of another Looper that hung

// The message whose wait is explained; kNone: there is none.
Token TokenOf(const Case& facts, const Verdict& verdict) {
  if (facts.lead.message != nullptr) return facts.lead.message->token;
  if (verdict.kind != Kind::kStarved) return Token::kNone;
  const model::Document& document = facts.index.document();
  if (document.running) return document.running->token;
  return document.other_threads.empty() ? Token::kNone : document.other_threads.back().during;
}

std::optional<evidence::Spent> SpentBy(const Case& facts, const OtherThread& row) {
  const model::Document& document = facts.index.document();
  const auto tree = std::ranges::find(document.thread_trees, row.tree, &model::TraceTree::token);
  if (tree == document.thread_trees.end() || row.tree == Token::kNone) return {};
  const index::CallTree calls(document.frames,
                              index::HasNativeFrames(document.frames, *tree)
                                  ? index::WithoutNativeFrames(document.frames, *tree)
                                  : *tree);
  const auto culprit =
      FindCulprit(calls, facts.index.own(), facts.ranking.helpers, /*is_nested=*/false, false);
  if (!culprit || calls.root().total_us == 0) return {};
  return evidence::Spent{.thread = OwnerOf(row.name, row.tid),
                         .frame = MethodAt(culprit->method, culprit->place),
                         .time = PartOfUs(culprit->held_us, calls.root().total_us)};
}

// The thread alone held the lock, and waited for no other.
bool IsOnlyHolder(const Verdict& verdict, uint32_t tid) {
  const WaitChain& chain = verdict.chain;
  const bool waits = chain.is_circle() || !chain.in_queue.empty() || chain.threads.size() > 2 ||
                     (chain.threads.size() == 2 && chain.threads[1].wait != model::WaitKind::kNone);
  return verdict.holders.size() == 1 && verdict.more_holders == 0 &&
         verdict.holders[0].tid == tid && !waits;
}

}  // namespace

void AddOtherThreads(const Case& facts, Verdict* verdict) {
  const bool is_starved = verdict->kind == Kind::kStarved;
  const Cause cause = facts.lead.contributor.cause;
  if (!is_starved && cause != Cause::kLock && cause != Cause::kWait) return;
  const Token token = TokenOf(facts, *verdict);
  if (token == Token::kNone) return;
  std::vector<const OtherThread*> rows;
  for (const OtherThread& row : facts.index.document().other_threads)
    if (row.during == token && (row.role == ThreadRole::kUsedCpu) == is_starved)
      rows.push_back(&row);
  std::ranges::stable_sort(rows, {}, [](const OtherThread* row) {
    return std::pair(row->role, UINT32_MAX - row->followed_us);
  });
  rows.resize(std::min(rows.size(), kMostRows));
  for (const OtherThread* row : rows) {
    std::optional<evidence::Spent> spent = SpentBy(facts, *row);
    if (!spent) {
      if (row->looks == 0 && !row->absent.empty())
        verdict->evidence.push_back(
            evidence::NotSeen{OwnerOf(row->name, row->tid), index::Truncated(row->absent, 100)});
      continue;
    }
    if (IsOnlyHolder(*verdict, row->tid) && spent->time.ns * 2 >= spent->time.of_ns)
      verdict->spent = *spent;
    verdict->evidence.push_back(std::move(*spent));
  }
}

void AddOtherLoopers(const index::DumpIndex& index, Verdict* verdict) {
  const model::Document& document = index.document();
  std::map<uint32_t, const model::Message*> longest;  // by Looper
  const auto consider = [&](const model::Message& message) {
    if (message.looper == 0 || message.looper >= document.loopers.size() ||
        message.wall_ns < kLongOnOthersNs)
      return;
    const model::Message*& known = longest[message.looper];
    if (known == nullptr || message.wall_ns > known->wall_ns) known = &message;
  };
  std::ranges::for_each(document.history, consider);
  for (const model::Looper& looper : document.loopers)
    if (looper.running) consider(*looper.running);
  std::vector<const model::Message*> rows;
  rows.reserve(longest.size());
  for (const auto& [looper, message] : longest) rows.push_back(message);
  std::ranges::stable_sort(rows, std::greater<>(), &model::Message::wall_ns);
  rows.resize(std::min(rows.size(), kMostRows));
  for (const model::Message* message : rows) {
    const model::Looper& looper = document.loopers[message->looper];
    const index::CallTree* tree = index.TreeOf(message->token);
    const auto culprit =
        tree == nullptr ? std::optional<Culprit>()
                        : FindCulprit(*tree, index.own(), Helpers(), /*is_nested=*/false, false);
    evidence::OtherLooper fact = {.thread = OwnerOf(looper.thread, looper.tid),
                                  .message_text = index::DispatchText(index.DispatchFor(*message)),
                                  .frame = culprit ? MethodAt(culprit->method, culprit->place) : "",
                                  .is_sampled = tree != nullptr || message->samples != 0,
                                  .took_ns = static_cast<uint64_t>(message->wall_ns)};
    if (verdict->kind == Kind::kNothingSlow) {
      if (!verdict->other_looper) verdict->other_looper = fact;
      verdict->is_main_known = document.loopers[0].messages != 0;
      verdict->threads.push_back(fact.thread.name);
    }
    verdict->evidence.push_back(std::move(fact));
  }
}

}  // namespace stillframe::judge
