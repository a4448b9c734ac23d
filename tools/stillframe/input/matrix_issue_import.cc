// SPDX-License-Identifier: Apache-2.0
// Reads issues as messages. A stack's entries are in preorder.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/input/field_import.h"
#include "tools/stillframe/input/imported_message.h"
#include "tools/stillframe/input/lines.h"

namespace stillframe::input {
namespace {

using nlohmann::json;
using MethodNames = std::map<uint32_t, std::string, std::less<>>;

constexpr size_t kMaxIssues = 10'000;
constexpr size_t kMaxEntries = 100'000;  // of one stack
constexpr uint32_t kMaxDepth = 2'000;
constexpr int64_t kLongestMs = 86'400'000;
constexpr int kDeepest = 16;        // values inside each other
constexpr size_t kMostNotes = 3;    // further ones are counted
constexpr size_t kReadsOfText = 8;  // so often is each byte read on average, at most

struct Entry {
  uint32_t depth = 0;
  uint32_t id = 0;
  uint64_t count = 0;
  uint64_t ms = 0;
};

template <typename Number>
bool Take(std::string_view* text, char end, Number* value) {
  const size_t length = std::min(text->find(end), text->size());
  const auto [last, code] = std::from_chars(text->data(), text->data() + length, *value);
  const bool is_number = code == std::errc() && last == text->data() + length;
  text->remove_prefix(std::min(length + 1, text->size()));
  return is_number;
}

// Some logs escape line ends twice.
std::string WithLineEnds(std::string text) {
  for (size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at))
    text.replace(at, 2, "\n");
  return text;
}

// Nothing if the text is not a stack.
std::optional<std::vector<Entry>> EntriesOf(std::string_view text) {
  std::vector<Entry> entries;
  bool is_stack = true;
  ForEachLine(text, [&](std::string_view raw) {
    std::string_view line = Trimmed(raw);
    if (line.empty() || !is_stack) return;
    Entry entry;
    const uint32_t deepest = entries.empty() ? 0 : entries.back().depth + 1;
    is_stack = Take(&line, ',', &entry.depth) && Take(&line, ',', &entry.id) &&
               Take(&line, ',', &entry.count) && Take(&line, ',', &entry.ms) &&
               entry.depth <= std::min(deepest, kMaxDepth) && entry.ms <= UINT32_MAX / 1000 &&
               entries.size() < kMaxEntries;
    entries.push_back(entry);
  });
  return is_stack ? std::optional(std::move(entries)) : std::nullopt;
}

// Each line is "17,1,com.example.Cart load (I)V".
void ReadMethodMapping(std::string_view text, MethodNames* names) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  ForEachLine(text, [names](std::string_view raw) {
    std::string_view line = Trimmed(raw);
    uint32_t id = 0;
    uint32_t access = 0;
    if (!Take(&line, ',', &id) || !Take(&line, ',', &access)) return;
    std::string name(line.substr(0, line.find(' ', line.find(' ') + 1)));
    std::ranges::replace(name, ' ', '.');
    std::ranges::replace(name, '/', '.');
    (*names)[id] = std::move(name);
  });
}

