// SPDX-License-Identifier: Apache-2.0
// Finds the process of the ANR, the system's reason and its time around the threads' stacks.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/index/names.h"
#include "tools/stillframe/input/field_import.h"
#include "tools/stillframe/input/imported_message.h"
#include "tools/stillframe/input/lines.h"
#include "tools/stillframe/input/system_reason.h"
#include "tools/stillframe/input/system_report.h"
#include "tools/stillframe/input/system_words.h"
#include "tools/stillframe/input/trace_threads.h"
#include "tools/stillframe/input/written_time.h"

namespace stillframe::input {
namespace {

constexpr size_t kMostNamed = 5;
constexpr size_t kLongestName = 60;
constexpr int64_t kSoonS = 30;    // traces this long after an ANR may still show it
constexpr int64_t kOneAnrS = 60;  // the logs' lines of one ANR are at most so far apart

struct ProcessText {
  uint32_t pid = 0;
  WrittenTime time;
  std::string_view text;  // behind the line with the pid
  bool has_end = true;    // its last line is there
};

// "----- pid 4321 at 2023-10-05 11:11:47 -----" begins each process.
std::vector<ProcessText> ProcessesOf(std::string_view text) {
  constexpr std::string_view kBegin = "----- pid ";
  std::vector<ProcessText> all;
  size_t at = text.find(kBegin);
  while (at != std::string_view::npos) {
    const size_t next = text.find(kBegin, at + kBegin.size());
    const std::string_view own = text.substr(at, next - at);
    const size_t line_end = std::min(own.find('\n'), own.size());
    const std::string_view line = own.substr(kBegin.size(), line_end - kBegin.size());
    ProcessText process;
    process.pid = NumberAt(line);
    process.time = ReadTime(After(line, " at "));
    const size_t end = own.find("----- end ");
    process.text = own.substr(line_end, std::min(end, own.size()) - line_end);
    process.has_end = end != std::string_view::npos;
    all.push_back(process);
    at = next;
  }
  return all;
}

// The section of a bug report with this title. Titles are lines "------ TITLE (...) ------".
std::string_view SectionOf(std::string_view text, std::string_view title) {
  const std::string mark = "------ " + std::string(title);
  size_t at = text.starts_with(mark) ? 0 : text.find("\n" + mark);
  if (at == std::string_view::npos) return {};
  at = text.find('\n', at + 1);
  if (at == std::string_view::npos) return {};
  const size_t end = text.find("\n------ ", at);
  return text.substr(at, end == std::string_view::npos ? end : end - at + 1);
}

bool IsBugReport(std::string_view text) {
  return text.find("\n== dumpstate: ") != std::string_view::npos ||
         text.starts_with("== dumpstate: ") ||
         text.find("\n------ VM TRACES ") != std::string_view::npos ||
         text.starts_with("------ VM TRACES ");
}

bool HasStacks(std::string_view text) {
  return text.find("\" prio=") != std::string_view::npos ||
         text.find("sysTid=") != std::string_view::npos ||
         text.find("\" tid=") != std::string_view::npos ||
         text.find("\" daemon ") != std::string_view::npos;
}

class Importer {
 public:
  Importer(model::Document* document, std::string* notes, std::string* error, const ReadStep& step)
      : document_(*document), notes_(*notes), error_(*error), step_(step) {}

  bool Import(std::string_view text) {
    const bool is_report = IsBugReport(text);
    words_ = ReadSystemWords(text);
    std::string_view traces = text;
    bool is_just_now = false;
    if (!is_report && !HasStacks(text) && LatestBlock() != nullptr) return ReadBlock();
    if (is_report) {
      traces = SectionOf(text, "VM TRACES AT LAST ANR");
      is_just_now = !HasStacks(traces);
      if (is_just_now) traces = SectionOf(text, "VM TRACES JUST NOW");
      if (!HasStacks(traces)) {
        if (LatestBlock() != nullptr) return ReadBlock();
        return Fail(
            "is a bug report without traces of an ANR (no 'VM TRACES AT LAST ANR' with stacks); "
            "take it right after an ANR, or give FS/data/anr/anr_* of its zip");
      }
    }
    const size_t first = traces.find("----- pid ");
    const std::string_view head = traces.substr(0, first);
    std::vector<ProcessText> processes = ProcessesOf(traces);
    // Threads before the first such line are of a text that was joined with another one.
    if (!processes.empty() && HasStacks(head))
      processes.insert(processes.begin(), WithoutPid(head));
    const ProcessText process =
        processes.empty() ? WithoutPid(traces) : Choose(processes, head, is_report);
    if (!Read(process, processes.empty() ? traces : head)) return false;
    if (is_just_now) NoteLater(process);
    NoteOthers(processes, process);
    return true;
  }

