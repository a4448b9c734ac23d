// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/rules/contributor_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/rules/culprit.h"

namespace stillframe::rules {
namespace {

using trace::ThreadState;
using verdict::Cause;

constexpr uint64_t kBesidesPercent = 20;
// Of a contribution's time, with stacks.
constexpr uint64_t kMostPercent = 50;
constexpr uint64_t kNotablePercent = 20;

// " and app.B.b (40 %)": what else it was in, of several messages with one name each its own.
std::string Besides(const verdict::Culprit& culprit, uint64_t whole_us) {
  const auto& others = culprit.besides.empty() ? culprit.callees : culprit.besides;
  std::string text;
  for (const auto& [name, us] : others) {
    if (us * 100 < whole_us * kBesidesPercent) continue;
    const char* joint = !text.empty() || &others == &culprit.besides ? " and " : ", there ";
    text += fmt::format("{}{} ({})", joint, name, calltree::Share(us, whole_us));
  }
  return text;
}

std::string MessageText(const index::DumpIndex& index, const Contribution& entry,
                        uint64_t messages) {
  index::Dispatch dispatch = index.DispatchFor(*entry.message);
  const bool is_handler = dispatch.segment == model::Segment::kIdleHandler &&
                          entry.told.cause != Cause::kLock && !entry.whose.empty();
  if (is_handler) dispatch.callback = entry.whose;
  const bool has_ended =
      is_handler && entry.whose != index::NewestIdleHandler(index.document().frames,
                                                            index.TraceOf(entry.message->token));
  const bool is_message = dispatch.segment == model::Segment::kNone;
  const std::string subject = index::SubjectText(dispatch);
  if (index.IsRunning(*entry.message) && !has_ended) return fmt::format("the running {}", subject);
  if (messages == 1) return fmt::format("the ended {} (token {})", subject, entry.message->token);
  return is_message ? fmt::format("{} ended messages {}", calltree::Grouped(messages),
                                  index::DispatchText(dispatch))
                    : fmt::format("{} times {}", calltree::Grouped(messages), subject);
}

// Stacks of a small part say nothing about the rest.
bool IsCovered(const Contribution& entry, uint64_t percent) {
  return entry.tree && entry.tree->root().total_us > 0 &&
         entry.tree->root().total_us * 100'000 >= entry.told.ns * percent;
}

std::string WhereInStacks(const index::DumpIndex& index, const Contribution& entry) {
  const bool is_nested = (entry.message->flags & model::kMessageNested) != 0;
  const auto culprit =
      FindCulprit(*entry.tree, index.own(), is_nested, IsOutside(entry.told.cause));
  if (!culprit) return {};
  const std::string method = fmt::format("{} ({})", culprit->method, culprit->place);
  const bool names_leaf = culprit->leaf != culprit->method && entry.told.cause != Cause::kWork;
  return (names_leaf ? fmt::format("{} called from {}", culprit->leaf, method) : method) +
         Besides(*culprit, entry.tree->root().total_us);
}

// " in app.Feed.parse (Feed.java:9)"; of messages most of which kept no stacks, for how much of it.
std::string WorkPlace(const index::DumpIndex& index, const Contribution& entry) {
  if (const std::string where = Where(index, entry); !where.empty()) return " in " + where;
  const std::string where =
      IsCovered(entry, kNotablePercent) ? WhereInStacks(index, entry) : std::string();
  return where.empty() ? ""
                       : fmt::format(" ({} of it in {})",
                                     calltree::DurationUs(entry.tree->root().total_us), where);
}

// "sleeping in X, within the running message Y"
std::string Doing(std::string_view what, const index::DumpIndex& index, const Contribution& entry,
                  uint64_t messages) {
  const std::string where = Where(index, entry);
  return fmt::format("{}{}{}, within {}", what, where.empty() ? "" : " in ", where,
                     MessageText(index, entry, messages));
}

// What the thread mostly did by the runtime's own account, where it is one of `told`; else "".
std::string_view StateIn(const Contribution& entry, std::initializer_list<ThreadState> told) {
  if (!IsCovered(entry, kMostPercent)) return {};
  const ThreadState state = calltree::DominantState(entry.tree->root().state_us);
  return std::ranges::find(told, state) == told.end() ? std::string_view()
                                                      : calltree::StateText(state);
}

std::string_view WaitingText(const Contribution& entry) {
  const std::string_view state =
      StateIn(entry, {ThreadState::kWaitingForClass, ThreadState::kWaitingForLibrary});
  return state.empty() ? "waiting" : state;
}

}  // namespace

std::string_view CollectorText(const Contribution& entry) {
  return StateIn(entry, {ThreadState::kWaitingForGc, ThreadState::kCollecting});
}

std::string Where(const index::DumpIndex& index, const Contribution& entry) {
  return IsCovered(entry, kMostPercent) ? WhereInStacks(index, entry) : "";
}

std::string ContributionText(const index::DumpIndex& index, const Contribution& entry,
                             uint64_t messages) {
  switch (entry.told.cause) {
    case Cause::kWork: return MessageText(index, entry, messages) + WorkPlace(index, entry);
    case Cause::kSleep: return Doing("sleeping", index, entry, messages);
    case Cause::kWait: return Doing(WaitingText(entry), index, entry, messages);
    case Cause::kBinder: return Doing("a binder call", index, entry, messages);
    case Cause::kInputOutput: return Doing("input or output", index, entry, messages);
    case Cause::kLock: {
      const std::string& owner = entry.whose;
      return Doing(owner.empty() ? "being blocked on a monitor"
                                 : fmt::format("being blocked on a monitor of {}", owner),
                   index, entry, messages);
    }
    case Cause::kStill: {
      const std::string where = Where(index, entry);
      const bool was_dropped =
          entry.message->samples > 0 && index.TraceOf(entry.message->token) == nullptr;
      return fmt::format("standing still{}{}{} within {}",
                         was_dropped ? " or waiting, stacks of which were not kept,"
                                     : ", for a reason that nobody saw,",
                         where.empty() ? "" : " in " + where, where.empty() ? "" : ",",
                         MessageText(index, entry, messages));
    }
    case Cause::kRuntime: {
      const std::string where = Where(index, entry);
      const std::string_view state = CollectorText(entry);
      return std::string(state.empty()
                             ? "waiting for the runtime, most likely its garbage collector"
                             : state) +
             (where.empty() ? "" : ", mostly in " + where);
    }
    case Cause::kNoCpu: return "being ready to run without a CPU";
    case Cause::kFrozen: return "the process being frozen";
    case Cause::kOutside:
      return "what the main thread did outside messages (the loop's own code, idle handlers, "
             "input, "
             "native callbacks)";
    case Cause::kBarrier: return "a synchronization barrier at the front of the queue";
    case Cause::kUnseen: return "what nobody recorded";
    case Cause::kQuick: break;
  }
  return "quick messages";
}

std::string QuickText(const model::HistoryRecord& last, uint64_t messages) {
  model::PendingMessage message;
  message.target = last.target;
  message.callback = last.callback;
  message.what = last.what;
  message.system_name = last.system_name;
  if (last.target.empty() && last.callback.empty())
    return calltree::Counted(messages, "quick message");
  const std::string dispatch = index::PendingDispatch(message);
  return messages == 1 ? fmt::format("the quick message {}", dispatch)
                       : fmt::format("{} quick messages, among them {}",
                                     calltree::Grouped(messages), dispatch);
}

}  // namespace stillframe::rules