std::string TextOf(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// -1 if there is none. Some servers write numbers as text.
int64_t NumberOf(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return -1;
  if (found->is_number_unsigned())
    return static_cast<int64_t>(std::min<uint64_t>(found->get<uint64_t>(), INT64_MAX));
  if (found->is_number_integer()) return found->get<int64_t>();
  if (found->is_number_float()) {
    const double value = found->get<double>();
    return value >= 0 && value < 9e15 ? std::llround(value) : -1;
  }
  const std::string text = TextOf(object, name);
  std::string_view digits = text;
  int64_t value = -1;
  return Take(&digits, ',', &value) ? value : -1;
}

// Issues in a text, in order.
class IssueFinder {
 public:
  explicit IssueFinder(std::string_view text) : text_(text), left_(text.size() * kReadsOfText) {}

  void Find() {
    for (size_t at = text_.find('{'); at != std::string_view::npos; at = text_.find('{', at)) {
      const size_t end = IsObject(at) ? EndOfObject(at) : 0;
      json value = end == 0 ? json(json::value_t::discarded) : Parsed(text_.substr(at, end - at));
      if (value.is_discarded()) {
        if (left_ == 0) return;
        ++at;
        continue;
      }
      ++objects_;
      const size_t before = issues_.size();
      Visit(std::move(value), 0);
      if (issues_.size() > before) is_cut_ = false;
      at = end;
    }
  }

  const std::vector<json>& issues() const { return issues_; }
  size_t objects() const { return objects_; }
  bool is_cut() const { return is_cut_; }

 private:
  // A name or the end follows the brace.
  bool IsObject(size_t at) const {
    const size_t next = text_.find_first_not_of(" \t\r\n", at + 1);
    return next != std::string_view::npos && (text_[next] == '"' || text_[next] == '}');
  }

  // The place behind the brace that matches the one at `at`; 0: none does.
  size_t EndOfObject(size_t at) {
    size_t depth = 0;
    bool is_string = false;
    for (size_t i = at; i < text_.size() && left_ > 0; ++i, --left_) {
      const char c = text_[i];
      if (is_string && c == '\\')
        ++i;
      else if (c == '"')
        is_string = !is_string;
      else if (!is_string && c == '{')
        ++depth;
      else if (!is_string && c == '}' && --depth == 0)
        return i + 1;
    }
    is_cut_ = is_cut_ || text_.find("\"stack", at) != std::string_view::npos;
    return 0;
  }

  // Logs may have broken the lines of a string.
  static json Parsed(std::string_view text) {
    json value = json::parse(text, nullptr, false);
    if (!value.is_discarded() || text.find('\n') == std::string_view::npos) return value;
    std::string joined;
    bool is_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) is_string = !is_string;
      if (is_string && text[i] == '\n')
        joined += "\\n";
      else
        joined += is_string && text[i] == '\t' ? ' ' : text[i];
    }
    return json::parse(joined, nullptr, false);
  }

  static bool HasStack(const json& value) {
    return value.is_object() && (value.contains("stack") || value.contains("threadStack"));
  }

  // A string may hold JSON.
  static json Unpacked(const json& value) {
    if (!value.is_string()) return value;
    const std::string_view text = Trimmed(value.get_ref<const std::string&>());
    if (!text.starts_with('{') && !text.starts_with('[')) return nullptr;
    json read = json::parse(text, nullptr, false);
    return read.is_discarded() ? json() : read;
  }

  // Fields beside "content" count unless it has them itself.
  void Visit(json value, int depth) {
    if (depth > kDeepest || issues_.size() > kMaxIssues) return;
    if (value.is_object() && value.contains("content")) {
      json content = Unpacked(value["content"]);
      if (HasStack(content)) {
        for (const auto& [name, field] : value.items())
          if (name != "content" && !content.contains(name)) content[name] = field;
        issues_.push_back(std::move(content));
        return;
      }
    }
    if (HasStack(value)) {
      issues_.push_back(std::move(value));
      return;
    }
    if (!value.is_structured()) return;
    for (const json& member : value) {
      json inner = Unpacked(member);
      if (inner.is_structured()) Visit(std::move(inner), depth + 1);
    }
  }

  std::string_view text_;
  size_t left_;  // bytes that may still be read
  std::vector<json> issues_;
  size_t objects_ = 0;
  bool is_cut_ = false;
};

class IssueReader {
 public:
  IssueReader(MethodNames names, model::Document* document)
      : names_(std::move(names)), document_(*document) {}

  // Returns "", or what is wrong.
  std::string Read(const json& issue) {
    const std::string stack = WithLineEnds(TextOf(issue, "stack"));
    const std::vector<model::FrameId> main = MainStack(TextOf(issue, "threadStack"));
    const auto entries = EntriesOf(stack);
    const bool has_entries = entries && !entries->empty();
    if (!has_entries && main.empty()) return WhyUnreadable(issue, stack);
    std::optional<model::TraceTree> tree;
    if (has_entries) tree = TreeOf(issue, *entries);
    if (main.empty() && tree->empty()) return "has a stack without any time";
    // For an ANR, names of the main thread's methods tell more than numbers without a mapping.
    const bool has_names = !tree || HasNames(issue, *entries);
    nameless_ += has_names ? 0U : 1U;
    if (tree && !main.empty() && IsAnr(issue) && !has_names) tree.reset();
    const int64_t wall_ns = std::clamp<int64_t>(NumberOf(issue, "cost"), 0, kLongestMs) * 1'000'000;
    if (!main.empty()) KeepMain(issue, main);
    if (tree && !tree->empty())
      AddMessageOf(issue, std::move(*tree), wall_ns);
    else if (wall_ns > 0)
      AddMessage(wall_ns, &document_);
    Describe(issue);
    return "";
  }

  // Trees are recorded calls, except those of this project's own issues, which have names.
  bool is_recorded() const { return sampled_ == 0; }
  size_t main_stacks() const { return main_stacks_; }
  size_t nameless() const { return nameless_; }