 private:
  bool Fail(std::string what) {
    error_ = std::move(what);
    return false;
  }
  void Note(const std::string& what) { notes_ += (notes_.empty() ? "" : "; ") + what; }

  static ProcessText WithoutPid(std::string_view text) {
    ProcessText process;
    process.text = text;
    return process;
  }

  // The process of the system's ANR, else the one that the reason names, else the first one with
  // stacks, which the system writes first. Without a reason, system_server is rarely meant.
  const ProcessText& Choose(const std::vector<ProcessText>& all, std::string_view head,
                            bool is_report) const {
    const auto find = [&all](const auto& is) {
      return std::ranges::find_if(all, [&is](const ProcessText& process) {
        return HasStacks(process.text) && is(process);
      });
    };
    auto found = all.end();
    const auto try_next = [&](const auto& is) {
      if (found == all.end()) found = find(is);
    };
    // Behind stacks, a reason is of the text that follows.
    const bool is_joined = all.front().pid == 0;
    const std::string reason = is_joined ? std::string() : SubjectOf(head);
    try_next([&](const ProcessText& process) {
      // A component of the package may run in a process with a name of its own.
      const std::string_view name = NameOf(process);
      const std::string_view package = name.substr(0, name.find(':'));
      return !package.empty() && After(reason, package).starts_with('/');
    });
    // With a reason in front, words of a log are of a text that follows.
    const bool has_log = is_report || reason.empty();
    for (const SystemWords& words : has_log ? words_ : std::vector<SystemWords>())
      try_next([&](const ProcessText& process) { return process.pid == words.pid; });
    for (const SystemWords& words : has_log ? words_ : std::vector<SystemWords>())
      try_next([&](const ProcessText& process) { return NameOf(process) == words.process; });
    if (reason.empty() && words_.empty()) {
      const auto is_application = [](const ProcessText& process) {
        return NameOf(process) != "system_server";
      };
      const auto first = find([](const ProcessText&) { return true; });
      if (first != all.end() && !is_application(*first)) {
        try_next([&](const ProcessText& process) {
          return is_application(process) && !After(process.text, "cgrp=top-app").empty();
        });
        try_next(is_application);
      }
    }
    try_next([](const ProcessText&) { return true; });
    return found == all.end() ? all.front() : *found;
  }

  static std::string_view NameOf(const ProcessText& process) {
    return LineAfter(process.text, "Cmd line: ").value_or("");
  }

  // A file that was joined with itself has no others.
  void NoteOthers(const std::vector<ProcessText>& all, const ProcessText& chosen) {
    std::vector<const ProcessText*> others;
    for (const ProcessText& process : all) {
      const auto is_same = [&process](const ProcessText& other) {
        return other.pid == process.pid && other.time.text == process.time.text;
      };
      const bool is_known =
          is_same(chosen) || std::ranges::any_of(others, [&is_same](const ProcessText* other) {
            return is_same(*other);
          });
      if (!is_known && HasStacks(process.text)) others.push_back(&process);
    }
    if (others.empty()) return;
    std::string names;
    for (size_t i = 0; i < std::min(others.size(), kMostNamed); ++i) {
      const std::string_view name = NameOf(*others[i]).substr(0, kLongestName);
      names += i == 0 ? "" : ", ";
      names += !name.empty()         ? std::string(name)
               : others[i]->pid == 0 ? "one without a pid"
                                     : fmt::format("pid {}", others[i]->pid);
    }
    if (others.size() > kMostNamed) names += " and others";
    Note(fmt::format("{} more {} in this file {} not read: {}", others.size(),
                     others.size() == 1 ? "process" : "processes",
                     others.size() == 1 ? "was" : "were", names));
  }

