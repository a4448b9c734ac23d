// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/thread_head.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "tools/stillframe/input/lines.h"

namespace stillframe::input {
namespace {

using model::ThreadState;

// Names of ART, Dalvik, java.lang.Thread.State and Crashlytics, without case and blanks.
constexpr std::array kStates = {
    std::pair{std::string_view("runnable"), ThreadState::kRunnable},
    std::pair{std::string_view("native"), ThreadState::kNative},
    std::pair{std::string_view("blocked"), ThreadState::kBlocked},
    std::pair{std::string_view("monitor"), ThreadState::kBlocked},
    std::pair{std::string_view("waiting"), ThreadState::kWaiting},
    std::pair{std::string_view("wait"), ThreadState::kWaiting},
    std::pair{std::string_view("timedwaiting"), ThreadState::kTimedWaiting},
    std::pair{std::string_view("timedwait"), ThreadState::kTimedWaiting},
    std::pair{std::string_view("sleeping"), ThreadState::kSleeping},
    std::pair{std::string_view("suspended"), ThreadState::kSuspended},
    std::pair{std::string_view("waitingforgctocomplete"), ThreadState::kWaitingForGc},
    std::pair{std::string_view("waitingweakgcrootread"), ThreadState::kWaitingForGc},
    std::pair{std::string_view("waitingforgcthreadflip"), ThreadState::kWaitingForGc},
    std::pair{std::string_view("vmwait"), ThreadState::kWaiting},  // any resource of Dalvik
    std::pair{std::string_view("waitingfordebuggertosend"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingfordebuggertoattach"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingfordebuggersuspension"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingforsignalcatcheroutput"), ThreadState::kWaiting},
    std::pair{std::string_view("waitinginmainsignalcatcherloop"), ThreadState::kWaiting},
    std::pair{std::string_view("waitinginmaindebuggerloop"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingformethodtracingstart"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingforvisitobjects"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingforgetobjectsallocated"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingfortaskprocessor"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingfordeoptimization"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingforcheckpointstorun"), ThreadState::kCollecting},
    std::pair{std::string_view("waitingperforminggc"), ThreadState::kCollecting},
    std::pair{std::string_view("waitingforjnionload"), ThreadState::kWaitingForLibrary},
};

bool IsKnownState(std::string_view text) {
  const ThreadState state = StateOfWord(text);
  return state != ThreadState::kUnknown && state != ThreadState::kOther;
}

// "main (blocked):tid=1 systid=9201 | waiting to lock <0x1> (a a.B) held by thread 12", as
// Crashlytics writes since 2024, or "main (blocked):".
bool ParseShortHead(std::string_view line, ThreadHead* head) {
  size_t mark = line.find("):tid=");
  if (mark == std::string_view::npos && line.ends_with("):")) mark = line.size() - 2;
  const size_t open = mark == std::string_view::npos ? mark : line.rfind(" (", mark);
  if (open == std::string_view::npos || open == 0) return false;
  const std::string_view rest = line.substr(mark + 2);
  head->state = line.substr(open + 2, mark - open - 2);
  if (!rest.starts_with("tid=") && (!rest.empty() || !IsKnownState(head->state))) return false;
  head->name = line.substr(0, open);
  head->number = NumberAfter(rest, "tid=");
  head->sys_tid = NumberAfter(rest, " systid=");
  head->wait = Trimmed(After(rest, " | "));
  return true;
}

// "Caused by: ...$_Thread: main (state = BLOCKED)", as ANR-WatchDog writes.
bool ParseStateHead(std::string_view line, ThreadHead* head) {
  constexpr std::string_view kState = " (state = ";
  const size_t open = line.rfind(kState);
  if (open == std::string_view::npos || open == 0 || !line.ends_with(')')) return false;
  head->state = line.substr(open + kState.size());
  head->state.remove_suffix(1);
  if (!IsKnownState(head->state)) return false;
  const std::string_view name = line.substr(0, open);
  const std::string_view named = After(name, "_Thread: ");
  head->name = named.empty() ? name : named;
  return true;
}

// "#0. Crashed: main: 0 0 0x0000000000000000", "#1. worker", as Crashlytics wrote at first.
bool ParseNumberedHead(std::string_view line, ThreadHead* head) {
  const size_t dot = line.find(". ");
  if (!line.starts_with('#') || dot == std::string_view::npos || dot < 2 ||
      line.substr(1, dot - 1).find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  std::string_view name = Trimmed(line.substr(dot + 2));
  if (name.starts_with("Crashed: ")) name.remove_prefix(9);
  head->name = name.substr(0, name.find(": 0 0 0x"));
  return true;
}

}  // namespace

ThreadState StateOfWord(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c - 'A' + 'a');
    if (c >= 'a' && c <= 'z') plain += c;
  }
  const auto known = std::ranges::find(kStates, std::string_view(plain),
                                       [](const auto& entry) { return entry.first; });
  if (text.empty()) return ThreadState::kUnknown;
  return known == kStates.end() ? ThreadState::kOther : known->second;
}

bool ParseThreadHead(std::string_view line, ThreadHead* head) {
  if (!line.starts_with('"'))
    return ParseShortHead(line, head) || ParseStateHead(line, head) ||
           ParseNumberedHead(line, head);
  const size_t end = line.rfind("\" ");
  if (end == 0 || end == std::string_view::npos) return false;
  const std::string_view rest = line.substr(end + 1);
  // HotSpot's heads have an address and the thread's number in hexadecimal.
  if (rest.find(" nid=") != std::string_view::npos) return false;
  head->name = line.substr(1, end - 1);
  head->number = NumberAfter(rest, " tid=");
  head->sys_tid = NumberAfter(rest, "sysTid=");
  if (head->number == 0 && rest.find("sysTid=") == std::string_view::npos &&
      rest.find("prio=") == std::string_view::npos)
    return false;
  head->state = rest.substr(rest.rfind(' ') + 1);
  const bool is_attached = rest.find("(not attached)") == std::string_view::npos;
  if (!is_attached || head->state.find('=') != std::string_view::npos) head->state = {};
  return true;
}

}  // namespace stillframe::input
