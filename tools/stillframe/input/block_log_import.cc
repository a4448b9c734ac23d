// SPDX-License-Identifier: Apache-2.0
// Reads logs of blocks. Stacks follow "stack =", innermost frame first.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "tools/stillframe/input/field_import.h"
#include "tools/stillframe/input/imported_message.h"
#include "tools/stillframe/input/lines.h"

namespace stillframe::input {
namespace {

constexpr size_t kMaxBlocks = 10'000;
constexpr size_t kMaxStacks = 10'000;
constexpr size_t kMaxFacts = 1'000;  // of one block
constexpr size_t kMostNotes = 3;
constexpr int64_t kLongestMessageMs = 4'000'000;  // of one message, whose microseconds have 32 bits
constexpr int64_t kNsPerMs = 1'000'000;

// "com.example.Cart.load(Cart.java:12)"
bool IsFrame(std::string_view line) {
  const size_t open = line.find('(');
  return open != std::string_view::npos && open > 0 && line.ends_with(')') &&
         line.substr(0, open).find_first_of(" =:") == std::string_view::npos;
}

struct Wait {
  std::string_view method;
  model::ThreadState state;
};
// The native methods in which a Java thread waits, AOSP 4.4 to 16.
constexpr std::array kWaits = {
    Wait{"java.lang.Thread.sleep", model::ThreadState::kSleeping},
    Wait{"java.lang.VMThread.sleep", model::ThreadState::kSleeping},
    Wait{"java.lang.Object.wait", model::ThreadState::kWaiting},
    Wait{"java.lang.Thread.parkFor$", model::ThreadState::kWaiting},
    Wait{"sun.misc.Unsafe.park", model::ThreadState::kWaiting},
    Wait{"jdk.internal.misc.Unsafe.park", model::ThreadState::kWaiting},
};

// Logs have no states, so the innermost frame decides.
model::ThreadState StateOf(std::string_view innermost) {
  const auto wait =
      std::ranges::find(kWaits, innermost.substr(0, innermost.find('(')), &Wait::method);
  return wait == kWaits.end() ? model::ThreadState::kUnknown : wait->state;
}

// "**********************"
bool IsHead(std::string_view line) {
  return line.size() >= 5 && line.find_first_not_of('*') == std::string_view::npos;
}

// The name before " =", or "".
std::string_view NameIn(std::string_view line) {
  const size_t end =
      line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
  if (end == std::string_view::npos || end == 0) return {};
  const size_t equals = line.find_first_not_of(" \t", end);
  const bool is_fact = equals != std::string_view::npos && line[equals] == '=';
  return is_fact ? line.substr(0, end) : std::string_view();
}

// A time without a zone, and mostly without a year.
struct ClockTime {
  int year = 0;  // 0: unknown
  int month = 0;
  int day = 0;
  int64_t ms = 0;  // of the day

  // Since 1970.
  int64_t UnixMs() const {
    constexpr int64_t kMsPerDay = 86'400'000;
    const std::chrono::year_month_day date(std::chrono::year(year == 0 ? 2000 : year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day)));
    return std::chrono::sys_days(date).time_since_epoch().count() * kMsPerDay + ms;
  }
  std::string Text() const {
    const int64_t s = ms / 1000;
    const std::string of_year = year == 0 ? "" : fmt::format("{:04}-", year);
    return fmt::format("{}{:02}-{:02} {:02}:{:02}:{:02}", of_year, month, day, s / 3600,
                       s / 60 % 60, s % 60);
  }
};

// "2017-11-14 22:51:21", "11-14 22:51:13.247"
std::optional<ClockTime> ClockTimeOf(std::string_view text) {
  std::array<int, 7> numbers = {};  // year, month, day, hour, minute, second, millisecond
  constexpr std::string_view kMarks = "-- ::.";
  const bool has_year = text.size() > 4 && text[4] == '-';
  size_t i = has_year ? 0 : 1;
  for (; i < numbers.size(); ++i) {
    const auto [end, code] =
        std::from_chars(text.data(), text.data() + std::min<size_t>(text.size(), 4), numbers[i]);
    if (code != std::errc() || numbers[i] < 0) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (i >= kMarks.size() || !text.starts_with(kMarks[i])) break;
    text.remove_prefix(1);
  }
  const auto& [year, month, day, hour, minute, second, ms] = numbers;
  const bool is_time = i >= 5 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 &&
                       minute < 60 && second < 61;
  if (!is_time) return std::nullopt;
  const int64_t of_day = ((int64_t{hour} * 60 + minute) * 60 + second) * 1000 + ms;
  return ClockTime{year, month, day, of_day};
}

struct Block {
  std::map<std::string, std::string, std::less<>> facts;
  std::vector<std::vector<std::string_view>> stacks;  // lines, innermost first
  bool has_stack_line = false;
  std::optional<ClockTime> written;
  std::optional<ClockTime> beside;  // of this block, else of the nearest one; gives the year

