// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/recognition.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tools/stillframe/input/bare_stack.h"
#include "tools/stillframe/input/escaped_text.h"
#include "tools/stillframe/input/imported_message.h"
#include "tools/stillframe/input/lines.h"
#include "tools/stillframe/input/pasted_text.h"
#include "tools/stillframe/input/system_reason.h"
#include "tools/stillframe/input/thread_head.h"

namespace stillframe::input {
namespace {

using nlohmann::json;

constexpr std::string_view kKnown =
    "none of the formats known; give a dump, traces of an ANR, a bug report, an issue of Matrix, a "
    "log of BlockCanary, preorder text or collapsed stacks";

bool HasLine(std::string_view text, std::string_view begin) {
  return LineAfter(text, begin).has_value();
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// In preorder text, three numbers follow each frame.
bool IsPreorder(std::string_view text) {
  const size_t first = text.find(';');
  if (first == std::string_view::npos) return false;
  const size_t end = text.find_first_not_of("0123456789", first + 1);
  return end != std::string_view::npos && end > first + 1 && text[end] == ';';
}

// Frames are names of methods: none is a number, and with blanks they have signs of a name.
bool IsLikeStack(std::string_view stack) {
  const bool has_blank = stack.find(' ') != std::string_view::npos;
  size_t frames = 0;
  size_t named = 0;
  while (!stack.empty()) {
    const size_t end = std::min(stack.find(';'), stack.size());
    const std::string_view frame = Trimmed(stack.substr(0, end));
    stack.remove_prefix(std::min(end + 1, stack.size()));
    if (frame.empty()) continue;
    if (frame.find_first_not_of("0123456789.") == std::string_view::npos) return false;
    ++frames;
    named += frame.find_first_of("./[(") != std::string_view::npos ||
                     frame.find("::") != std::string_view::npos
                 ? 1U
                 : 0U;
  }
  return !has_blank || named * 2 >= frames;
}

// A line is a stack and a number. A text whose stacks have one frame only has no blanks in them.
bool IsCollapsed(std::string_view text) {
  size_t lines = 0;
  size_t good = 0;
  size_t deep = 0;
  size_t plain = 0;
  size_t alike = 0;
  ForEachLine(text.substr(0, 1U << 20U), [&](std::string_view raw) {
    const std::string_view line = Trimmed(raw);
    if (line.empty()) return;
    ++lines;
    const size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos || blank == 0) return;
    const std::string_view number = line.substr(blank + 1);
    if (number.find_first_not_of("0123456789") != std::string_view::npos) return;
    ++good;
    alike += IsLikeStack(line.substr(0, blank)) ? 1U : 0U;
    deep += line.find(';') < blank ? 1U : 0U;
    plain += line.find(' ') == blank ? 1U : 0U;
  });
  // The last line may be cut.
  return good > 0 && good * 10 + 10 >= lines * 9 && good + 1 >= lines * 9 / 10 &&
         alike * 3 >= good * 2 && (deep * 2 >= good || plain == good);
}

// Heads without numbers count with frames below.
bool HasThreadHead(std::string_view text) {
  bool has = false;
  bool is_below = false;
  ForEachLine(text, [&](std::string_view raw) {
    if (has) return;
    const std::string_view line = Trimmed(raw);
    has = is_below && line.starts_with("at ");
    ThreadHead head;
    const bool is_numbered = Has(line, "id=") || Has(line, " prio=");
    const bool may_be =
        is_numbered || line.ends_with("):") || Has(line, " (state = ") || line.starts_with("#");
    const bool is_head = may_be && ParseThreadHead(line, &head);
    has = has || (is_head && is_numbered);
    is_below = is_head;
  });
  return has;
}

bool IsMatrix(std::string_view text) {
  return Has(text, "\"threadStack\"") || Has(text, "\"stackKey\"") ||
         Has(text, "Trace_EvilMethod") ||
         (Has(text, "\"stack\"") &&
          (Has(text, "\"cost\"") || Has(text, "\"content\"") || Has(text, "\"tag\"")));
}

struct Magic {
  std::string_view begin;
  std::string_view refusal;
};
constexpr std::array kMagics = {
    Magic{"PK\x03\x04", "is a zip; unpack it and give its bugreport-*.txt or FS/data/anr/anr_*"},
    Magic{"JAVA PROFILE ", "is a heap dump, "},
    Magic{"\x7F"
          "ELF",
          "is a program or a library, "},
    Magic{"SIMPLEPERF", "is a recording of simpleperf; give the collapsed stacks of its report"},
    Magic{"PERFILE2", "is a recording of perf; give its collapsed stacks (stackcollapse-perf.pl)"},
    Magic{"\x1f\x8b", "is compressed twice; unpack it first"},
};

std::string WithKnown(std::string_view refusal) {
  std::string text(refusal);
  return text.ends_with(", ") ? text.append(kKnown) : text;
}

bool IsJson(std::string_view text) {
  const std::string_view whole = Trimmed(text);
  return whole.starts_with('{') || whole.starts_with('[');
}

// A frame as it is between others: "a.B.c (B.java:12)", without "at ".
bool IsBareFrame(std::string_view line) {
  const size_t open = line.find('(');
  const std::string_view method = Trimmed(line.substr(0, open));
  return open != std::string_view::npos && line.ends_with(')') && Has(method, ".") &&
         !Has(method, " ") && (Has(line, ".java") || Has(line, ".kt") || Has(line, "(Native"));
}

bool HasBareFrames(std::string_view text) {
  size_t frames = 0;
  ForEachLine(text, [&frames](std::string_view line) { frames += IsBareFrame(Trimmed(line)); });
  return frames >= 3;
}

// Reports of other tools and of the system, without the threads of the process.
std::string_view ReportOf(std::string_view text) {
  const bool is_json = IsJson(text);
  if (is_json && Has(text, "\"errorClass\"") && Has(text, "\"stacktrace\""))
    return "is an event of Bugsnag, which is not read; give the traces of the ANR as the system "
           "wrote them";
  if (is_json && Has(text, "\"stacktrace\"") &&
      (Has(text, "\"event_id\"") || Has(text, "\"exception\"")))
    return "is an event of Sentry, which is not read; give the traces of the ANR as the system "
           "wrote them";
  if (Has(text, "ApplicationNotResponding"))
    return "is Sentry's view of an ANR, which is not read; give the traces that Sentry keeps as an "
           "attachment, or a file of /data/anr";
  if (HasLine(text, "ANR ") && HasLine(text, "at "))
    return "is the stack of one thread alone, as crash reporters show an ANR, without the threads "
           "of "
           "the process; give the traces of the ANR as the system wrote them";
  if (is_json && Has(text, "\"Trace_"))
    return "is an issue of Matrix without a stack; give its Trace_EvilMethod or Trace_SignalAnr "
           "issues";
  if (HasLine(text, "Full thread dump"))
    return "is a thread dump of a desktop's JVM (jstack), not of Android; give a file of /data/anr "
           "or a bug report";
  if (HasLine(text, "Content-Transfer-Encoding: base64"))
    return "is a mail in base64; save its text or attachment from the mail program and give this";
  if (Has(text, "ApplicationExitInfo") ||
      (is_json && Has(text, "\"reason\"") && Has(text, "\"processName\"")))
    return "is an ApplicationExitInfo without a trace; give what its getTraceInputStream() returns";
  if (Has(text, "ANR in ") && Has(text, "Reason: "))
    return "is the system's report of an ANR without stacks; give the file of /data/anr or a bug "
           "report";
  return {};
}

// Known forms whose stacks are not read, by their own lines.
std::string_view RefusalOf(std::string_view text) {
  if (const std::string_view report = ReportOf(text); !report.empty()) return report;
  if (Has(text, "*** *** ***") && (Has(text, "signal ") || Has(text, "backtrace:")))
    return "is a tombstone of a native crash, ";
  const bool is_page = text.substr(0, 200).find("<html") != std::string_view::npos ||
                       text.substr(0, 200).find("<!DOCTYPE") != std::string_view::npos;
  return is_page ? "is a page of HTML, " : std::string_view();
}

// Texts without a readable stack, by what they hold.
std::string_view RemainsOf(std::string_view text) {
  const bool has_frames = HasLine(text, "at ");
  if (!has_frames && HasBareFrames(text))
    return "holds Java frames without 'at ' in front, as a web page shows them; give the text that "
           "the page offers for download";
  if (has_frames && (Has(text, "Exception") || Has(text, "Error")))
    return "is the stack of a Java exception, without the threads of the process, ";
  if (has_frames)
    return "holds Java frames without the head of a thread of Android ('\"main\" prio=5 tid=1'), ";
  if (Has(text, "\" prio=") || Has(text, "DALVIK THREADS")) return "holds no thread with a stack, ";
  if (HasLine(text, "#00 pc ")) return "holds native frames without the head of a thread, ";
  if (Has(text, " cycles:") || Has(text, "cpu-clock:")) return "is text of perf script, ";
  return {};
}

// A head and a frame in one line.
bool IsInOneLine(std::string_view text) {
  size_t lines = 0;
  bool is = false;
  ForEachLine(Trimmed(text), [&](std::string_view line) {
    ++lines;
    is = is || Has(After(After(line, "\" prio="), " tid="), " at ");
  });
  return is && lines < 3;
}

std::string WaitingChannels(std::string_view text) {
  std::string refusal = "holds no stacks, only waiting channels of process ";
  refusal += std::to_string(NumberAfter(text, "Waiting Channels: pid "));
  const std::string_view reason = LineAfter(text, "Subject: ").value_or("");
  if (reason.empty()) return refusal + "; give another ANR's file";
  refusal.append("; the system says: ").append(reason);
  return refusal;
}

// Strings of a JSON document that hold traces, with the facts of an ApplicationExitInfo beside
// them. "": none.
class TracesInJson {
 public:
  // An ANR in the foreground comes first.
  static std::string Find(std::string_view text, std::string* notes) {
    const json read = json::parse(text, nullptr, false);
    TracesInJson search;
    if (!read.is_discarded()) {
      search.Visit(read, 0);
    } else {  // one document a line
      ForEachLine(
          text,
          [&search](std::string_view line) {
            const json record = json::parse(line, nullptr, false);
            if (!record.is_discarded()) search.Visit(record, 0);
          });
    }
    if (search.found_.empty()) return {};
    const size_t others = search.found_.size() - 1;
    if (others > 0) {
      *notes += (notes->empty() ? "" : "; ") + std::to_string(others) +
                (others == 1 ? " more record with traces was not read"
                             : " more records with traces were not read");
    }
    return std::move(std::ranges::max_element(search.found_, {}, &Found::rank)->text);
  }

