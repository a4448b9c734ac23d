// SPDX-License-Identifier: Apache-2.0
// Members of a jank's record in file order, as rows like those of fields.h. The device writes by
// them, and the host reads by them. Schema and docs/reference/fields.md follow them. The members of
// Matrix's issue Trace_EvilMethod come first. A member is absent if `omit` says so; an optional one
// also if it is kNotThere, a null text or false.
//
// An Io has, in addition to fields.h:
//   Named(row, members)  an object with these members; absent without any
// Context: any thread, one at a time
#pragma once

#include <cstdint>
#include <vector>

#include "src/dump/fields.h"

namespace stillframe::dump {

constexpr int64_t kNotThere = INT64_MIN;

// Describes the longest of equal janks. Texts must outlive it.
struct JankDescription {
  const char* tag = "Trace_EvilMethod";
  const char* process = "";
  uint64_t time = 0;
  const char* detail = "NORMAL";
  uint64_t cost = 0;
  const char* usage = nullptr;
  const char* scene = "";
  int32_t priority = 0;
  int32_t nice = 0;
  bool is_foreground = false;
  const char* machine = "";
  uint64_t memory_bytes = 0;
  const char* target = "";
  const char* callback = "";
  int32_t what = 0;
  const char* thread = nullptr;
  int64_t segment = kNotThere;
  bool is_frozen_frame = false;
  int64_t stage = kNotThere;
  int64_t cpu_ms = kNotThere;
  int64_t runqueue_wait_ms = kNotThere;
  int64_t blocked_ms = kNotThere;
  int64_t wait_ms = kNotThere;
  const char* before = "";
  uint64_t samples = 0;
  int64_t first_sample_ms = kNotThere;
  const char* sampler_off = nullptr;
  const char* watchdog = nullptr;
  const char* group = "";
  const char* cohort = nullptr;
};

template <typename Io>
[[gnu::always_inline]] inline void Fields(Io& io, FieldsOf<Io, JankDescription>& jank) {
  io(Row("tag", "Trace_EvilMethod"), jank.tag);
  io(Row("process", "Name of the process").Omit(omit::kProcess), jank.process);
  io(Row("time", "When the longest of these janks ended, in ms since 1970"), jank.time);
  io(Row("detail", "NORMAL"), jank.detail);
  io(Row("cost", "How long it took, in ms"), jank.cost);
  io(Row("usage", "CPU time of that, in percent; not of a frozen frame").Optional(), jank.usage);
  io(Row("scene", "As the application named it").Omit(omit::kAnnotations), jank.scene);
  io(Row("processPriority", "20 plus processNice"), jank.priority);
  io(Row("processNice", "Nice value of the main thread"), jank.nice);
  io(Row("isProcessForeground", "Whether it was in the foreground, by oom_score_adj"),
     jank.is_foreground);
  io(Row("machine", "BEST, HIGH, MIDDLE, LOW or BAD: the device by its memory and CPUs")
         .Omit(omit::kContext),
     jank.machine);
  io(Row("mem", "Memory of the device, in bytes").Omit(omit::kContext), jank.memory_bytes);
  HandlerFields(io, jank.target, jank.callback);
  io(Row("what", "Message.what"), jank.what);
  io(Row("thread", "Name of the watched thread; absent for the main one")
         .Optional()
         .Note("`threads`: its name, then \"\"")
         .MostBytes(64),
     jank.thread);
  io(Row("segment", "Kind of code outside messages, by its number in a dump; absent for a message")
         .Optional(),
     jank.segment);
  io(Row("frozenFrame", "true: a frame that froze the screen because of several messages")
         .Optional(),
     jank.is_frozen_frame);
  io(Row("stage", "The longest stage of a frame, by its number in a dump; 0: not a frame")
         .Optional(),
     jank.stage);
  io(Row("cpu_ms", "CPU time; not of a frozen frame").Optional(), jank.cpu_ms);
  io(Row("run_queue_ms", "Ready to run, without a CPU").Optional(), jank.runqueue_wait_ms);
  io(Row("blocked_ms", "At monitors, by its samples").Optional(), jank.blocked_ms);
  io(Row("late_ms", "Between due and dispatched").Optional(), jank.wait_ms);
  io(Row("before",
         "The thread's past before it: five lines of kind, count, ms and name, the newest first; "
         "kinds are message, messages (quick ones), segment, idle, frozen and blind")
         .Omit(omit::kMessages)
         .Note("`messages`; names of segments `stacks` too")
         .MostBytes(400),
     jank.before);
  io(Row("samples", "Taken during it"), jank.samples);
  io(Row("first_sample_ms",
         "Time of the first sample; the time before it counts for its stack, too")
         .Optional(),
     jank.first_sample_ms);
  io(Row("samplerOff", "Why no samples are taken, or none of running code")
         .Optional()
         .MostBytes(160),
     jank.sampler_off);
  io(Row("watchdog", "Why fewer samples are taken").Optional().MostBytes(160), jank.watchdog);
  io(Row("group", "sampled: the control group writes no records"), jank.group);
  io(Row("cohort", "Salts of the cohorts of settings documents that the install was in")
         .Omit(omit::kContext)
         .Optional()
         .MostBytes(160),
     jank.cohort);
}

// Where the longest spent its time; empty without a tree.
struct JankStack {
  const char* key = nullptr;
  const char* lines = nullptr;
  std::vector<model::NamedText> methods;
};

template <typename Io>
[[gnu::always_inline]] inline void Fields(Io& io, FieldsOf<Io, JankStack>& stack) {
  io(Row("stackKey",
         "Id of the method that stands for the stack, and a bar: of those with more than 30 % of "
         "the time the one with the largest product of depth and time")
         .Omit(omit::kStacks)
         .Optional(),
     stack.key);
  io(Row("stack", "At most 30 lines of depth, method's id, samples and ms")
         .Omit(omit::kStacks)
         .Optional()
         .Lines(),
     stack.lines);
  io.Named(Row("methods", "Names of these ids").Omit(omit::kStacks).Optional().MostBytes(160),
           stack.methods);
}

// Counts of all equal janks.
struct JankCounts {
  uint64_t count = 0;
  uint64_t total_ms = 0;
  uint64_t first_time = 0;
  uint64_t last_time = 0;
  std::vector<uint64_t> newest_ms;
  std::vector<model::NamedCount> histogram;
};

template <typename Io>
[[gnu::always_inline]] inline void Fields(Io& io, FieldsOf<Io, JankCounts>& counts) {
  io(Row("count", "Equal janks"), counts.count);
  io(Row("total_ms", "Their time together"), counts.total_ms);
  io(Row("first_time", "When the first of them ended, in ms since 1970"), counts.first_time);
  io(Row("last_time", "When the last of them ended"), counts.last_time);
  io.Numbers(Row("newest_ms", "Durations of the newest eight, oldest first"), counts.newest_ms);
  io.Named(Row("histogram",
               "From so many ms on, to twice as many: how many; the first has all that is shorter"),
           counts.histogram);
}

// Facts of the install, the process and the device, see src/context/identity.h.
struct JankIdentity {
  std::vector<model::NamedText> known;
  std::vector<model::NamedText> absent;
};

template <typename Io>
[[gnu::always_inline]] inline void Fields(Io& io, FieldsOf<Io, JankIdentity>& identity) {
  io.Named(Row("identity", "Facts of install, process and device, by name; see identity below")
               .Note("each fact by its own word")
               .Optional(),
           identity.known);
  io.Named(Row("identity_absent", "Facts that are missing, each with the reason").Optional(),
           identity.absent);
}

// The longest as a dump (dump_format.h) of one message, in base64: its tree, lock waits, context,
// annotations and the half second before it. Null: no memory.
struct JankFacts {
  const char* dump = nullptr;
  const char* system_traces = nullptr;
};

template <typename Io>
[[gnu::always_inline]] inline void Fields(Io& io, FieldsOf<Io, JankFacts>& facts) {
  io(Row("facts",
         "The longest of these janks as a dump of one message, in base64: samples, locks and "
         "owners, lines, context, annotations, and what ran in the 500 ms before it")
         .Note("as in a dump")
         .Optional()
         .Lines(),
     facts.dump);
  io(Row("system_traces",
         "The beginning of the system's own traces of an ANR that the profiler saw no hang at: "
         "a zlib stream that may end early, in base64")
         .Omit(omit::kStacks | omit::kThreads | omit::kProcess)
         .Note("`stacks`, `threads`, `process`, `STILLFRAME_COPY_TRACES=0`")
         .Optional()
         .Lines(),
     facts.system_traces);
}

// Last in the file: when a process was killed, the next one replaces the end of its records.
struct JankRevision {
  const char* id = "";
  uint64_t revision = 0;
  bool is_debugged = false;
  bool is_running = false;
  const char* ended = nullptr;
  std::vector<model::NamedText> exit;
};

template <typename Io>
[[gnu::always_inline]] inline void ExitField(Io& io,
                                             FieldsOf<Io, std::vector<model::NamedText>>& exit) {
  io.Named(
      Row("exit",
          "How the system says that the process ended, by its ApplicationExitInfo: time in ms "
          "since 1970, reason, sub_reason, importance, pss_kib, description (the word `reason` "
          "leaves it out), and no_traces: why the system's traces are missing")
          .Optional()
          .MostBytes(400),
      exit);
}

template <typename Io>
[[gnu::always_inline]] inline void Fields(Io& io, FieldsOf<Io, JankRevision>& revision) {
  io(Row("id",
         "Install, process start in ms since 1970 with the pid, and token of the first of these "
         "janks: INSTALL-STARTpPID-TOKEN; x for an install that is left out")
         .MostBytes(128),
     revision.id);
  io(Row("revision",
         "Of records with one id the one of the highest revision counts, and replaces the others"),
     revision.revision);
  io(Row("debugged", "true: a debugger was attached during one of these janks; not to be counted")
         .Optional(),
     revision.is_debugged);
  io(Row("running", "true: the jank had not ended; `cost` is its time so far").Optional(),
     revision.is_running);
  io(Row("ended", "killed: the process ended during the jank; absent if the jank ended").Optional(),
     revision.ended);
  ExitField(io, revision.exit);
}

struct JankRecord {
  JankDescription jank;
  JankStack stack;
  JankIdentity identity;
  JankFacts facts;
  JankCounts counts;
  JankRevision revision;
};

template <typename Io>
void Fields(Io& io, FieldsOf<Io, JankRecord>& record) {
  io.AsRecord(record.jank);
  io.AsRecord(record.stack);
  io.AsRecord(record.identity);
  io.AsRecord(record.facts);
  io.AsRecord(record.counts);
  io.AsRecord(record.revision);
}

}  // namespace stillframe::dump
