// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/rules/holder_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/rules/lock_owner.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::rules {
namespace {

using calltree::DurationUs;
using index::DumpIndex;
using model::Message;
using verdict::Verdict;

// The names of those that held monitors, each once.
void AddHolders(const Message& message, Verdict* verdict) {
  for (const model::LockWait& wait : message.lock_waits) {
    std::string name = text::Truncated(wait.owner, 100);
    if (!name.empty() && std::ranges::find(verdict->threads, name) == verdict->threads.end())
      verdict->threads.push_back(std::move(name));
  }
}

// Whether who held the monitor for the longest time is known to hold it at the dump.
bool StillHolds(const DumpIndex& index, const Message& message, const LockOwner& owner,
                const verdict::WaitChain& at_dump) {
  if (!index.IsRunning(message)) return false;
  if (at_dump.threads.size() > 1) return owner.tid == 0 || owner.tid == at_dump.threads[1].tid;
  const trace::TraceTree* trace = index.TraceOf(message.token);
  return trace == nullptr || trace->empty() ||
         trace->samples().back().state == trace::ThreadState::kBlocked;
}

// As the dump's stretches name the thread that held the monitor at the dump; "" when none does.
std::string NameInStretches(const Message& message, const verdict::Waiter& holder) {
  const auto known = std::ranges::find(message.lock_waits, holder.tid, &model::LockWait::owner_tid);
  return known == message.lock_waits.end() ? "" : OwnerText(known->owner, known->owner_tid);
}

// "monitors that thread db-writer (tid 4720) held for 1,200 ms and thread cache (tid 4721), who
// holds one at the dump, for 800 ms,"; "" when one had all of the time, or nobody is known.
std::string HoldersText(const Message& message, const std::vector<MessagePart>& holders,
                        const verdict::Waiter* at_dump) {
  constexpr size_t kMostNamed = 3;
  constexpr uint64_t kLeastNs = 15'000'000;  // shorter ones may be one sample's
  const std::string last = at_dump == nullptr ? "" : NameInStretches(message, *at_dump);
  std::vector<const MessagePart*> named;
  uint64_t named_ns = 0;
  uint64_t whole_ns = 0;
  for (const MessagePart& holder : holders) {
    whole_ns += holder.ns;
    if (holder.whose.empty() || (holder.ns < kLeastNs && holder.whose != last)) continue;
    named.push_back(&holder);
    named_ns += holder.ns;
  }
  const bool is_one = named.size() == 1 && named_ns * 10 >= whole_ns * 9;
  if (message.lock_waits.empty() || named.empty() ||
      (is_one && (at_dump == nullptr || !last.empty())))
    return {};
  const size_t told = std::min(named.size(), kMostNamed);
  // Of several it is not known that they held the same one.
  std::string text = named.size() == 1 ? "a monitor that " : "monitors that ";
  for (size_t i = 0; i < told; ++i) {
    const bool is_last = i + 1 == told && named.size() == told;
    text +=
        fmt::format("{}{}{} {}for {}",
                    i == 0    ? ""
                    : is_last ? " and "
                              : ", ",
                    named[i]->whose,
                    !last.empty() && named[i]->whose == last ? ", who holds one at the dump," : "",
                    i == 0 ? "held " : "", DurationUs(named[i]->ns / 1000));
  }
  if (named.size() > told)
    text += fmt::format(" and {}", calltree::Counted(named.size() - told, "other"));
  if (at_dump != nullptr && last.empty())
    text += fmt::format(", and {} at the dump", OwnerText(at_dump->thread, at_dump->tid));
  return text + ",";
}

}  // namespace

std::string HolderText(const DumpIndex& index, const Message& message,
                       const std::vector<MessagePart>& holders, const verdict::WaitChain& at_dump,
                       Verdict* verdict) {
  LockOwner owner = {text::Truncated(message.lock_owner, 100), message.lock_owner_tid, "", ""};
  const verdict::Waiter* holder =
      at_dump.threads.size() > 1 && at_dump.threads[0].wait == model::WaitKind::kMonitor
          ? &at_dump.threads[1]
          : nullptr;
  AddHolders(message, verdict);
  std::string several = HoldersText(message, holders, holder);
  if (!several.empty()) return several;
  if (verdict->chain.threads.size() > 1 && owner.thread.empty() && owner.tid == 0)
    owner = {verdict->chain.threads[1].thread, verdict->chain.threads[1].tid, "", ""};
  if (owner.thread.empty() && index.IsRunning(message) && index.document().signal_catcher)
    owner = FindLockOwner(index.document().signal_catcher->text);
  if (owner.thread.empty() && owner.tid == 0) return "a monitor";
  const bool is_listed =
      std::ranges::find(verdict->threads, owner.thread) != verdict->threads.end();
  if (!owner.thread.empty() && !is_listed) verdict->threads.push_back(owner.thread);
  if (!owner.frame.empty()) {
    verdict->evidence.push_back(
        fmt::format("Thread {} holds the monitor, in {}.", owner.thread, owner.frame));
  }
  if (!owner.caller.empty())
    verdict->evidence.push_back(fmt::format("It was called from {}.", owner.caller));
  const std::string text = OwnerText(owner.thread, owner.tid);
  return holder == nullptr || owner.tid == 0 || owner.tid == holder->tid
             ? fmt::format("a monitor that {} {},", text,
                           StillHolds(index, message, owner, at_dump) ? "holds" : "held")
             : fmt::format("a monitor that {} held for the longest time and {} at the dump,", text,
                           OwnerText(holder->thread, holder->tid));
}

}  // namespace stillframe::rules
