// SPDX-License-Identifier: Apache-2.0
// Reads issues as messages. A stack's entries are in preorder.
#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "tools/stillframe/formats/field_import.h"
#include "tools/stillframe/formats/imported_message.h"
#include "tools/stillframe/formats/pasted_text.h"

namespace stillframe::formats {
namespace {

using nlohmann::json;
using MethodNames = std::map<uint32_t, std::string, std::less<>>;

constexpr size_t kMaxIssues = 10'000;
constexpr size_t kMaxEntries = 100'000;  // of one stack
constexpr uint32_t kMaxDepth = 2'000;
constexpr uint64_t kFirstWithoutTree = 1'000'000;  // tokens of messages without a tree

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

// Nothing if the text is not a stack.
std::optional<std::vector<Entry>> EntriesOf(std::string_view text) {
  std::vector<Entry> entries;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    Entry entry;
    const uint32_t deepest = entries.empty() ? 0 : entries.back().depth + 1;
    if (!Take(&line, ',', &entry.depth) || !Take(&line, ',', &entry.id) ||
        !Take(&line, ',', &entry.count) || !Take(&line, ',', &entry.ms) ||
        entry.depth > std::min(deepest, kMaxDepth) || entry.ms > UINT32_MAX / 1000 ||
        entries.size() == kMaxEntries)
      return std::nullopt;
    entries.push_back(entry);
  }
  return entries;
}

// Each line is "17,1,com.example.Cart load (I)V".
void ReadMethodMapping(std::string_view text, MethodNames* names) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    uint32_t id = 0;
    uint32_t access = 0;
    if (!Take(&line, ',', &id) || !Take(&line, ',', &access)) continue;
    std::string name(line.substr(0, line.find(' ', line.find(' ') + 1)));
    std::ranges::replace(name, ' ', '.');
    std::ranges::replace(name, '/', '.');
    (*names)[id] = name.substr(0, name.find('\r'));
  }
}

class IssueReader {
 public:
  IssueReader(MethodNames names, model::Document* document)
      : names_(std::move(names)), document_(*document) {}

  // Returns "", or what is wrong.
  std::string Read(const json& outer) {
    const json issue = ContentOf(outer);
    if (!issue.is_object() || (!IsText(issue, "stack") && !IsText(issue, "threadStack")))
      return "is not an issue of Matrix with a stack";
    const bool has_thread = IsText(issue, "threadStack") && TakeThreadStack(issue);
    const std::string text = IsText(issue, "stack") ? issue["stack"].get<std::string>() : "";
    const auto entries = EntriesOf(text);
    if (!entries || entries->empty()) {
      if (has_thread) return TakeWithoutTree(issue);
      return entries ? "has an empty stack; give one with a stack or a threadStack"
                     : "has a stack that is not of the form depth,id,count,ms";
    }
    MethodNames names = names_;
    if (issue.contains("methods") && issue["methods"].is_object()) {
      for (const auto& [id, name] : issue["methods"].items()) {
        uint32_t number = 0;
        std::string_view digits = id;
        if (Take(&digits, ',', &number) && name.is_string()) names[number] = name;
      }
    }
    model::TraceTree tree(Token{document_.trees.size() + 1});
    AddSamples(*entries, names, &tree);
    if (tree.empty()) return "has a stack without any time; give one with times";
    model::Message* message = AddMessage(std::move(tree), &document_);
    message->samples = 0;
    Describe(issue, message);
    document_.identity.sampler_state = "imported from recorded calls";
    return "";
  }

  size_t read() const { return document_.trees.size() + without_tree_; }

 private:
  static bool IsText(const json& issue, const char* name) {
    return issue.value(name, json()).is_string();
  }

  // Loggers write the fields beside the tag, in "content", or as a text in "content".
  static json ContentOf(const json& outer) {
    if (!outer.contains("content")) return outer;
    const json& content = outer["content"];
    return content.is_string() ? json::parse(content.get<std::string>(), nullptr, false) : content;
  }

  // Lines " at android.os.SystemClock:sleep(127)", innermost first. Source: Tencent/matrix,
  // LooperAnrTracer.java, Utils.getStack. False without a frame.
  bool TakeThreadStack(const json& issue) {
    model::ThreadStack main;
    main.name = "main";
    main.source = model::StackSource::kStoodStill;
    main.tid = 1;
    ForEachLine(issue["threadStack"].get_ref<const std::string&>(), [&](std::string_view line) {
      line = Trimmed(line);
      if (line.starts_with("at ")) line.remove_prefix(3);
      const size_t open = line.find('(');
      if (open == std::string_view::npos || open == 0 || !line.ends_with(')') ||
          main.frames.size() == kMaxDepth)
        return;
      std::string method(line.substr(0, open));
      std::ranges::replace(method, ':', '.');
      std::string place(line.substr(open + 1, line.size() - open - 2));
      // A line without a file.
      if (place.find_first_not_of("-0123456789") == std::string::npos) place = ":" + place;
      main.frames.push_back(AddFrame(method, place, &document_.frames));
    });
    if (main.frames.empty()) return false;
    model::ThreadStacks& stacks = document_.thread_stacks.emplace();
    stacks.threads = 1;
    stacks.stacks.push_back(std::move(main));
    return true;
  }

