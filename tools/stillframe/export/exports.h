// SPDX-License-Identifier: Apache-2.0
// Dumps as files of other tools. Each sample counts once and weighs the wall time it covers, so
// that counts and microseconds agree in all formats. `token` chooses one message; without it, all
// trees are written. Names are clean text: UTF-8 without control characters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <stillframe/token.h>

#include "src/model/document.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::exports {

// A dump in preorder text: past, present and future as lines of text, whose tokens refer to the
// trees at the end. Four blocks, each with its heading:
//   history   a line per group of messages: `CLOCK>>>` (ms of CLOCK_MONOTONIC at its start), then
//             per slow message `TOKEN MESSAGE<WORK>WAIT;`, the same per shorter one of the system
//             that has a record, and `COUNT+WORK` of all, in ms. A single message is `CLOCK>>>TOKEN
//             MESSAGE<WORK>WAIT`. Idle and frozen stretches are `CLOCK>>>idle<MS`. A dump without
//             groups has a line per slow message.
//   running   a line like that of a single message, without an end
//   pending   per message `DUE>>>MESSAGE`, DUE in ms from the dump, negative: overdue
//   trees     per token `TOKEN:` and the tree in preorder text
// Unknown times are "?". Texts are clean; `<`, `>` and `;` in names stay.
std::string PreorderReport(const index::DumpIndex& index);

// One slow message as BlockCanary's block of facts: "name = value" lines in BlockCanary's order.
// Names are BlockCanary's (markzhai/AndroidPerformanceMonitor 1.5, BlockInfo.java). `time` and
// `thread-time` are in ms; a fact missing from the dump is "unknown". The stack is the heaviest
// path, innermost frame first.
std::string BlockFacts(const index::DumpIndex& index, const model::Message& message);

// One message as Matrix's evil-method issue, in JSON: the fields of Issue and SharePluginInfo
// (Tencent/matrix, matrix-trace-canary) that a dump knows. `stack` has lines of
// `depth,id,count,ms`; `methods` replaces Matrix's mapping of ids to names. `scene` is that of the
// dump. The message must have a tree.
std::string MatrixIssue(const index::DumpIndex& index, Token token);

// The number at the end of a collapsed line.
enum class CollapsedUnit : uint8_t { kSamples, kMicroseconds };

// "frame;frame;frame count" lines for flamegraph.pl: outermost frame first, sorted, equal stacks
// summed. A frame is "com.foo.Bar.baz". In it, % ; CR LF and other control characters become %25
// %3B %0D ...; bytes outside ASCII stay. An empty stack is "[empty stack]". With `token`, only that
// tree.
std::string CollapsedStacks(const model::Document& document, std::optional<Token> token,
                            CollapsedUnit unit);

// Limit of frames in all stacks for formats that write each stack out, at several bytes a frame.
// Callers must check it first.
constexpr uint64_t kMaxFramesInStacks = 100'000'000;
uint64_t FramesInStacks(const index::DumpIndex& index, std::optional<Token> token);

// https://www.speedscope.app/file-format-schema.json: one sampled profile for each tree, in
// microseconds. A frame is a method, or with `by_line` a line of a method.
std::string Speedscope(const index::DumpIndex& index, const judge::Verdict& verdict,
                       std::optional<Token> token, bool by_line);

// proto/profile.proto of google/pprof, compressed: sample types samples/count and
// wall/microseconds, labels "token" and "state".
std::string Pprof(const index::DumpIndex& index, const judge::Verdict& verdict,
                  std::optional<Token> token);

// protos/perfetto/trace/trace.proto of google/perfetto. Messages are slices on the main thread.
// Samples are PerfSample, with the covered wall time as timebase. Counters are counter tracks.
std::string Perfetto(const index::DumpIndex& index, std::optional<Token> token);

// The processed profile of profiler.firefox.com, version 48: weights in milliseconds, messages as
// markers.
std::string Firefox(const index::DumpIndex& index, const judge::Verdict& verdict,
                    std::optional<Token> token);

}  // namespace stillframe::exports
