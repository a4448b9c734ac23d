// SPDX-License-Identifier: Apache-2.0
// Dumps as files of other tools. In each of them a sample of a trace tree counts once and weighs
// the wall time it stands for, so that counts and microseconds are the same in all. `token` chooses
// one message; without it all trees are written. Names are clean text: UTF-8 without control
// characters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::exports {

// Frames in all stacks beyond which a caller should not ask for formats that write each stack out:
// several bytes each.
constexpr uint64_t kMaxFramesInStacks = 100'000'000;
uint64_t FramesInStacks(const index::DumpIndex& index, std::optional<uint64_t> token);

// https://www.speedscope.app/file-format-schema.json: one sampled profile for each tree, in
// microseconds. A frame is a method, or with `by_line` a line of one.
std::string Speedscope(const index::DumpIndex& index, const verdict::Verdict& verdict,
                       std::optional<uint64_t> token, bool by_line);

// proto/profile.proto of google/pprof, compressed: sample types samples/count and
// wall/microseconds, labels "token" and "state".
std::string Pprof(const index::DumpIndex& index, const verdict::Verdict& verdict,
                  std::optional<uint64_t> token);

// protos/perfetto/trace/trace.proto of google/perfetto: messages as slices on the main thread,
// samples as PerfSample whose timebase is the wall time covered so far, counters as counter tracks.
std::string Perfetto(const index::DumpIndex& index, std::optional<uint64_t> token);

// The processed profile of profiler.firefox.com, version 48: weights in milliseconds, messages as
// markers.
std::string Firefox(const index::DumpIndex& index, const verdict::Verdict& verdict,
                    std::optional<uint64_t> token);

}  // namespace stillframe::exports
