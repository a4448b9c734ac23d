// SPDX-License-Identifier: Apache-2.0
// The system's own words about an ANR, beside the traces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::input {

struct SystemWords {
  uint32_t pid = 0;
  std::string process;
  std::string reason;
  std::string component;
  std::string text;  // lines from "ANR in" on, without the log's prefixes
  std::string time;  // of the log, "03-04 10:11:11": without a year
};

constexpr size_t kMaxSystemText = 64U << 10U;  // bytes kept of one ANR

// Reads "ANR in", "PID:", "Reason:" and the lines below, and am_anr of the event log.
std::vector<SystemWords> ReadSystemWords(std::string_view text);

}  // namespace stillframe::input