 private:
  // A stack of the main thread at the ANR, or shortly after it.
  static bool IsAnr(const json& issue) {
    const std::string detail = TextOf(issue, "detail");
    return detail == "ANR" || detail == "SIGNAL_ANR";
  }

  bool HasNames(const json& issue, const std::vector<Entry>& entries) const {
    const MethodNames own = NamesOf(issue);
    return std::ranges::any_of(entries, [&](const Entry& entry) {
      return own.contains(entry.id) || names_.contains(entry.id);
    });
  }

  static std::string WhyUnreadable(const json& issue, std::string_view stack) {
    const auto found = issue.find("stack");
    const bool has_stack = found != issue.end();
    if (has_stack && !found->is_string() && !found->is_null())
      return "is not an issue of Matrix with a stack: its stack is not a text";
    if (!Trimmed(stack).empty()) return "has a stack that is not of the form depth,id,count,ms";
    return has_stack ? "has an empty stack" : "has no frames in its threadStack";
  }

  MethodNames NamesOf(const json& issue) const {
    MethodNames names;
    const auto methods = issue.find("methods");
    if (methods == issue.end() || !methods->is_object()) return names;
    for (const auto& [id, name] : methods->items()) {
      uint32_t number = 0;
      std::string_view digits = id;
      if (Take(&digits, ',', &number) && name.is_string()) names[number] = name;
    }
    return names;
  }

  std::string NameOf(uint32_t id, const MethodNames& own) const {
    for (const MethodNames* names : {&own, &names_})
      if (const auto name = names->find(id); name != names->end()) return name->second;
    return std::to_string(id);
  }

  // An entry's own time is its time minus its children's.
  model::TraceTree TreeOf(const json& issue, const std::vector<Entry>& entries) {
    std::vector<uint64_t> own_ms;
    std::vector<size_t> path;  // entry by depth
    for (const Entry& entry : entries) {
      path.resize(entry.depth);
      if (!path.empty()) own_ms[path.back()] -= std::min(own_ms[path.back()], entry.ms);
      path.push_back(own_ms.size());
      own_ms.push_back(entry.ms);
    }
    const auto count = static_cast<uint32_t>(entries.size());
    const MethodNames names = NamesOf(issue);
    model::TraceTree tree(NextToken(document_), {.max_samples = std::max(count, 2U),
                                                 .max_nodes = 2 * count + 4 * (kMaxDepth + 2)});
    std::vector<model::FrameId> stack;
    uint64_t wall_us = 0;
    for (size_t i = 0; i < entries.size(); ++i) {
      stack.resize(entries[i].depth);
      stack.push_back(AddFrame(NameOf(entries[i].id, names), "", &document_.frames));
      if (own_ms[i] == 0) continue;
      wall_us = std::min<uint64_t>(wall_us + own_ms[i] * 1000, UINT32_MAX);
      tree.Add(stack, {static_cast<uint32_t>(wall_us), static_cast<uint32_t>(own_ms[i] * 1000), 0,
                       model::ThreadState::kUnknown});
    }
    return tree;
  }

  // "at android.os.SystemClock:sleep(127)", or as Java writes it. Innermost frame first.
  std::vector<model::FrameId> MainStack(std::string text) {
    std::vector<model::FrameId> frames;
    const std::string lines = WithLineEnds(std::move(text));
    ForEachLine(lines, [&](std::string_view raw) {
      std::string_view line = Trimmed(raw);
      if (line.starts_with("at ")) line = Trimmed(line.substr(3));
      const size_t open = line.find('(');
      if (open == std::string_view::npos || open == 0 || !line.ends_with(')') ||
          line.substr(0, open).find(' ') != std::string_view::npos || frames.size() > kMaxDepth)
        return;
      const std::string_view inside = line.substr(open + 1, line.size() - open - 2);
      const size_t colon = line.substr(0, open).find(':');
      if (colon == std::string_view::npos)
        frames.push_back(AddFrame(line.substr(0, open), inside, &document_.frames));
      else
        frames.push_back(AddFrame(line.substr(0, colon), line.substr(colon + 1, open - colon - 1),
                                  ":" + std::string(inside), &document_.frames));
    });
    return frames;
  }

