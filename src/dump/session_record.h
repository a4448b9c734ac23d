// SPDX-License-Identifier: Apache-2.0
// Members of a session's file, in file order, as rows like those of jank_record.h: the summary of
// one process. The file is replaced while the process lives, and closed by the next process if this
// one was killed. All numbers are totals since the start of the process.
// Context: any thread, one at a time
#pragma once

#include <cstdint>
#include <vector>

#include "src/dump/jank_record.h"

namespace stillframe::dump {

struct Session {
  const char* process = "";
  uint64_t time = 0;
  uint64_t alive_ms = 0;
  uint64_t foreground_ms = 0;
  uint64_t watched_ms = 0;
  uint64_t messages = 0;
  uint64_t slow = 0;
  uint64_t slow_ms = 0;
  std::vector<model::NamedCount> slow_histogram;  // ms by lower bound of the duration
  uint64_t janks = 0;
  uint64_t jank_ms = 0;
  uint64_t frames = 0;
  uint64_t frames_missed = 0;
  const char* sampler = "";
  const char* group = "";
  uint64_t samples = 0;
  uint64_t collector_cpu_ms = 0;
  uint64_t handler_us = 0;
  uint64_t written_bytes = 0;
  JankIdentity identity;
  const char* id = "";
  uint64_t revision = 0;
  const char* ended = nullptr;
};

template <typename Io>
[[gnu::always_inline]] inline void Fields(Io& io, FieldsOf<Io, Session>& session) {
  io(Row("process", "Name of the process").Omit(omit::kProcess), session.process);
  io(Row("time", "When this was written, in ms since 1970"), session.time);
  io(Row("alive_ms", "Since the profiler was started"), session.alive_ms);
  io(Row("foreground_ms", "Of that in the foreground, by oom_score_adj"), session.foreground_ms);
  io(Row("watched_ms", "Of alive_ms with messages of the main thread watched"), session.watched_ms);
  io(Row("messages", "Messages of the main thread"), session.messages);
  io(Row("slow", "Messages of slow_ms or more, and such code outside messages"), session.slow);
  io(Row("slow_ms", "Their time together"), session.slow_ms);
  io.Named(Row("slow_histogram",
               "Time in ms of those that took so many ms or more, up to twice that; the first has "
               "all that is shorter"),
           session.slow_histogram);
  io(Row("janks", "Those of jank_ms or more, frozen frames included"), session.janks);
  io(Row("jank_ms", "Their time together"), session.jank_ms);
  io(Row("frames", "Frames drawn"), session.frames);
  io(Row("frames_missed", "Refresh intervals without the frame that was due"),
     session.frames_missed);
  io(Row("sampler", "on, or why it is off").MostBytes(160), session.sampler);
  io(Row("group", "sampled or control"), session.group);
  io(Row("samples", "Taken by signal"), session.samples);
  io(Row("collector_cpu_ms", "CPU time of the profiler's collector thread"),
     session.collector_cpu_ms);
  io(Row("handler_us", "Time in the SIGPROF handler"), session.handler_us);
  io(Row("written_bytes", "Of records and of this file"), session.written_bytes);
  Fields(io, session.identity);
  io(Row("id", "INSTALL-STARTpPID, as in records").MostBytes(128), session.id);
  io(Row("revision", "Of files with one id the one of the highest revision counts"),
     session.revision);
  io(Row("ended", "exit, or killed as seen by the next process; absent while it runs").Optional(),
     session.ended);
}

}  // namespace stillframe::dump
