// SPDX-License-Identifier: Apache-2.0
// A dump's messages, trace trees and call trees by token. Built once, for judge, renderers and
// exports. It holds facts only, no blame.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "src/model/document.h"
#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/outside.h"

namespace stillframe::index {

// `slow_ns` if the dump does not record it.
constexpr int64_t kSlowNs = 50'000'000;
// Shorter messages may be slow, but a person does not notice them.
constexpr int64_t kNotableNs = 300'000'000;

// The dump was made from another tool's file.
bool IsImported(const model::Document& document);
// Its trees are calls that another tool recorded, with their times: not samples.
constexpr const char* kRecordedCalls = "imported from recorded calls";
bool HasRecordedCalls(const model::Document& document);

class DumpIndex {
 public:
  // `document` must outlive the index, with clean texts (clean_document.h).
  explicit DumpIndex(const model::Document& document,
                     const std::vector<std::string>& packages = {});
  DumpIndex(const DumpIndex&) = delete;
  DumpIndex& operator=(const DumpIndex&) = delete;

  const model::Document& document() const { return *document_; }
  // Null without a tree for this token.
  const index::CallTree* TreeOf(Token token) const;
  const model::TraceTree* TraceOf(Token token) const;
  // The tree with its native frames, which the two above lack, because methods determine the blame.
  const model::TraceTree* MixedTraceOf(Token token) const;
  // Substitutes for messages whose tree exists but whose record is missing (damaged, or evicted
  // from the history). Their start is unknown.
  const std::map<Token, model::Message>& orphans() const { return orphans_; }
  // Null without a message or tree for this token. Prefers the running message.
  const model::Message* MessageOf(Token token) const;
  bool IsRunning(const model::Message& message) const;
  // The system's messages to the main thread that are not slow, but long enough for a record.
  std::vector<model::Message> ShortSystemMessages() const;
  Dispatch DispatchFor(const model::Message& message) const;
  // Tokens that have a tree: `first` if it has one, then newest to oldest.
  std::vector<Token> TreeTokens(std::optional<Token> first = std::nullopt) const;
  // The sampler worked at the dump. True for imports, which do not record it.
  bool IsSamplerOn() const;
  // It holds no messages, only the stacks of one moment, the main thread's first.
  bool IsOneLook() const;
  const OwnCode& own() const { return own_; }
  // Messages of at least this length are slow: the process's setting, else kSlowNs.
  int64_t slow_ns() const { return slow_ns_; }

 private:
  const model::Document* document_;
  OwnCode own_;
  int64_t slow_ns_;
  std::map<Token, index::CallTree> trees_;
  std::map<Token, const model::TraceTree*> traces_;
  std::list<model::TraceTree> managed_;  // trees with native frames, without these frames
  std::map<Token, const model::Message*> messages_;
  std::map<Token, model::Message> orphans_;
};

}  // namespace stillframe::index
