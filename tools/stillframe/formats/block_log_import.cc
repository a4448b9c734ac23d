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
  std::string written;                                // "2017-11-14 22:51:21"; "": not in it

  int64_t Ms(const char* name) const {
    int64_t value = -1;
    if (const auto found = facts.find(name); found != facts.end()) {
      const std::string& text = found->second;
      std::from_chars(text.data(), text.data() + text.size(), value);
    }
    return std::min(value, kLongestMs);
  }
  std::string Fact(const char* name) const {
    const auto found = facts.find(name);
    return found == facts.end() ? std::string() : found->second;
  }
};

// Takes blocks apart. A block begins at its line of asterisks, or where a fact comes again.
class Parser {
 public:
  std::vector<BlockLog> Parse(std::string_view text) {
    while (!text.empty()) Take(TakeLine(&text));
    Close();
    return std::move(blocks_);
  }

 private:
  void Close() {
    if (!log_.facts.empty() || !log_.stacks.empty()) blocks_.push_back(std::move(log_));
    log_ = BlockLog();
    is_in_stacks_ = false;
    is_in_stack_ = false;
  }

  void Take(std::string_view line) {
    if (line.starts_with("*****")) return Close();
    if (is_in_stacks_ && IsFrame(line)) {
      if (!is_in_stack_ && log_.stacks.size() < kMaxStacks) log_.stacks.emplace_back();
      log_.stacks.back().push_back(line);
      is_in_stack_ = true;
      return;
    }
    is_in_stack_ = false;
    const size_t equals = line.find(" =");
    const bool is_fact = equals != std::string_view::npos && !line.starts_with("stack =");
    if (is_in_stacks_ && is_fact && line.find('(') > equals) Close();
    is_in_stacks_ = is_in_stacks_ || line.starts_with("stack =");
    if (is_in_stacks_) return;
    if (const size_t mark = line.find("(write log time)"); mark != std::string_view::npos) {
      log_.written = line.substr(0, mark);
      return;
    }
    if (!is_fact || log_.facts.size() == kMaxStacks) return;
    const std::string_view value = line.substr(equals + 2);
    log_.facts.emplace(line.substr(0, equals),
                       value.substr(std::min(value.find_first_not_of(' '), value.size())));
  }

  std::vector<BlockLog> blocks_;
  BlockLog log_;
  bool is_in_stacks_ = false;
  bool is_in_stack_ = false;
};

// The block's end has no year: "11-14 22:51:18.939". The line of the log's writing has one.
std::string TimeOf(const BlockLog& log) {
  const std::string end = log.Fact("time-end").substr(0, 14);
  if (end.empty()) return log.written;
  return log.written.size() > 5 && log.written[4] == '-' ? log.written.substr(0, 5) + end : end;
}

model::TraceTree TreeOf(const BlockLog& log, Token token, int64_t wall_ms,
                        model::FrameTable* frames) {
  model::TraceTree tree(token);
  const auto weight_us =
      static_cast<uint32_t>(static_cast<uint64_t>(wall_ms) * 1000 / log.stacks.size());
  uint32_t wall_us = 0;
  for (const auto& lines : log.stacks) {
    std::vector<model::FrameId> stack;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      const size_t open = line->find('(');
      stack.push_back(
          AddFrame(line->substr(0, open), line->substr(open + 1, line->size() - open - 2), frames));
    }
    wall_us += weight_us;
    tree.Add(stack, {wall_us, weight_us, 0, model::ThreadState::kUnknown});
  }
  return tree;
}

}  // namespace

bool ImportBlockLog(std::string_view text, model::Document* document, std::string* error) {
  document->frames = FramesFor(text);
  const std::vector<BlockLog> blocks = Parser().Parse(text);
  const BlockLog* newest = nullptr;
  bool has_time = false;
  for (const BlockLog& log : blocks) {
    const int64_t wall_ms = log.Ms("time");
    has_time = has_time || wall_ms > 0;
    if (wall_ms <= 0 || log.stacks.empty()) continue;
    const Token token{document->trees.size() + 1};
    model::Message* message = AddMessage(TreeOf(log, token, wall_ms, &document->frames), document);
    SetWall(wall_ms * 1'000'000, message, document);
    if (const int64_t cpu_ms = log.Ms("thread-time"); cpu_ms >= 0)
      message->cpu_ns = cpu_ms * 1'000'000;
    newest = &log;
  }
  if (newest == nullptr) {
    *error = has_time ? "has no frames behind 'stack ='; give a log of BlockCanary"
                      : "has no line 'time = MS'; give a log of BlockCanary";
    return false;
  }
  if (const std::string process = newest->Fact("process"); !process.empty())
    document->identity.process_name = process;
  for (const auto& [name, value] : newest->facts)
    document->annotations.entries.push_back({name, value, 0});
  if (const std::string time = TimeOf(*newest); !time.empty())
    document->annotations.entries.push_back({kTimeAsWritten, time, 0});
  return true;
}

}  // namespace stillframe::formats
