// SPDX-License-Identifier: Apache-2.0
// Texts about contributors, messages and threads, from which sentences are made.
#pragma once

#include <cstdint>
#include <string>

#include "tools/stillframe/judge/verdict.h"

namespace stillframe::words {

constexpr uint64_t kWorthNamingPercent = 20;  // of the time in question

// Android's own messages are known by the name of their code.
std::string MessageName(const index::Dispatch& dispatch);

// A method below the culprit has most of its time.
bool IsInLeaf(const judge::Culprit& culprit);
bool IsWorkCause(judge::Cause cause);
// Causes that affect messages whatever they do.
bool IsSystemWide(judge::Cause cause);

// "app.Feed.parse, mostly in Gson.read", "java.lang.Thread.sleep, called from app.Net.fetch
// (Net.java:4)"
std::string Where(const judge::Culprit& culprit, judge::Cause cause);

// How a contributor spent its time, before " in app.A.take": "sleeping".
std::string Doing(const judge::Contributor& contributor);

// "400 short messages, most of them Runnable app.Sync"
std::string QuickText(const judge::Contributor& contributor);

// For a sentence about other contributors: method, thread or message, without lines. `is_same`: the
// message is already named.
std::string Brief(const judge::Contributor& contributor, bool is_same);

// "an idle handler", "code before the loop".
std::string WithArticle(model::SegmentKind kind);

// The largest part of messages that were not only held up; null: none is worth a look.
const judge::Contributor* OwnPart(const judge::Verdict& verdict);

// "Runnable app.Sync: app.Store.sort (Store.java:8)": a row of the list.
std::string Label(const judge::Contributor& contributor, uint64_t window_ns);

// "a lock on app.Store"; "" if the thread's wait is unknown.
std::string WaitsFor(const judge::Waiter& waiter);

// "db-writer", or "4720" without a name; "": unknown.
std::string NameOrId(const judge::Thread& thread);

// "thread db-writer (tid 4720)"; "": unknown.
std::string ThreadText(const judge::Thread& thread);

// "2.9 of 3.1 s", "340 ms of 3.1 s".
std::string SpentText(const judge::evidence::Spent& spent);

}  // namespace stillframe::words