  // The newest ANR of the logs that has the system's lines, else null. Parts of a bug report may
  // repeat older logs.
  const SystemWords* LatestBlock() const {
    const SystemWords* latest = nullptr;
    for (const SystemWords& words : words_)
      if (!words.text.empty() &&
          (latest == nullptr || words.time.empty() || words.time >= latest->time))
        latest = &words;
    return latest;
  }

  // The time of the ANR in "CPU usage from 0ms to 6012ms later (2021-11-12 11:26:13.938 to ...":
  // the list begins or ends with it.
  static std::string TimeOfBlock(const SystemWords& words) {
    const std::string_view list = LineAfter(words.text, "CPU usage from ").value_or("");
    const std::string_view times = After(list, "(");
    const bool is_before = list.substr(0, list.find('(')).find(" ago") != std::string_view::npos;
    const std::string time = ReadTime(is_before ? After(times, " to ") : times).text;
    return time.empty() ? words.time : time;
  }

  // A log without stacks: the main thread is there, without frames.
  bool ReadBlock() {
    const SystemWords words = *LatestBlock();
    size_t others = 0;
    for (const SystemWords& other : words_)
      if (!other.text.empty() && (other.pid != words.pid || other.time != words.time)) ++others;
    model::Identity& identity = document_.identity;
    identity.pid = words.pid;
    identity.process_name = words.process;
    document_.system_reason = words.reason;
    document_.system_component = words.component;
    SetHead("the system's log of an ANR", std::string(index::kImportedLog));
    if (const std::string time = TimeOfBlock(words); !time.empty())
      document_.annotations.entries.push_back({kTimeAsWritten, time, 0});
    model::SignalCatcherText& kept = document_.signal_catcher.emplace();
    kept.source = "the system's log";
    kept.text = words.text;
    kept.full_bytes = words.text.size();
    model::ThreadStacks& stacks = document_.thread_stacks.emplace();
    stacks.threads = 1;
    model::ThreadStack& main = stacks.stacks.emplace_back();
    main.name = "main";
    main.absent = "a log has no stacks";
    AddSystemReport(words.text, &document_);
    main.tid = identity.pid;
    if (others > 0)
      Note(fmt::format("{} more {} in this log {} not read", others, others == 1 ? "ANR" : "ANRs",
                       others == 1 ? "was" : "were"));
    return true;
  }

  void SetHead(const char* trigger, std::string state) {
    document_.format_version = 1;
    document_.trigger = model::Trigger::kSigquit;
    document_.trigger_confirmed = trigger;
    document_.identity.sampler_state = std::move(state);
    document_.identity.tap = "imported";
    document_.taken_monotonic_ns = 1'000'000'000;
    document_.pending_absent = "traces hold no messages";
  }

  bool Read(const ProcessText& process, std::string_view head) {
    const std::string_view name = LineAfter(process.text, "Cmd line: ").value_or("");
    model::Identity& identity = document_.identity;
    document_.frames = FramesFor(process.text);
    TraceThreads threads =
        ReadTraceThreads(process.text, process.pid, name, &document_.frames, step_);
    if (threads.stacks.stacks.empty())
      return Fail("holds no threads; give a file of /data/anr, or a bug report");
    identity.pid = process.pid != 0 ? process.pid : threads.main_sys_tid;
    identity.process_name = name;
    if (threads.java_frames + threads.native_frames == 0)
      return Fail(fmt::format(
          "holds {} heads of threads and no frame below them; lines begin with 'at ' or '#00 pc '",
          threads.stacks.threads));
    if (threads.main_tid == 0)
      return Fail("holds no main thread: none has the pid, tid=1 or the name \"main\"");
    ReadWords(process, head);
    SetHead("the system's own traces of an ANR", "imported from the system's traces");
    SetTime(process.time, head);
    if (threads.stacks.stacks.front().tid == 0)
      threads.stacks.stacks.front().tid = threads.main_tid;
    if (threads.lines_lost > 0)
      Note(fmt::format("{} lines within threads were not understood", threads.lines_lost));
    if (!process.has_end) Note("the text ends early");
    if (threads.java_frames == 0 && !threads.has_runtime)
      Note("the runtime did not answer, so there are native stacks only");
    model::SignalCatcherText& kept = document_.signal_catcher.emplace();
    kept.source = "a file of traces";
    kept.text = system_text_ + threads.text;
    kept.full_bytes =
        std::max<uint64_t>(system_text_.size() + process.text.size(), kept.text.size());
    document_.thread_stacks = std::move(threads.stacks);
    AddTimes(threads.facts, head);
    AddRuntimeReport(process.text, &document_);
    document_.modules = std::move(threads.modules);
    return true;
  }

