// SPDX-License-Identifier: Apache-2.0
// The parts of the page's JSON that dumps have since format 1.1: Loopers, history, frames, context.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "src/model/document.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::render {

// A time of the page: microseconds relative to the dump, or null for an unknown one.
nlohmann::ordered_json PageStart(const model::Document& document, uint64_t start_ns);
// A duration of the page: microseconds, or null.
nlohmann::ordered_json PageTime(int64_t ns);

// "main", or the thread's name, of each Looper; one for a dump that names none.
nlohmann::ordered_json PageLoopers(const model::Document& document);

// The stretches of the history that are not messages which the page shows one by one: records, and
// groups from before them. A message that ran for `slow_ns` or longer is slow, whoever sent it.
nlohmann::ordered_json PageSpans(const model::Document& document, int64_t slow_ns);

// What the thread did in a tree, the page's track of states. One character a sample. The thread's
// state as trace::ThreadState numbers it, but for what more is known: '9' for a thread that was
// ready to run and got no CPU for most of the sample's time, 'a' for a call of another process, 'b'
// for input or output, 'c' for a process that was not run. The page's names for them are in
// tools/page/src/palette.ts.
std::string PageStates(const index::DumpIndex& index, const trace::TraceTree& tree);

// Null when the dump has no frame statistics.
nlohmann::ordered_json PageJank(const model::Document& document);

// Null when they were not asked for. Those of the main thread.
nlohmann::ordered_json PageTraceSections(const model::Document& document);

// [title, rows] for each group of the context, the annotations among them.
nlohmann::ordered_json PageContext(const model::Document& document);

// Null when the dump has no table of threads.
nlohmann::ordered_json PageThreads(const model::Document& document);

// Null when the dump has no stacks of threads; threads of one stack are together.
nlohmann::ordered_json PageStacks(const model::Document& document);

// Null when the dump does not say.
nlohmann::ordered_json PageSignalCatcher(const model::Document& document);

// For whom the main thread waited: null when it is not known to have waited.
nlohmann::ordered_json PageChain(const verdict::Verdict& verdict);

// Who took the time that the verdict is about.
nlohmann::ordered_json PageContributors(const verdict::Verdict& verdict);

}  // namespace stillframe::render