  // -1 without such a line.
  int64_t Ms(const char* name) const {
    int64_t value = -1;
    if (const auto found = facts.find(name); found != facts.end()) {
      const std::string& text = found->second;
      std::from_chars(text.data(), text.data() + text.size(), value);
    }
    return std::min(value, kLongestMessageMs);
  }

  // The log may be written in the year after the block.
  std::optional<ClockTime> Clock(const char* name) const {
    const auto found = facts.find(name);
    auto time = found == facts.end() ? std::nullopt : ClockTimeOf(found->second);
    if (time && time->year == 0 && beside)
      time->year = beside->year - (time->month > beside->month ? 1 : 0);
    return time;
  }

  // The latest time that is written.
  std::string Written() const {
    for (const char* name : {"time-end", "time-start"})
      if (const auto time = Clock(name)) return time->Text();
    return written ? written->Text() : "";
  }

  bool IsEmpty() const { return facts.empty() && stacks.empty(); }
};

class BlockParser {
 public:
  std::vector<Block> Parse(std::string_view text) {
    ForEachLine(text, [this](std::string_view line) { Read(Trimmed(line)); });
    Begin();
    std::optional<ClockTime> nearest;
    const auto fill = [&nearest](Block& block) {
      if (block.written) nearest = block.written;
      if (!block.beside) block.beside = block.written ? block.written : nearest;
    };
    std::for_each(blocks_.rbegin(), blocks_.rend(), fill);
    std::ranges::for_each(blocks_, fill);
    return std::move(blocks_);
  }

 private:
  void Read(std::string_view line) {
    if (IsHead(line)) return Begin();
    if (is_in_stacks_ && IsFrame(line)) return AddFrameLine(line);
    is_in_stack_ = false;
    if (line.find("(write log time)") != std::string_view::npos) {
      if (block_.written || !block_.IsEmpty()) Begin();
      block_.written = ClockTimeOf(line);
      return;
    }
    const std::string_view name = NameIn(line);
    if (!name.empty()) AddFact(name, line);
  }

  void AddFrameLine(std::string_view line) {
    if (!is_in_stack_ && block_.stacks.size() < kMaxStacks) block_.stacks.emplace_back();
    block_.stacks.back().push_back(line);
    is_in_stack_ = true;
  }

  // A block has each name once, and its stacks last.
  void AddFact(std::string_view name, std::string_view line) {
    if (is_in_stacks_ || block_.facts.contains(name)) Begin();
    if (name == "stack") {
      is_in_stacks_ = true;
      block_.has_stack_line = true;
    } else if (block_.facts.size() < kMaxFacts) {
      block_.facts.emplace(name, Trimmed(line.substr(line.find('=') + 1)));
    }
  }

  void Begin() {
    if (!block_.IsEmpty() && blocks_.size() < kMaxBlocks) blocks_.push_back(std::move(block_));
    block_ = {};
    is_in_stacks_ = false;
    is_in_stack_ = false;
  }

  std::vector<Block> blocks_;
  Block block_;
  bool is_in_stacks_ = false;
  bool is_in_stack_ = false;
};

// "", or what is wrong.
std::string WhyUnreadable(const Block& block) {
  if (block.Ms("time") <= 0) return "has no line 'time = MS'; give a log of BlockCanary";
  const bool is_block = block.has_stack_line || block.facts.contains("thread-time");
  return is_block ? "" : "has no frames behind 'stack ='; give a log of BlockCanary";
}

class BlockReader {
 public:
  explicit BlockReader(model::Document* document) : document_(*document) {}