 private:
  void Visit(const json& value, int depth) {
    if (depth > 16 || found_.size() > 1000) return;
    if (value.is_object()) {
      for (const auto& [name, member] : value.items())
        if (const std::string text = TextOf(member); HasThreadHead(text)) {
          found_.push_back({FactsOf(value) + SubjectBeside(value, name) + text, RankOf(value)});
          return;
        }
    } else if (const std::string text = TextOf(value); HasThreadHead(text)) {
      found_.push_back({text, 0});
      return;
    }
    if (value.is_string() && IsJson(value.get_ref<const std::string&>())) {
      const json inner = json::parse(value.get_ref<const std::string&>(), nullptr, false);
      if (!inner.is_discarded()) Visit(inner, depth + 1);
      return;
    }
    if (value.is_structured())
      for (const json& member : value) Visit(member, depth + 1);
  }

  // A string, or a list of lines; "": another value.
  static std::string TextOf(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return {};
    std::string text;
    for (const json& line : value) {
      if (!line.is_string() || Has(line.get_ref<const std::string&>(), "\n")) return {};
      text.append(line.get_ref<const std::string&>()) += '\n';
    }
    return text;
  }

  // A reason in another member than the trace.
  static std::string SubjectBeside(const json& object, const std::string& trace) {
    for (const auto& [name, member] : object.items()) {
      if (name == trace || !member.is_string()) continue;
      const std::string_view text = member.get_ref<const std::string&>();
      const std::string_view reason = ReasonOf(Trimmed(text.substr(0, text.find('\n'))));
      if (!reason.empty()) return "Subject: " + std::string(reason) + "\n";
    }
    return {};
  }

