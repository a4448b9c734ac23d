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

namespace stillframe::formats {
namespace {

using nlohmann::json;
using MethodNames = std::map<uint32_t, std::string, std::less<>>;

constexpr size_t kMaxIssues = 10'000;
constexpr size_t kMaxEntries = 100'000;  // of one stack
constexpr uint32_t kMaxDepth = 2'000;

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
    const json& issue = outer.contains("content") ? outer["content"] : outer;
    if (!issue.is_object() || !issue.value("stack", json()).is_string())
      return "not an issue of Matrix with a stack";
    const auto entries = EntriesOf(issue["stack"].get_ref<const std::string&>());
    if (!entries || entries->empty())
      return "has a stack that is not of the form depth,id,count,ms";
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
    if (tree.empty()) return "has a stack without any time";
    Describe(issue, AddMessage(std::move(tree), &document_));
    return "";
  }

 private:
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
    if (number("cost") > 0)
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
};

}  // namespace

bool ImportMatrixIssue(std::string_view text, std::string_view methods, model::Document* document,
                       std::string* error) {
  document->frames = FramesFor(text);
  MethodNames names;
  ReadMethodMapping(methods, &names);
  const json read = json::parse(text, nullptr, false);
  const json issues = read.is_array() ? read : json::array({read});
  IssueReader reader(std::move(names), document);
  for (size_t i = 0; i < issues.size() && error->empty(); ++i) {
    const std::string problem = !issues[i].is_object() ? "not a JSON object"
                                : i >= kMaxIssues      ? "is one too many; give a part of them"
                                                       : reader.Read(issues[i]);
    if (!problem.empty()) *error = "issue " + std::to_string(i + 1) + " " + problem;
  }
  if (error->empty() && document->trees.empty()) *error = "no issue in it";
  return error->empty();
}

}  // namespace stillframe::formats