  // The latest one stays.
  void KeepMain(const json& issue, std::vector<model::FrameId> frames) {
    ++main_stacks_;
    const int64_t pid = NumberOf(issue, "pid");
    if (pid > 0 && pid <= INT32_MAX) document_.identity.pid = static_cast<uint32_t>(pid);
    model::ThreadStack main;
    main.tid = document_.identity.pid == 0 ? 1 : document_.identity.pid;
    main.name = "main";
    main.source = model::StackSource::kStoodStill;
    main.frames = std::move(frames);
    model::ThreadStacks& stacks = document_.thread_stacks.emplace();
    stacks.threads = 1;
    stacks.stacks.push_back(std::move(main));
  }

  void AddMessageOf(const json& issue, model::TraceTree tree, int64_t wall_ns) {
    const bool is_own = issue.contains("methods");
    model::Message* message = AddMessage(std::move(tree), &document_);
    if (wall_ns > 0) SetWall(wall_ns, message, &document_);
    if (!is_own) message->samples = 0;
    sampled_ += is_own ? 1U : 0U;
  }

  void Describe(const json& issue) {
    if (const std::string name = TextOf(issue, "process"); !name.empty())
      document_.identity.process_name = name;
    document_.annotations.scene = TextOf(issue, "scene");
    // No stacks are known for the CPU time in "usage", so it becomes an annotation.
    for (const char* name : {"usage", "detail", "machine", "stackKey"})
      if (const std::string text = TextOf(issue, name); !text.empty()) Annotate(name, text);
    if (TextOf(issue, "detail") == "SIGNAL_ANR") {
      document_.trigger = model::Trigger::kSigquit;
      document_.trigger_confirmed = "Matrix's issue SIGNAL_ANR";
    }
    const int64_t time_ms = NumberOf(issue, "time");
    if (time_ms > 0 && time_ms < INT64_MAX / 1'000'000)
      document_.taken_realtime_ns = static_cast<uint64_t>(time_ms) * 1'000'000;
  }

  void Annotate(const char* name, const std::string& text) {
    auto& entries = document_.annotations.entries;
    const bool is_known = std::ranges::any_of(entries, [&](const model::Annotation& entry) {
      return entry.name == name && entry.value == text;
    });
    if (!is_known) entries.push_back({name, text, 0});
  }

  MethodNames names_;
  model::Document& document_;
  size_t sampled_ = 0;
  size_t main_stacks_ = 0;
  size_t nameless_ = 0;  // issues with numbers for methods only
};

std::string WhyNone(const IssueFinder& finder) {
  if (finder.is_cut()) return "ends within an issue: its last brace is missing";
  return finder.objects() == 0 ? "holds no JSON object; give an issue of Matrix"
                               : "holds no issue of Matrix with \"stack\" or \"threadStack\"";
}

// Stacks without messages are one look at the main thread.
void SetKind(const IssueReader& reader, model::Document* document) {
  document->format_version = 1;
  if (reader.is_recorded()) document->identity.sampler_state = index::kRecordedCalls;
  if (document->identity.process_name.empty()) document->identity.process_name = "imported";
  if (!document->history.empty()) return;
  document->identity.tap = "imported";
  document->taken_monotonic_ns = 1'000'000'000;
}

}  // namespace

bool ImportMatrixIssue(std::string_view text, std::string_view methods, model::Document* document,
                       std::string* notes, std::string* error) {
  document->frames = FramesForBytes(text.size() + methods.size());
  MethodNames names;
  ReadMethodMapping(methods, &names);
  IssueFinder finder(text);
  finder.Find();
  IssueReader reader(std::move(names), document);
  std::vector<std::string> problems;
  const std::vector<json>& issues = finder.issues();
  for (size_t i = 0; i < issues.size(); ++i) {
    const std::string problem =
        i >= kMaxIssues ? "is one too many; give a part of them" : reader.Read(issues[i]);
    if (!problem.empty()) problems.push_back("issue " + std::to_string(i + 1) + " " + problem);
  }
  if (problems.size() == issues.size()) {
    *error = problems.empty() ? WhyNone(finder) : problems.front();
    return false;
  }
  for (size_t i = 0; i < std::min(problems.size(), kMostNotes); ++i) AddNote(problems[i], notes);
  if (problems.size() > kMostNotes)
    AddNote(std::to_string(problems.size() - kMostNotes) + " more issues cannot be read", notes);
  if (finder.is_cut()) AddNote("the last issue is cut off", notes);
  if (reader.nameless() > 0)
    AddNote("methods are numbers; 'import --methods methodMapping.txt' names them", notes);
  if (reader.main_stacks() > 1) AddNote("of the thread stacks, the last is kept", notes);
  SetKind(reader, document);
  return true;
}

}  // namespace stillframe::input