  struct Found {
    std::string text;
    int rank = 0;
  };

  // By the reason and importance of an ApplicationExitInfo.
  static int RankOf(const json& object) {
    constexpr int kReasonAnr = 6;
    constexpr int kForeground = 100;
    const auto reason = object.find("reason");
    const auto importance = object.find("importance");
    const bool is_anr =
        reason != object.end() &&
        (*reason == kReasonAnr ||
         (reason->is_string() && Has(reason->get_ref<const std::string&>(), "ANR")));
    return (is_anr ? 2 : 0) + (importance != object.end() && *importance == kForeground ? 1 : 0);
  }

  // In the form of ApplicationExitInfo.toString().
  static std::string FactsOf(const json& object) {
    const auto text = [&object](std::initializer_list<const char*> names) {
      for (const char* name : names) {
        const auto found = object.find(name);
        if (found == object.end()) continue;
        return found->is_string() ? found->get<std::string>() : found->dump();
      }
      return std::string();
    };
    const std::string description = text({"description", "reasonDescription"});
    const std::string process = text({"processName", "process"});
    if (description.empty() && process.empty()) return {};
    return "ApplicationExitInfo(timestamp=" + text({"timestamp", "time"}) +
           " pid=" + text({"pid"}) + " realUid=" + text({"realUid", "uid"}) +
           " process=" + process + " reason=" + text({"reason"}) +
           ") importance=" + text({"importance"}) + " description=" + description + " state=\n";
  }

