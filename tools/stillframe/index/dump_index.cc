// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/dump_index.h"

#include <algorithm>
#include <cstdint>

#include "tools/stillframe/index/call_tree.h"

namespace stillframe::index {
namespace {

using model::Message;

int64_t SlowNs(const model::Document& document) {
  return document.slow_ns == 0
             ? kSlowNs
             : static_cast<int64_t>(std::min<uint64_t>(document.slow_ns, INT64_MAX));
}

}  // namespace

bool HasRecordedCalls(const model::Document& document) {
  return document.identity.sampler_state == kRecordedCalls;
}

bool IsImported(const model::Document& document) {
  return document.identity.sampler_state.starts_with("imported ");
}

DumpIndex::DumpIndex(const model::Document& document, const std::vector<std::string>& packages)
    : document_(&document), own_(document, packages), slow_ns_(SlowNs(document)) {
  for (const model::TraceTree& tree : document.trees) {
    const model::TraceTree* managed = &tree;
    if (index::HasNativeFrames(document.frames, tree))
      managed = &managed_.emplace_back(index::WithoutNativeFrames(document.frames, tree));
    trees_.try_emplace(tree.token(), document.frames, *managed);
    traces_.try_emplace(tree.token(), managed);
  }
  if (document.running) messages_.try_emplace(document.running->token, &*document.running);
  for (const Message& message : document.history) messages_.try_emplace(message.token, &message);
  for (const model::Looper& looper : document.loopers)
    if (looper.running) messages_.try_emplace(looper.running->token, &*looper.running);
  for (const auto& [token, tree] : trees_) {
    if (messages_.count(token) == 0) {
      Message& orphan = orphans_[token];
      orphan.token = token;
      orphan.wall_ns = static_cast<int64_t>(tree.root().total_us) * 1000;
      orphan.samples = tree.root().samples;
      orphan.flags = model::kMessageIdentityUnknown | model::kMessageHasTree;
      messages_[token] = &orphan;
    }
  }
}

const index::CallTree* DumpIndex::TreeOf(Token token) const {
  const auto entry = trees_.find(token);
  return entry == trees_.end() ? nullptr : &entry->second;
}

const model::TraceTree* DumpIndex::TraceOf(Token token) const {
  const auto entry = traces_.find(token);
  return entry == traces_.end() ? nullptr : entry->second;
}

const model::TraceTree* DumpIndex::MixedTraceOf(Token token) const {
  const auto tree = std::find_if(document_->trees.begin(), document_->trees.end(),
                                 [token](const auto& each) { return each.token() == token; });
  return tree == document_->trees.end() ? nullptr : &*tree;
}

const Message* DumpIndex::MessageOf(Token token) const {
  const auto entry = messages_.find(token);
  return entry == messages_.end() ? nullptr : entry->second;
}

bool DumpIndex::IsRunning(const Message& message) const {
  return document_->running && document_->running->token == message.token;
}

std::vector<Message> DumpIndex::ShortSystemMessages() const {
  std::vector<Message> messages;
  for (const model::HistoryRecord& record : document_->records) {
    const bool is_slow = messages_.contains(record.token) ||
                         record.wall_ns >= static_cast<uint64_t>(std::max<int64_t>(slow_ns_, 0));
    if (record.kind != model::SpanKind::kSystem || record.looper != 0 || is_slow) continue;
    Message message;
    message.token = record.token;
    message.start_ns = record.start_ns;
    message.wait_ns = model::kTimeUnknown;
    message.wall_ns = static_cast<int64_t>(std::min<uint64_t>(record.wall_ns, INT64_MAX));
    message.cpu_ns = record.cpu_ns;
    message.what = record.what;
    message.target = record.target;
    message.callback = record.callback;
    message.system_name = record.system_name;
    messages.push_back(std::move(message));
  }
  return messages;
}

Dispatch DumpIndex::DispatchFor(const Message& message) const {
  return DispatchOf(message, TreeOf(message.token));
}

std::vector<Token> DumpIndex::TreeTokens(std::optional<Token> first) const {
  std::vector<Token> tokens;
  for (auto entry = trees_.rbegin(); entry != trees_.rend(); ++entry)
    tokens.push_back(entry->first);
  std::stable_partition(tokens.begin(), tokens.end(),
                        [first](Token token) { return first == token; });
  return tokens;
}

bool DumpIndex::IsSamplerOn() const {
  const std::string& state = document_->identity.sampler_state;
  return IsImported(*document_) || state == "on" || state.starts_with("on, ") || state.empty();
}

bool DumpIndex::IsOneLook() const {
  const model::Document& document = *document_;
  return IsImported(document) && !document.running && document.history.empty() &&
         document.trees.empty() && document.records.empty() && document.thread_stacks &&
         !document.thread_stacks->stacks.empty();
}

}  // namespace stillframe::index
