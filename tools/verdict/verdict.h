// Whose fault it was, in one sentence, with the evidence.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/dump/document.h"
#include "tools/calltree/call_tree.h"
#include "tools/verdict/culprit.h"
#include "tools/verdict/dispatch.h"

namespace stillframe::verdict {

// Values are written out by `inspect --json`; the names are in KindName().
enum class Kind : uint8_t {
  kNothingSlow,  // no slow message is in the dump
  kNoSamples,    // a slow message, but nobody looked at what it did
  kMethod,       // a method held the main thread
  kStandstill,   // a method waited, slept or was blocked
  kSpread,       // the time went to many methods
};

struct Verdict {
  Kind kind = Kind::kNothingSlow;
  std::string sentence;               // clean text, one sentence
  std::vector<std::string> evidence;  // one sentence each
  std::optional<uint64_t> token;      // the message it is about
  std::optional<Culprit> culprit;
};

std::string_view KindName(Kind kind);

// The messages of a document and their merged trees, once for all renderers.
class Case {
 public:
  // `document` must outlive the case.
  explicit Case(const dump::Document& document);
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  const dump::Document& document() const { return *document_; }
  // Null when there is no tree with this token.
  const calltree::CallTree* TreeOf(uint64_t token) const;
  const trace::TraceTree* TraceOf(uint64_t token) const;
  // Stand-ins for the messages of trees whose own record is missing: damaged, or pushed out of the
  // history. Their start is not known.
  const std::map<uint64_t, dump::Message>& orphans() const { return orphans_; }
  // Null when there is neither message nor tree with this token; the running message goes first.
  const dump::Message* MessageOf(uint64_t token) const;
  bool IsRunning(const dump::Message& message) const;
  Dispatch DispatchFor(const dump::Message& message) const;
  // Tokens that have a tree, the one of the verdict first, then from the newest to the oldest.
  std::vector<uint64_t> TreeTokens() const;
  const Verdict& verdict() const { return verdict_; }

 private:
  const dump::Document* document_;
  std::map<uint64_t, calltree::CallTree> trees_;
  std::map<uint64_t, const trace::TraceTree*> traces_;
  std::map<uint64_t, const dump::Message*> messages_;
  std::map<uint64_t, dump::Message> orphans_;
  Verdict verdict_;
};

// The verdict on a case whose messages and trees are there.
Verdict Judge(const Case& evidence);

}  // namespace stillframe::verdict
