// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/words/contributor_text.h"

#include <fmt/format.h>

#include <string_view>

#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/judge/culprit.h"

namespace stillframe::words {
namespace {

using fmt::format;
using index::Counted;
using index::Grouped;
using index::Seconds;
using index::Share;
using judge::Cause;
using judge::Contributor;
using judge::Culprit;
using judge::Thread;
using judge::Verdict;
using judge::Waiter;
using model::ThreadState;

}  // namespace

std::string MessageName(const index::Dispatch& dispatch) {
  const std::string_view nested = dispatch.is_nested ? "nested " : "";
  if (dispatch.system_name.empty()) return format("{}{}", nested, index::DispatchText(dispatch));
  return dispatch.component.empty()
             ? format("{}{}", nested, dispatch.system_name)
             : format("{}{} of {}", nested, dispatch.system_name, dispatch.component);
}

bool IsInLeaf(const Culprit& culprit) { return culprit.leaf != culprit.method; }

bool IsWorkCause(Cause cause) { return cause == Cause::kWork || cause == Cause::kStill; }

std::string Where(const Culprit& culprit, Cause cause) {
  if (!IsInLeaf(culprit)) return judge::MethodAt(culprit.method, culprit.place);
  return IsWorkCause(cause) ? format("{}, mostly in {}", culprit.method, culprit.leaf)
                            : format("{}, called from {}", culprit.leaf,
                                     judge::MethodAt(culprit.method, culprit.place));
}

std::string Doing(const Contributor& contributor) {
  switch (contributor.cause) {
    case Cause::kSleep: return "sleeping";
    case Cause::kWait:
      return contributor.state == ThreadState::kWaitingForClass ||
                     contributor.state == ThreadState::kWaitingForLibrary
                 ? std::string(index::TextOf(contributor.state))
                 : "waiting";
    case Cause::kLock:
      return contributor.owner.is_known()
                 ? format("blocked on a lock held by {}", ThreadText(contributor.owner))
                 : "blocked on a lock";
    case Cause::kBinder: return "binder call";
    case Cause::kInputOutput: return "I/O";
    case Cause::kMemory: return "page faults";
    case Cause::kStill:
      return contributor.lost_stacks ? "waiting (no stacks kept)" : "idle (reason unknown)";
    case Cause::kRuntime:
      return contributor.state == ThreadState::kWaitingForGc ||
                     contributor.state == ThreadState::kCollecting
                 ? std::string(index::TextOf(contributor.state))
                 : "waiting for the runtime (garbage collector, most likely)";
    case Cause::kNoCpu: return "runnable, waiting for a CPU";
    case Cause::kFrozen: return "process frozen";
    case Cause::kOutside: return "outside messages (idle handlers, input, native callbacks)";
    case Cause::kBarrier: return "sync barrier at the front of the queue";
    case Cause::kUnseen: return "not recorded";
    case Cause::kQuick: return "short messages";
    case Cause::kWork: break;
  }
  return "";
}

bool IsSystemWide(Cause cause) {
  return cause == Cause::kNoCpu || cause == Cause::kFrozen || cause == Cause::kRuntime;
}

std::string QuickText(const Contributor& contributor) {
  const std::string count = Counted(contributor.messages, "short message");
  return contributor.message
             ? format("{}, most of them {}", count, MessageName(*contributor.message))
             : count;
}

std::string Brief(const Contributor& contributor, bool is_same) {
  if (contributor.cause == Cause::kQuick) return QuickText(contributor);
  std::string doing = Doing(contributor);
  const bool names_owner = contributor.cause == Cause::kLock && contributor.owner.is_known();
  if (!contributor.message || IsSystemWide(contributor.cause) || names_owner) return doing;
  const std::string message = MessageName(*contributor.message);
  const bool is_half = contributor.stacks_us * 2'000 >= contributor.ns;
  if (!contributor.place || !is_half)
    return doing.empty() ? message : format("{} in {}", doing, message);
  return format("{}{}{}{}", doing, doing.empty() ? "" : " in ", contributor.place->method,
                is_same ? "" : format(" ({})", message));
}

std::string WithArticle(model::SegmentKind kind) {
  const std::string_view text = index::TextOf(kind);
  const bool has_none = text.starts_with("code ") || text.starts_with("the ");
  return format("{}{}", has_none ? "" : text[0] == 'i' || text[0] == 'u' ? "an " : "a ", text);
}

const Contributor* OwnPart(const Verdict& verdict) {
  constexpr uint64_t kLongNs = 1'000'000'000;
  for (const Contributor& row : verdict.contributors) {
    const bool is_own = row.message && !IsSystemWide(row.cause) && row.cause != Cause::kUnseen;
    if (is_own)
      return row.ns >= kLongNs || row.ns * 100 >= verdict.window_ns * kWorthNamingPercent ? &row
                                                                                          : nullptr;
  }
  return nullptr;
}

namespace {

std::string MessagesText(const Contributor& contributor) {
  const std::string name = MessageName(*contributor.message);
  if (!contributor.has_ended) return name + " (running)";
  return contributor.messages <= 1 ? name : format("{} × {}", Grouped(contributor.messages), name);
}

std::string BesidesText(const Contributor& contributor, uint64_t window_ns) {
  const Culprit& culprit = *contributor.place;
  std::string text;
  for (const auto& [name, us] : culprit.besides.empty() ? culprit.callees : culprit.besides)
    if (us * 100 >= contributor.stacks_us * kWorthNamingPercent)
      text += format("{} {} ({})", text.empty() && culprit.besides.empty() ? ", including" : ",",
                     name, Share(us * 1000, window_ns));
  return text;
}

}  // namespace

std::string SpentText(const judge::evidence::Spent& spent) {
  const std::string all = index::Seconds(spent.time.of_ns);
  std::string part = index::Seconds(spent.time.ns);
  // The unit is said once.
  const std::string_view unit = std::string_view(all).substr(all.rfind(' '));
  if (part.ends_with(unit)) part.resize(part.size() - unit.size());
  return fmt::format("{} of {}", part, all);
}

std::string NameOrId(const Thread& thread) {
  return thread.name.empty() && thread.tid != 0 ? std::to_string(thread.tid) : thread.name;
}

std::string ThreadText(const Thread& thread) {
  if (thread.tid == 0) return thread.name.empty() ? "" : "thread " + thread.name;
  return thread.name.empty() ? format("thread {}", thread.tid)
                             : format("thread {} (tid {})", thread.name, thread.tid);
}

std::string WaitsFor(const Waiter& waiter) {
  const std::string_view text = index::TextOf(waiter.wait);
  const size_t bar = text.find('|');
  if (waiter.wait_class.empty()) return std::string(text.substr(bar + 1));
  return format(fmt::runtime(text.substr(0, bar)), waiter.wait_class);
}

std::string Label(const Contributor& contributor, uint64_t window_ns) {
  if (contributor.folded > 0) return Counted(contributor.folded, "further message");
  if (contributor.cause == Cause::kQuick) return QuickText(contributor);
  std::string doing = Doing(contributor);
  if (!contributor.message || contributor.cause == Cause::kNoCpu ||
      contributor.cause == Cause::kFrozen)
    return doing;
  std::string text = contributor.cause == Cause::kRuntime ? "" : MessagesText(contributor);
  if (!doing.empty()) text += (text.empty() ? "" : ": ") + doing;
  if (!contributor.place) return text;
  const std::string where =
      Where(*contributor.place, contributor.cause) + BesidesText(contributor, window_ns);
  const bool is_half = contributor.stacks_us * 2'000 >= contributor.ns;
  return doing.empty() && is_half ? format("{}: {}", text, where)
         : is_half
             ? format("{} in {}", text, where)
             : format("{} ({} of it in {})", text, Seconds(contributor.stacks_us * 1000), where);
}

}  // namespace stillframe::words
