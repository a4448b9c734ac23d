// SPDX-License-Identifier: Apache-2.0
// A dump's messages, trace trees and call trees by token: made once, read by rules, renderers and
// exports. It holds facts only; who is to blame is judged from it, elsewhere.
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

// What `slow_ns` is when the dump does not say.
constexpr int64_t kSlowNs = 50'000'000;
// Below this, a message may be slow but is nothing that a person notices.
constexpr int64_t kNotableNs = 300'000'000;

class DumpIndex {
 public:
  // `document` must outlive the index, and its texts be clean (text/clean_document.h).
  // `packages` are the application's, see OwnCode.
  explicit DumpIndex(const model::Document& document,
                     const std::vector<std::string>& packages = {});
  DumpIndex(const DumpIndex&) = delete;
  DumpIndex& operator=(const DumpIndex&) = delete;

  const model::Document& document() const { return *document_; }
  // Null when there is no tree with this token.
  const index::CallTree* TreeOf(Token token) const;
  const model::TraceTree* TraceOf(Token token) const;
  // With its native frames, which the two above lack: who is to blame is told by methods.
  const model::TraceTree* MixedTraceOf(Token token) const;
  // Stand-ins for the messages of trees whose own record is missing: damaged, or pushed out of the
  // history. Their start is not known.
  const std::map<Token, model::Message>& orphans() const { return orphans_; }
  // Null when there is neither message nor tree with this token; the running message goes first.
  const model::Message* MessageOf(Token token) const;
  bool IsRunning(const model::Message& message) const;
  Dispatch DispatchFor(const model::Message& message) const;
  // Tokens that have a tree: `first` if it has one, then from the newest to the oldest.
  std::vector<Token> TreeTokens(std::optional<Token> first = std::nullopt) const;
  // The sampler worked when the dump was taken; imports do not say and count as such.
  bool IsSamplerOn() const;
  const OwnCode& own() const { return own_; }
  // From here on a message is slow: as the process was set, see kSlowNs.
  int64_t slow_ns() const { return slow_ns_; }

 private:
  const model::Document* document_;
  OwnCode own_;
  int64_t slow_ns_;
  std::map<Token, index::CallTree> trees_;
  std::map<Token, const model::TraceTree*> traces_;
  std::list<model::TraceTree> managed_;  // of the trees with native frames, without them
  std::map<Token, const model::Message*> messages_;
  std::map<Token, model::Message> orphans_;
};

}  // namespace stillframe::index
