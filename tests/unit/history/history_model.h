// SPDX-License-Identifier: Apache-2.0
// The naive model of the past: all messages are kept, and both views are made from the list by the
// words of their definitions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "src/tap/recorder.h"

namespace stillframe::history {

struct ModelMessage {
  Token token = Token::kNone;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  std::string target;  // "": not known

  uint64_t wall_ns() const { return end_ns - start_ns; }
};

struct ModelGroup {
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  uint64_t wall_ns = 0;
  uint64_t messages = 0;
  std::vector<Token> tokens;
  bool operator==(const ModelGroup&) const = default;
};

struct ModelRecord {
  bool is_idle = false;
  bool is_merged = false;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  uint64_t wall_ns = 0;
  uint64_t messages = 0;
  Token token = Token::kNone;
  std::string target;           // "" of a merged one
  std::set<std::string> names;  // of a merged one's messages
  bool operator==(const ModelRecord&) const = default;
};

inline std::vector<ModelGroup> ModelGroups(const std::vector<ModelMessage>& messages,
                                           const tap::HistoryLimits& limits) {
  std::vector<ModelGroup> groups;
  ModelGroup current;
  const auto close = [&] {
    if (current.messages > 0) groups.push_back(current);
    current = ModelGroup();
  };
  for (const ModelMessage& message : messages) {
    if (message.wall_ns() >= limits.group_ns) close();
    if (current.messages == 0) current.start_ns = message.start_ns;
    current.end_ns = message.end_ns;
    current.wall_ns += message.wall_ns();
    ++current.messages;
    if (message.wall_ns() >= limits.slow_ns) current.tokens.push_back(message.token);
    if (current.wall_ns >= limits.group_ns) close();
  }
  close();
  return groups;
}

// `running_ns` is the start of a message that has not ended; 0 when there is none.
inline std::vector<ModelRecord> ModelRecords(const std::vector<ModelMessage>& messages,
                                             uint64_t running_ns,
                                             const tap::HistoryLimits& limits) {
  std::vector<ModelRecord> records;
  uint64_t last_end_ns = 0;
  const auto begin = [&](uint64_t start_ns) {
    if (last_end_ns == 0 || start_ns - last_end_ns < limits.idle_ns) return;
    ModelRecord idle;
    idle.is_idle = true;
    idle.start_ns = last_end_ns;
    idle.end_ns = start_ns;
    records.push_back(idle);
  };
  for (const ModelMessage& message : messages) {
    begin(message.start_ns);
    last_end_ns = message.end_ns;
    const bool is_quick = message.wall_ns() < limits.quick_ns;
    if (!is_quick || records.empty() || !records.back().is_merged) {
      records.emplace_back();
      records.back().start_ns = message.start_ns;
      records.back().is_merged = is_quick;
    }
    ModelRecord& record = records.back();
    record.end_ns = message.end_ns;
    record.wall_ns += message.wall_ns();
    ++record.messages;
    record.token = message.token;
    if (record.is_merged)
      record.names.insert(message.target);
    else
      record.target = message.target;
  }
  if (running_ns != 0) begin(running_ns);
  return records;
}

// The newest `count` of `all`.
template <typename Item>
std::vector<Item> Newest(std::vector<Item> all, size_t count) {
  if (all.size() > count) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(count));
  return all;
}

}  // namespace stillframe::history
