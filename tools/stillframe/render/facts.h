// SPDX-License-Identifier: Apache-2.0
// The facts of a dump as label and value, for every renderer for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::render {

// Label and value, both clean text.
using Facts = std::vector<std::pair<std::string, std::string>>;

// "2026-11-21 03:31:03 UTC"; "time unknown" for 0.
std::string UtcTime(uint64_t realtime_ns);

// "fixture.Main, process 4711", for titles.
std::string ProcessText(const model::Document& document);

// The origin of a dump in short texts: kind of ANR or trigger, application, device, time,
// foreground or not. Unknown facts are omitted.
std::vector<std::string> Origin(const model::Document& document, const judge::Verdict& verdict);

// "Decimal.multiply kept the main thread busy for 4.0 s – com.shop ANR"
std::string TitleOf(const model::Document& document, const judge::Verdict& verdict);

// Process, runtime, profiler.
Facts ProcessFacts(const model::Document& document);

// The profiler's own counters in words: "drops_ring_full" = 3 becomes "drops ring full", "3". The
// unit moves from the name's suffix to the value.
Facts CounterFacts(const model::Document& document);

// "OK: 2 of 757 samples lost; 1.6 ms in its signal handler, 60 ms of CPU time on its own thread."
std::string HealthText(const model::Document& document);

// The message's start relative to the dump: "-4.812 s". "?": unknown start.
std::string RelativeStart(const model::Document& document, const model::Message& message);
std::string RelativeTime(const model::Document& document, uint64_t at_ns);

// "threw, nested"; "": no flags.
std::string FlagsText(uint32_t flags);

// "overdue 1,200 ms", "in 30 ms".
std::string DueText(int64_t delay_ms);

// "Runnable com.foo.Sync to android.os.Handler", "synchronization barrier".
std::string PendingText(const model::PendingMessage& message);

// "4 messages, read from mMessages".
std::string PendingHead(const model::Document& document);

// Why the dump lacks the queue; "" if it has it.
std::string PendingAbsence(const model::Document& document);

// Facts outside the messages as label and value: device, threads, frames.
// "available" and "1,148 MiB", or "not known: why".
Facts::value_type ContextFact(const model::ContextEntry& entry);

// The same for all entries, with their group: "memory: available".
Facts ContextFacts(const model::Document& document);

// "OkHttp (4731)" and "sleeping, 290 ms of CPU in 3,000 ms (10 %), 80 ms of it in the kernel, nice
// 0".
Facts ThreadFacts(const model::Document& document);

// Frame statistics; empty without that section.
Facts JankFacts(const model::Document& document);

// The application's scene and annotations.
Facts AnnotationFacts(const model::Document& document);

}  // namespace stillframe::render