  std::vector<Found> found_;
};

Form FormOf(std::string_view name) {
  constexpr std::array kNames = {
      std::pair{std::string_view("traces"), Form::kTraces},
      std::pair{std::string_view("matrix"), Form::kMatrix},
      std::pair{std::string_view("blockcanary"), Form::kBlockCanary},
      std::pair{std::string_view("article"), Form::kPreorder},
      std::pair{std::string_view("collapsed"), Form::kCollapsed},
  };
  const auto found = std::ranges::find(kNames, name, [](const auto& each) { return each.first; });
  return found == kNames.end() ? Form::kUnknown : found->second;
}

// Nothing says that the stack is of an ANR.
bool ImportBareStack(const BareStack& stack, model::Document* document, std::string* notes,
                     std::string* error) {
  if (!ImportAnrTraces(stack.traces, document, notes, error)) return false;
  document->trigger = model::Trigger::kUnknown;
  document->trigger_confirmed.clear();
  document->signal_catcher->source = "a stack";
  AddNote(stack.is_main ? "the thread's head is missing: it is the main thread by its last frame, "
                          "and its state is not known"
                        : "the thread's head is missing: its name and state are not known",
          notes);
  if (stack.others > 0)
    AddNote(std::to_string(stack.others) +
                (stack.others == 1 ? " more stack was not read" : " more stacks were not read"),
            notes);
  return true;
}

bool Read(Form form, std::string_view text, const AnyImport& import, model::Document* document,
          std::string* notes, std::string* error) {
  switch (form) {
    case Form::kTraces: return ImportAnrTraces(text, document, notes, error, import.step);
    case Form::kFrames: return ImportBareStack(*FindBareStack(text), document, notes, error);
    case Form::kMatrix: return ImportMatrixIssue(text, import.methods, document, notes, error);
    case Form::kBlockCanary: return ImportBlockLog(text, document, notes, error);
    case Form::kPreorder: return ImportPreorderText(text, import.options, document, error);
    default: return ImportCollapsed(text, import.options, document, notes, error);
  }
}

}  // namespace

Recognition Recognise(std::string_view text) {
  const std::string_view whole = Trimmed(text);
  if (whole.empty()) return {Form::kUnknown, "is empty, " + std::string(kKnown)};
  if (IsInOneLine(text) && !IsJson(text))
    return {Form::kUnreadable,
            "is all in one line: its line ends were lost; give the file as the system wrote it"};
  if (IsMatrix(text) && Has(text, "{")) return {Form::kMatrix};
  if (HasThreadHead(text) || HasLine(text, "----- pid ")) {
    const bool has_marks = Has(text, " prio=");
    if (!HasThreadHead(text) && !has_marks && Has(text, "Waiting Channels: pid"))
      return {Form::kUnreadable, WaitingChannels(text)};
    return {Form::kTraces};
  }
  if (HasLine(text, "== dumpstate: ") || HasLine(text, "------ VM TRACES")) return {Form::kTraces};
  if (HasLine(text, "time = ") && HasLine(text, "stack =")) return {Form::kBlockCanary};
  if (IsPreorder(text)) return {Form::kPreorder};
  if (IsCollapsed(text)) return {Form::kCollapsed};
  if (Has(text, "Waiting Channels: pid")) {
    // The stacks may be there in a form that is not known.
    if (Has(text, " prio="))
      return {
          Form::kUnreadable,
          "no stack could be read: no line begins with '\"main\" prio=5 tid=1'; give the file as "
          "the system wrote it"};
    return {Form::kUnreadable, WaitingChannels(text)};
  }
  // The system's log of an ANR.
  // A long log begins with a bracket, as JSON does.
  if (Has(text, "ANR in ") && Has(text, "Reason: ") &&
      (Has(text, "PID: ") || Has(text, "CPU usage from ")) && !(IsJson(text) && json::accept(text)))
    return {Form::kTraces};
  std::string_view refusal = RefusalOf(text);
  if (refusal.empty() && !IsJson(text) && FindBareStack(text)) return {Form::kFrames};
  if (refusal.empty()) refusal = RemainsOf(text);
  if (!refusal.empty()) return {Form::kUnreadable, WithKnown(refusal)};
  if (IsJson(text))
    return {Form::kUnknown, "is JSON, but not an issue of Matrix, " + std::string(kKnown)};
  return {Form::kUnknown, "is " + std::string(kKnown)};
}

bool ImportAny(std::string bytes, const AnyImport& import, model::Document* document,
               std::string* notes, std::string* error) {
  notes->clear();
  // Before the text is unwrapped: these are not text.
  for (const Magic& magic : kMagics) {
    if (!bytes.starts_with(magic.begin)) continue;
    *error = WithKnown(magic.refusal);
    return false;
  }
  PastedText pasted = Unwrap(std::move(bytes));
  if (!pasted.notes.empty()) *notes = "removed " + pasted.notes;
  if (IsJson(pasted.text) && (import.format.empty() || import.format == "traces")) {
    std::string traces = TracesInJson::Find(pasted.text, notes);
    // A document that does not parse may be a log or cut. Its strings may hold strings.
    constexpr int kMaxDepth = 3;
    auto plain = traces.empty() ? WithoutEscapes(pasted.text, true) : std::nullopt;
    for (int depth = 0; plain && depth < kMaxDepth; ++depth) {
      traces = *std::move(plain);
      plain = HasThreadHead(traces) ? std::nullopt : WithoutEscapes(traces, true);
    }
    if (HasThreadHead(traces)) pasted.text = std::move(traces);
  }
  Recognition found =
      import.format.empty() ? Recognise(pasted.text) : Recognition{FormOf(import.format)};
  if (found.form == Form::kUnreadable || found.form == Form::kUnknown) {
    *error = found.refusal;
    return false;
  }
  return Read(found.form, pasted.text, import, document, notes, error);
}

}  // namespace stillframe::input
