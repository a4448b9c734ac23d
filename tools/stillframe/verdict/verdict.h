// Whose fault it was, in one sentence, with the evidence.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/calltree/call_tree.h"
#include "tools/stillframe/verdict/culprit.h"
#include "tools/stillframe/verdict/dispatch.h"

namespace stillframe::verdict {

// Values are written out by `inspect --json`; the names are in KindName().
enum class Kind : uint8_t {
  kNothingSlow,    // nothing held the main thread for long: a healthy program
  kNotEnoughData,  // something was late, and what was recorded does not say why
  kNoSamples,      // a slow message, but nobody looked at what it did
  kMethod,         // a method held the main thread
  kStandstill,     // a method waited or slept
  kBlocked,        // a method was blocked on a monitor
  kBinderCall,     // another process was asked and did not answer
  kInputOutput,    // a file, a database or a socket
  kSpread,         // the time went to many methods
  kEarlier,        // messages that had ended ate the time of the one that waits
  kFlood,          // too many messages of one kind wait
  kLeakedBarrier,  // a synchronization barrier that nobody removes
  kStarved,        // the main thread was ready to run and got no CPU
  kShortOfMemory,  // the system had no memory
  kProcessFrozen,  // the process was not run at all
};

enum class Confidence : uint8_t { kLow, kMedium, kHigh };

struct Verdict {
  Kind kind = Kind::kNothingSlow;
  Confidence confidence = Confidence::kHigh;
  std::string sentence;               // clean text, one sentence
  std::vector<std::string> evidence;  // one sentence each
  std::optional<uint64_t> token;      // the message it is about
  std::vector<uint64_t> tokens;       // all messages to blame, the costliest first
  std::vector<std::string> threads;   // other threads to blame, clean text
  std::optional<Culprit> culprit;
};

std::string_view KindName(Kind kind);

// "low", "medium", "high"
std::string_view ConfidenceName(Confidence confidence);

// The messages of a document and their merged trees, once for all renderers.
class Case {
 public:
  // `document` must outlive the case.
  explicit Case(const model::Document& document);
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  const model::Document& document() const { return *document_; }
  // Null when there is no tree with this token.
  const calltree::CallTree* TreeOf(uint64_t token) const;
  const trace::TraceTree* TraceOf(uint64_t token) const;
  // Stand-ins for the messages of trees whose own record is missing: damaged, or pushed out of the
  // history. Their start is not known.
  const std::map<uint64_t, model::Message>& orphans() const { return orphans_; }
  // Null when there is neither message nor tree with this token; the running message goes first.
  const model::Message* MessageOf(uint64_t token) const;
  bool IsRunning(const model::Message& message) const;
  Dispatch DispatchFor(const model::Message& message) const;
  // Tokens that have a tree, the one of the verdict first, then from the newest to the oldest.
  std::vector<uint64_t> TreeTokens() const;
  const Verdict& verdict() const { return verdict_; }

 private:
  const model::Document* document_;
  std::map<uint64_t, calltree::CallTree> trees_;
  std::map<uint64_t, const trace::TraceTree*> traces_;
  std::map<uint64_t, const model::Message*> messages_;
  std::map<uint64_t, model::Message> orphans_;
  Verdict verdict_;
};

// The verdict on a case whose messages and trees are there: the first rule that holds. The rules,
// in this order:
//   1. no Looper was watched: not enough data
//   2. the process did not run for half of the time in question: it was frozen
//   3. the front of the queue is a barrier, for longer than messages explain: leaked
//   4. the main thread was slow without computing, and the system reports pressure on memory
//   5. two thirds of the time of slow messages it was ready to run without a CPU: starved. With
//   less
//      it had time to compute, and who computed is judged below
//   6. the running message holds half of the time that the latest message waits, or at least 1 s
//      and nobody waits: judged by its samples
//   7. most of the late messages are of one kind, and many: flooded
//   8. messages that ended hold a third of the waiting time, and more than the running one: earlier
//   9. the longest slow message, judged by its samples
//  10. a message waits for 1 s or more and none of this holds: not enough data
//  11. nothing slow
// The time in question is the time that the latest message of the queue has been due; if none is
// late, the longest message.
Verdict Judge(const Case& evidence);

}  // namespace stillframe::verdict