  // An ANR or a lag: the message's time is known, or nothing but the stack.
  std::string TakeWithoutTree(const json& issue) {
    document_.format_version = 1;
    document_.identity.sampler_state = "imported from text";
    const json cost = issue.value("cost", json());
    if (cost.is_number_integer() && cost.get<int64_t>() > 0) {
      model::Message message;
      message.token = Token{document_.history.size() + kFirstWithoutTree};
      message.flags = model::kMessageIdentityUnknown;
      message.start_ns = std::max<uint64_t>(document_.taken_monotonic_ns, 1'000'000'000);
      document_.history.push_back(message);
      Describe(issue, &document_.history.back());
    } else {
      document_.taken_monotonic_ns =
          std::max<uint64_t>(document_.taken_monotonic_ns, 1'000'000'000);
      Describe(issue, nullptr);
    }
    ++without_tree_;
    return "";
  }

  // An entry's own time is its time minus its children's.
  void AddSamples(const std::vector<Entry>& entries, const MethodNames& names,
                  model::TraceTree* tree) {
    std::vector<uint64_t> own_ms;
    std::vector<size_t> path;  // entry by depth
    for (const Entry& entry : entries) {
      path.resize(entry.depth);
      if (!path.empty()) own_ms[path.back()] -= std::min(own_ms[path.back()], entry.ms);
      path.push_back(own_ms.size());
      own_ms.push_back(entry.ms);
    }
    std::vector<model::FrameId> stack;
    uint64_t wall_us = 0;
    for (size_t i = 0; i < entries.size(); ++i) {
      const auto name = names.find(entries[i].id);
      stack.resize(entries[i].depth);
      stack.push_back(AddFrame(name == names.end() ? std::to_string(entries[i].id) : name->second,
                               "", &document_.frames));
      if (own_ms[i] == 0) continue;
      wall_us = std::min<uint64_t>(wall_us + own_ms[i] * 1000, UINT32_MAX);
      tree->Add(stack, {static_cast<uint32_t>(wall_us), static_cast<uint32_t>(own_ms[i] * 1000), 0,
                        model::ThreadState::kUnknown});
    }
  }

  void Describe(const json& issue, model::Message* message) {
    const auto number = [&](const char* name) {
      const json value = issue.value(name, json());
      return value.is_number_integer() ? value.get<int64_t>() : -1;
    };
    const auto text = [&](const char* name) {
      const json value = issue.value(name, json());
      return value.is_string() ? value.get<std::string>() : std::string();
    };
    constexpr int64_t kLongestMs = 86'400'000;
    if (number("cost") > 0 && message != nullptr)
      SetWall(std::min(number("cost"), kLongestMs) * 1'000'000, message, &document_);
    if (!text("process").empty()) document_.identity.process_name = text("process");
    document_.annotations.scene = text("scene");
    // No stacks are known for the CPU time in "usage", so it becomes an annotation.
    for (const char* name : {"usage", "detail", "machine", "stackKey"})
      if (!text(name).empty()) document_.annotations.entries.push_back({name, text(name), 0});
    if (number("time") > 0 && number("time") < INT64_MAX / 1'000'000)
      document_.taken_realtime_ns = static_cast<uint64_t>(number("time")) * 1'000'000;
  }

  MethodNames names_;
  model::Document& document_;
  size_t without_tree_ = 0;
};

}  // namespace

namespace {

// The end of the JSON object that begins at `begin`: behind its last brace. npos: it is not closed.
size_t EndOfObject(std::string_view text, size_t begin) {
  size_t depth = 0;
  bool is_text = false;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (is_text) {
      if (c == '\\') ++i;
      if (c == '"') is_text = false;
    } else if (c == '"') {
      is_text = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

// A list, or all objects of a text: an issue a line, or within a log.
json IssuesOf(std::string_view text) {
  json whole = json::parse(text, nullptr, false);
  if (whole.is_array()) return whole;
  if (!whole.is_discarded()) return json::array({whole});
  json issues = json::array();
  for (size_t begin = text.find('{');
       begin != std::string_view::npos && issues.size() <= kMaxIssues;
       begin = text.find('{', begin)) {
    const size_t end = EndOfObject(text, begin);
    if (end == std::string_view::npos) break;
    json object = json::parse(text.substr(begin, end - begin), nullptr, false);
    if (object.is_object()) issues.push_back(std::move(object));
    begin = end;
  }
  return issues;
}

}  // namespace

bool ImportMatrixIssue(std::string_view text, std::string_view methods, model::Document* document,
                       std::string* error) {
  document->frames = FramesFor(text);
  MethodNames names;
  ReadMethodMapping(methods, &names);
  const json issues = IssuesOf(text);
  IssueReader reader(std::move(names), document);
  // One bad issue does not stop the others.
  std::string first_problem;
  for (size_t i = 0; i < issues.size(); ++i) {
    const std::string problem = !issues[i].is_object() ? "is not a JSON object"
                                : i >= kMaxIssues      ? "is one too many; give a part of them"
                                                       : reader.Read(issues[i]);
    if (problem.empty()) continue;
    if (first_problem.empty()) first_problem = "issue " + std::to_string(i + 1) + " " + problem;
    if (i >= kMaxIssues) break;
  }
  if (reader.read() == 0)
    *error = first_problem.empty() ? "holds no issue of Matrix; give one as JSON" : first_problem;
  return error->empty();
}

}  // namespace stillframe::formats
