// SPDX-License-Identifier: Apache-2.0
// Dumps as files of other tools. In each of them a sample of a trace tree counts once and weighs
// the wall time it stands for, so that counts and microseconds are the same in all. `token` chooses
// one message; without it all trees are written. Names are clean text: UTF-8 without control
// characters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <stillframe/token.h>

#include "src/model/document.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::formats {

// A dump as preorder text with its surroundings: past, present and future as lines of text, whose
// tokens lead to the trees at the end. Four blocks, each with its heading:
//   history   a line per group of messages: `CLOCK>>>` (ms of CLOCK_MONOTONIC at its start), then
//             per slow message `TOKEN MESSAGE<WORK>WAIT;` and `COUNT+WORK` of all, in ms; a message
//             alone is `CLOCK>>>TOKEN MESSAGE<WORK>WAIT`. Idle and frozen stretches are
//             `CLOCK>>>idle<MS`. A dump without groups has a line per slow message.
//   running   a line in the form of a message alone, without an end
//   pending   per message `DUE>>>MESSAGE`, DUE in ms from the dump, negative is overdue
//   trees     per token `TOKEN:` and the tree in preorder text
// Unknown times are "?". Texts are clean; `<`, `>` and `;` in names stay.
std::string PreorderReport(const index::DumpIndex& index);

// One slow message as BlockCanary's block of facts: "name = value" lines in its order. Names are
// BlockCanary's (markzhai/AndroidPerformanceMonitor 1.5, BlockInfo.java). `time` and `thread-time`
// are in ms; a fact that the dump does not have is "unknown". The stack is that of the heaviest
// path, innermost frame first.
std::string BlockFacts(const index::DumpIndex& index, const model::Message& message);

// One message as the issue that Matrix reports of an evil method, in JSON: fields of Issue and of
// SharePluginInfo (Tencent/matrix, matrix-trace-canary) as far as a dump knows them, `stack` being
// lines of `depth,id,count,ms`; and `methods`, which stands for Matrix's mapping of ids to names.
// `scene` is the one in which the dump was taken. The message must have a tree.
std::string MatrixIssue(const index::DumpIndex& index, Token token);

// What the number at the end of a collapsed line counts.
enum class CollapsedUnit : uint8_t { kSamples, kMicroseconds };

// "frame;frame;frame count" lines, outermost frame first, sorted, equal stacks added up: the input
// of flamegraph.pl. A frame is "com.foo.Bar.baz". In it % ; CR LF and other control characters are
// written as %25 %3B %0D ...; bytes that are not ASCII stay. An empty stack is "[empty stack]". Of
// the tree with `token`, or of all trees.
std::string CollapsedStacks(const model::Document& document, std::optional<Token> token,
                            CollapsedUnit unit);

// Frames in all stacks beyond which a caller should not ask for formats that write each stack out:
// several bytes each.
constexpr uint64_t kMaxFramesInStacks = 100'000'000;
uint64_t FramesInStacks(const index::DumpIndex& index, std::optional<Token> token);

// https://www.speedscope.app/file-format-schema.json: one sampled profile for each tree, in
// microseconds. A frame is a method, or with `by_line` a line of one.
std::string Speedscope(const index::DumpIndex& index, const judge::Verdict& verdict,
                       std::optional<Token> token, bool by_line);

// proto/profile.proto of google/pprof, compressed: sample types samples/count and
// wall/microseconds, labels "token" and "state".
std::string Pprof(const index::DumpIndex& index, const judge::Verdict& verdict,
                  std::optional<Token> token);

// protos/perfetto/trace/trace.proto of google/perfetto: messages as slices on the main thread,
// samples as PerfSample whose timebase is the wall time covered so far, counters as counter tracks.
std::string Perfetto(const index::DumpIndex& index, std::optional<Token> token);

// The processed profile of profiler.firefox.com, version 48: weights in milliseconds, messages as
// markers.
std::string Firefox(const index::DumpIndex& index, const judge::Verdict& verdict,
                    std::optional<Token> token);

}  // namespace stillframe::formats
