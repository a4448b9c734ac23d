// SPDX-License-Identifier: Apache-2.0
// How the system says that an earlier process ended: one ApplicationExitInfo (API level 30 on).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace stillframe::model {

struct SystemExit {
  int32_t pid = 0;
  uint64_t time_ms = 0;    // since 1970
  int32_t reason = 0;      // ApplicationExitInfo.getReason
  std::string sub_reason;  // as its toString has it
  int32_t importance = 0;  // ActivityManager.RunningAppProcessInfo
  uint64_t pss_kib = 0;
  std::string process;
  std::string description;
  std::string summary;   // of setProcessStateSummary; "": none
  std::string trace;     // the beginning of the system's traces; "": none
  std::string no_trace;  // why; "": there is one, or none is expected
};

// "SFP1", start in ms since 1970 (8 bytes), pid (4 bytes), both with the highest byte first.
using ProcessSummary = std::array<uint8_t, 16>;
constexpr ProcessSummary SummaryOf(uint64_t start_ms, int32_t pid) {
  ProcessSummary summary = {'S', 'F', 'P', '1'};
  for (size_t i = 0; i < 8; ++i) summary[4 + i] = static_cast<uint8_t>(start_ms >> (56 - 8 * i));
  for (size_t i = 0; i < 4; ++i)
    summary[12 + i] = static_cast<uint8_t>(static_cast<uint32_t>(pid) >> (24 - 8 * i));
  return summary;
}

}  // namespace stillframe::model
