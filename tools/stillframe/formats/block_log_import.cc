// SPDX-License-Identifier: Apache-2.0
// Reads a block's log. Stacks follow "stack =", innermost frame first.
#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "tools/stillframe/formats/field_import.h"
#include "tools/stillframe/formats/imported_message.h"

namespace stillframe::formats {
namespace {

constexpr size_t kMaxStacks = 10'000;
constexpr int64_t kLongestMs = 4'000'000;  // of one message, whose microseconds have 32 bits

std::string_view TakeLine(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

// "com.example.Cart.load(Cart.java:12)"
bool IsFrame(std::string_view line) {
  const size_t open = line.find('(');
  return open != std::string_view::npos && open > 0 && line.ends_with(')') &&
         line.substr(0, open).find_first_of(" =:") == std::string_view::npos;
}

struct BlockLog {
  std::map<std::string, std::string, std::less<>> facts;
  std::vector<std::vector<std::string_view>> stacks;  // lines, innermost first

  int64_t Ms(const char* name) const {
    int64_t value = -1;
    if (const auto found = facts.find(name); found != facts.end()) {
      const std::string& text = found->second;
      std::from_chars(text.data(), text.data() + text.size(), value);
    }
    return std::min(value, kLongestMs);
  }
};

BlockLog Parse(std::string_view text) {
  BlockLog log;
  bool is_in_stacks = false;
  bool is_in_stack = false;
  while (!text.empty()) {
    const std::string_view line = TakeLine(&text);
    const size_t equals = line.find(" =");
    if (is_in_stacks && IsFrame(line)) {
      if (!is_in_stack && log.stacks.size() < kMaxStacks) log.stacks.emplace_back();
      log.stacks.back().push_back(line);
      is_in_stack = true;
    } else {
      is_in_stack = false;
      is_in_stacks = is_in_stacks || line.starts_with("stack =");
      if (!is_in_stacks && equals != std::string_view::npos && log.facts.size() < kMaxStacks) {
        const std::string_view value = line.substr(equals + 2);
        log.facts.emplace(line.substr(0, equals),
                          value.substr(std::min(value.find_first_not_of(' '), value.size())));
      }
    }
  }
  return log;
}

}  // namespace

bool ImportBlockLog(std::string_view text, model::Document* document, std::string* error) {
  document->frames = FramesFor(text);
  const BlockLog log = Parse(text);
  const int64_t wall_ms = log.Ms("time");
  if (wall_ms <= 0 || log.stacks.empty()) {
    *error = wall_ms <= 0 ? "has no line 'time = MS'; give a log of BlockCanary"
                          : "has no frames behind 'stack ='; give a log of BlockCanary";
    return false;
  }
  model::TraceTree tree(Token{1});
  const auto weight_us =
      static_cast<uint32_t>(static_cast<uint64_t>(wall_ms) * 1000 / log.stacks.size());
  uint32_t wall_us = 0;
  for (const auto& lines : log.stacks) {
    std::vector<model::FrameId> stack;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      const size_t open = line->find('(');
      stack.push_back(AddFrame(line->substr(0, open),
                               line->substr(open + 1, line->size() - open - 2), &document->frames));
    }
    wall_us += weight_us;
    tree.Add(stack, {wall_us, weight_us, 0, model::ThreadState::kUnknown});
  }
  if (const auto process = log.facts.find("process"); process != log.facts.end())
    document->identity.process_name = process->second;
  model::Message* message = AddMessage(std::move(tree), document);
  SetWall(wall_ms * 1'000'000, message, document);
  for (const auto& [name, value] : log.facts)
    document->annotations.entries.push_back({name, value, 0});
  return true;
}

}  // namespace stillframe::formats
