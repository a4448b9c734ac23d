// SPDX-License-Identifier: Apache-2.0
// Rows of the verdict's evidence: one for each member of a kind. Kinds share names of members.
#pragma once

#include <string>

#include "src/dump/fields.h"
#include "tools/stillframe/judge/evidence.h"
#include "tools/stillframe/words/known_texts.h"

namespace stillframe::judge::evidence {

template <typename Io, typename Fact>
requires requires { Fact::kName; }
void Fields(Io& io, const Fact& fact) {
  using dump::Row;
  io(Row("kind", "Decides about the other members"), std::string(Fact::kName));
  if constexpr (requires { fact.line; }) io(Row("name", "File:line"), fact.line);
  if constexpr (requires { fact.method; }) io(Row("name", "class.method"), fact.method);
  if constexpr (requires { fact.message; }) io(Row("name", "The message"), fact.message);
  if constexpr (requires { fact.call; }) io(Row("name", "The kernel's function"), fact.call);
  if constexpr (requires { fact.process; })
    io(Row("name", "A process with its share of a CPU, or empty"), fact.process);
  if constexpr (requires { fact.reason; }) io(Row("name", "Why"), fact.reason);
  if constexpr (requires { fact.where; })
    io(Row("name", "Where the main thread was"), words::PlaceText(fact));
  if constexpr (requires { fact.thread; }) {
    io(Row("name", "The thread's name, or empty"), fact.thread.name);
    io(Row("tid", "The kernel's id of the thread; 0: not known"), fact.thread.tid);
  }
  if constexpr (requires { fact.place; }) io(Row("other", "File:line"), fact.place);
  if constexpr (requires { fact.begun_by; }) io(Row("other", "Its caller"), fact.begun_by);
  if constexpr (requires { fact.lock_class; })
    io(Row("other", "Class of the lock"), fact.lock_class);
  if constexpr (requires { fact.frame; }) io(Row("other", "The thread's code"), fact.frame);
  if constexpr (requires { fact.message_text; }) {
    io(Row("message", "Its longest message"), fact.message_text);
    io(Row("is_sampled", "Its messages were sampled"), fact.is_sampled);
    io(Row("ns", "How long that message took"), fact.took_ns);
  }
  if constexpr (requires { fact.description; }) {
    io(Row("other", "The system's words"), fact.description);
    io(Row("ns", "Time since the hang's last record; 0: not known"), fact.after_ns);
  }
  if constexpr (requires { fact.why; }) io(Row("other", "Why it was not seen"), fact.why);
  if constexpr (requires { fact.ran; })
    io(Row("other", "The thread's code, or its message"), fact.ran);
  if constexpr (requires { fact.is_guess; })
    io(Row("is_guess", "The code is not known to hold the lock"), fact.is_guess);
  if constexpr (requires { fact.time; }) {
    io(Row("ns", "A part of of_ns"), fact.time.ns);
    io(Row("of_ns", "The whole time"), fact.time.of_ns);
  }
  if constexpr (requires { fact.late_ns; }) io(Row("ns", "Time in the queue"), fact.late_ns);
  if constexpr (requires { fact.idle_ns; }) io(Row("ns", "Idle time"), fact.idle_ns);
  if constexpr (requires { fact.held_ns; }) io(Row("ns", "Time of the lock"), fact.held_ns);
  if constexpr (requires { fact.watched_ns; })
    io(Row("ns", "Time with known CPU times; 0: none"), fact.watched_ns);
  if constexpr (requires { fact.quick_ns; }) {
    io(Row("ns", "Time of short messages"), fact.quick_ns);
    io(Row("slow_ns", "Time of slow messages"), fact.slow_ns);
  }
  if constexpr (requires { fact.waited_ns; }) {
    io(Row("ns", "Time without a CPU"), fact.waited_ns);
    io(Row("ran_ns", "Time on a CPU"), fact.ran_ns);
  }
  if constexpr (requires { fact.available; }) {
    io(Row("bytes", "Available memory"), fact.available.bytes);
    io(Row("of_bytes", "All memory"), fact.available.of_bytes);
  }
  if constexpr (requires { fact.used; }) {
    io(Row("bytes", "Used memory of the Java heap"), fact.used.bytes);
    io(Row("of_bytes", "The Java heap's limit"), fact.used.of_bytes);
  }
  if constexpr (requires { fact.token; }) io(Row("token", "Of the message"), fact.token);
  if constexpr (requires { fact.samples; }) io(Row("count", "Samples"), fact.samples);
  if constexpr (requires { fact.all_messages; }) {
    io(Row("count", "Late messages of this kind"), fact.messages);
    io(Row("of_count", "Late messages"), fact.all_messages);
    io(Row("queued", "Messages in the queue"), fact.queued);
    io(Row("has_more", "The queue had more than could be counted"), fact.has_more);
  }
  if constexpr (requires { fact.major_faults; })
    io(Row("count", "Major page faults"), fact.major_faults);
  if constexpr (requires { fact.named_threads; })
    io(Row("count", "Threads among the evidence"), fact.named_threads);
  if constexpr (requires { fact.collections; }) {
    io(Row("count", "Blocking collections"), fact.collections);
    io(Row("ns", "Time of the collections"), fact.took_ns);
  }
  if constexpr (requires { fact.permille; }) io(Row("permille", "Share, in 1/1000"), fact.permille);
  if constexpr (requires { fact.kernel_permille; })
    io(Row("kernel_permille", "The part of it in the kernel"), fact.kernel_permille);
  if constexpr (requires { fact.kernel_percent; })
    io(Row("kernel_percent", "Of its CPU time, in the kernel; 0: not notable"),
       fact.kernel_percent);
  if constexpr (requires { fact.pressure; }) {
    io(Row("full_permille", "Of 10 s, in which all tasks waited"), fact.pressure.full_permille);
    io(Row("some_permille", "Of 10 s, in which some task waited"), fact.pressure.some_permille);
  }
  if constexpr (requires { fact.cpus; }) {
    io(Row("load_1min_milli", "Load of 1 minute, in 1/1000"), fact.load_1min_milli);
    io(Row("load_15min_milli", "Load of 15 minutes, in 1/1000"), fact.load_15min_milli);
    io(Row("cpus", "About; 0: not known"), fact.cpus);
  }
  if constexpr (requires { fact.state; }) io(Row("state", "State of the main thread"), fact.state);
}

}  // namespace stillframe::judge::evidence