  // Seconds from the logs' words to the traces; nothing if a time is not written.
  static std::optional<int64_t> SecondsSince(const SystemWords& words, const ProcessText& process) {
    const uint64_t traced_ns = ReadTime(process.time.text + " Z").unix_ns;
    if (words.time.empty() || traced_ns == 0) return std::nullopt;
    const auto since = [&](uint32_t year) {
      const uint64_t ns = ReadTime(fmt::format("{:04}-{} Z", year, words.time)).unix_ns;
      return (static_cast<int64_t>(traced_ns) - static_cast<int64_t>(ns)) / 1'000'000'000;
    };
    const uint32_t year = NumberAt(process.time.text);
    // Logs have no year.
    constexpr int64_t kHalfYearS = 183 * 86'400;
    return since(year) < -kHalfYearS ? since(year - 1) : since(year);
  }

  // Seconds from the process's latest ANR in the logs to its traces; nothing without such a time.
  std::optional<int64_t> SecondsSinceAnr(const ProcessText& process) const {
    std::optional<int64_t> least;
    for (const SystemWords& words : words_) {
      const auto seconds = SecondsSince(words, process);
      if (words.pid == process.pid && seconds && (!least || *seconds < *least)) least = seconds;
    }
    return least;
  }

  // Keeps the words about this process. After several ANRs, those nearest to the traces are of
  // this one.
  void KeepOwnWords(const ProcessText& process) {
    const model::Identity& identity = document_.identity;
    std::erase_if(
        words_,
        [&identity](const SystemWords& words) {
          return words.pid != 0 && identity.pid != 0
                     ? words.pid != identity.pid
                     : !identity.process_name.empty() && words.process != identity.process_name;
        });
    const auto distance = [&process](const SystemWords& words) {
      return std::abs(SecondsSince(words, process).value_or(0));
    };
    std::ranges::stable_sort(words_, {}, distance);
    if (!words_.empty())
      std::erase_if(words_, [&, least = distance(words_.front())](const SystemWords& words) {
        return distance(words) > least + kOneAnrS;
      });
  }

  // A bug report's own traces are of the time when it was made.
  void NoteLater(const ProcessText& process) {
    const auto seconds = SecondsSinceAnr(process);
    if (seconds && *seconds <= kSoonS) return;
    document_.trigger_confirmed.clear();
    if (!seconds) {
      Note("the stacks are of the time of the bug report (VM TRACES JUST NOW), not of an ANR");
      return;
    }
    const std::string later =
        *seconds < 120 ? fmt::format("{} s", *seconds) : fmt::format("{} minutes", *seconds / 60);
    document_.annotations.entries.push_back({std::string(index::kTakenAfterAnr), later, 0});
    Note(fmt::format("the stacks were taken {} after the ANR (VM TRACES JUST NOW)", later));
  }

  void AddTimes(const std::vector<std::string>& facts, std::string_view head) {
    AddSystemReport(system_text_, &document_);
    if (!system_text_.starts_with(head.substr(0, kMaxSystemText)))
      AddSystemReport(head.substr(0, kMaxSystemText), &document_);
    const std::vector<model::ThreadStack>& stacks = document_.thread_stacks->stacks;
    for (size_t i = 0; i < std::min(facts.size(), stacks.size()); ++i)
      if (!facts[i].empty()) AddThreadTimes(stacks[i].name, stacks[i].tid, facts[i], &document_);
    if (document_.threads) document_.threads->threads = document_.thread_stacks->threads;
  }