  // The earliest block comes first, if all have a start.
  void Read(std::vector<Block> blocks) {
    const bool has_starts = std::ranges::all_of(
        blocks, [](const Block& block) { return block.Clock("time-start").has_value(); });
    const auto start_ms = [](const Block& block) { return block.Clock("time-start")->UnixMs(); };
    if (has_starts) std::ranges::stable_sort(blocks, {}, start_ms);
    for (const Block& block : blocks) {
      if (has_starts && !document_.history.empty())
        Wait(start_ms(block) - start_ms(blocks.front()));
      Add(block);
    }
    if (const std::string written = blocks.back().Written(); !written.empty())
      document_.annotations.entries.push_back({kTimeAsWritten, written, 0});
  }

 private:
  // The next message begins so long after the first, but not before the last ended.
  void Wait(int64_t ms) {
    const auto ns = static_cast<uint64_t>(ms) * uint64_t{kNsPerMs};
    document_.taken_monotonic_ns =
        std::max(document_.taken_monotonic_ns, document_.history.front().start_ns + ns);
  }

  void Add(const Block& block) {
    const int64_t wall_ns = block.Ms("time") * kNsPerMs;
    model::Message* message = nullptr;
    if (block.stacks.empty()) {
      message = AddMessage(wall_ns, &document_);
    } else {
      message = AddMessage(TreeOf(block), &document_);
      SetWall(wall_ns, message, &document_);
    }
    if (const int64_t cpu_ms = block.Ms("thread-time"); cpu_ms >= 0)
      message->cpu_ns = cpu_ms * kNsPerMs;
    if (const auto process = block.facts.find("process"); process != block.facts.end())
      document_.identity.process_name = process->second;
    for (const auto& [name, value] : block.facts) Annotate(name, value);
  }

  // A name with another value says of which block it is.
  void Annotate(const std::string& name, const std::string& value) {
    auto& entries = document_.annotations.entries;
    const auto known = std::ranges::find(entries, name, &model::Annotation::name);
    if (known != entries.end() && known->value == value) return;
    if (known == entries.end()) return entries.push_back({name, value, 0});
    entries.push_back({fmt::format("{} (message {})", name, document_.history.size()), value, 0});
  }

  model::TraceTree TreeOf(const Block& block) {
    const auto count = static_cast<uint32_t>(block.stacks.size());
    model::TraceTree tree(NextToken(document_),
                          {.max_samples = std::max(count, 2U), .max_nodes = 1U << 20U});
    const auto weight_us =
        static_cast<uint32_t>(static_cast<uint64_t>(block.Ms("time")) * 1000 / count);
    uint32_t wall_us = 0;
    for (const auto& lines : block.stacks) {
      std::vector<model::FrameId> stack;
      for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        const size_t open = line->find('(');
        stack.push_back(AddFrame(line->substr(0, open),
                                 line->substr(open + 1, line->size() - open - 2),
                                 &document_.frames));
      }
      wall_us += weight_us;
      tree.Add(stack, {wall_us, weight_us, 0, StateOf(lines.front())});
    }
    tree.CloseAt(static_cast<uint32_t>(block.Ms("time") * 1000));
    return tree;
  }

  model::Document& document_;
};

}  // namespace

bool ImportBlockLog(std::string_view text, model::Document* document, std::string* notes,
                    std::string* error) {
  document->frames = FramesFor(text);
  std::vector<Block> good;
  std::vector<std::string> problems;
  std::string problem = "has no line 'time = MS'; give a log of BlockCanary";
  std::vector<Block> blocks = BlockParser().Parse(text);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const std::string why = WhyUnreadable(blocks[i]);
    if (why.empty()) {
      good.push_back(std::move(blocks[i]));
      continue;
    }
    problem = why;
    // Other lines of a log look like facts.
    if (!blocks[i].stacks.empty() || blocks[i].facts.contains("time"))
      problems.push_back(fmt::format("block {} {}", i + 1, why.substr(0, why.find(';'))));
  }
  if (good.empty()) {
    *error = problem;
    return false;
  }
  for (size_t i = 0; i < std::min(problems.size(), kMostNotes); ++i) AddNote(problems[i], notes);
  if (problems.size() > kMostNotes)
    AddNote(fmt::format("{} more blocks cannot be read", problems.size() - kMostNotes), notes);
  BlockReader(document).Read(std::move(good));
  return true;
}

}  // namespace stillframe::input