  // AOSP 11 and later write the reason before the first process. Before, the logs have it.
  void ReadWords(const ProcessText& process, std::string_view head) {
    model::Identity& identity = document_.identity;
    document_.system_reason = SubjectOf(head);
    if (identity.process_name.empty())
      identity.process_name = LineAfter(head, "# Application: ").value_or("");
    KeepOwnWords(process);
    for (const SystemWords& words : words_) {
      if (document_.system_reason.empty()) document_.system_reason = words.reason;
      if (document_.system_component.empty()) document_.system_component = words.component;
      if (identity.process_name.empty()) identity.process_name = words.process;
      if (identity.pid == 0) identity.pid = words.pid;
      if (system_text_.empty()) system_text_ = words.text;
    }
    // Some files have the report without a log around it.
    if (system_text_.empty() && head.find("CPU usage from") != std::string_view::npos)
      system_text_ = std::string(head.substr(0, kMaxSystemText)) + "\n";
    ReadExitInfo(head);
    if (document_.system_reason.empty()) return;
    if (identity.process_name.empty()) identity.process_name = PackageIn(document_.system_reason);
    // Play Console names the activity in the line below.
    std::string_view below = Trimmed(After(head, document_.system_reason));
    below = below.substr(0, below.find('\n'));
    if (document_.system_component.empty() && IsDottedName(below))
      document_.system_component = below;
  }

  // android.app.ApplicationExitInfo as its toString() writes it, up to the trace.
  void ReadExitInfo(std::string_view head) {
    const std::string_view info = After(head, "ApplicationExitInfo(");
    if (info.empty()) return;
    const auto value = [&](std::string_view label, std::string_view end) {
      const std::string_view rest = After(info, label);
      return Trimmed(rest.substr(0, std::min(rest.find(end), rest.find('\n'))));
    };
    model::Identity& identity = document_.identity;
    if (identity.pid == 0) identity.pid = NumberAt(value("pid=", " "));
    if (identity.uid == 0) identity.uid = NumberAt(value("realUid=", " "));
    if (identity.process_name.empty()) identity.process_name = value(" process=", " ");
    std::string_view reason = value("description=", " state=");
    if (const std::string_view rest = After(reason, "user request after error: "); !rest.empty())
      reason = rest;
    if (document_.system_reason.empty()) document_.system_reason = reason;
    struct Field {
      const char* name;
      const char* label;
      const char* end;
    };
    for (const Field& field :
         {Field{"exit reason", " reason=", ") "}, Field{"exit subreason", " subreason=", ") "},
          Field{"importance", " importance=", " "}, Field{"PSS", " pss=", " "},
          Field{"RSS", " rss=", " "}}) {
      const std::string_view text = value(field.label, field.end);
      // Nothing is known of what is 0: "0 (UNKNOWN", "0.00".
      if (!text.empty() && text != "0" && !text.starts_with("0 (") && !text.starts_with("0.00"))
        document_.annotations.entries.push_back({field.name, std::string(text), 0});
    }
  }

  // Lines of xCrash's head: "Model: 'SM-A515F'".
  void AddDevice(std::string_view head) {
    if (!LineAfter(head, "Tombstone maker: 'xCrash")) return;
    for (const std::string_view label :
         {"App version", "API level", "OS version", "Manufacturer", "Model"}) {
      std::string_view value = LineAfter(head, std::string(label) + ": '").value_or("");
      value = value.substr(0, value.find('\''));
      if (!value.empty())
        document_.annotations.entries.push_back({std::string(label), std::string(value), 0});
    }
  }

  void SetTime(WrittenTime time, std::string_view head) {
    if (time.text.empty()) time = ReadTime(LineAfter(head, "timestamp=").value_or(""));
    if (time.text.empty())
      time = ReadTime(After(After(head, "ApplicationExitInfo("), "timestamp="));
    // xCrash: "Crash time: '2021-03-04T10:11:12.000+0100'".
    if (time.text.empty()) {
      const std::string_view quoted = LineAfter(head, "Crash time: '").value_or("");
      time = ReadTime(quoted.substr(0, quoted.find('\'')));
    }
    AddDevice(head);
    document_.taken_realtime_ns = time.unix_ns;
    if (time.unix_ns == 0 && !time.text.empty())
      document_.annotations.entries.push_back({kTimeAsWritten, time.text, 0});
  }

  model::Document& document_;
  std::string& notes_;
  std::string& error_;
  const ReadStep& step_;
  std::vector<SystemWords> words_;
  std::string system_text_;
};

}  // namespace

bool ImportAnrTraces(std::string_view text, model::Document* document, std::string* notes,
                     std::string* error, const ReadStep& step) {
  return Importer(document, notes, error, step).Import(text);
}

}  // namespace stillframe::input
