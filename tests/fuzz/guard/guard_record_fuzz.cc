// SPDX-License-Identifier: Apache-2.0
// Any bytes as a guard file: all that is derived from it keeps its bounds, and the record is read
// again as written.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/health/guard_record.h"

namespace {

using namespace stillframe::health;

constexpr uint64_t kNowS = 1'790'000'000;
constexpr Limits kLimits = {2, 86'400};

// The checksum of `data` is most likely wrong, so a copy with a correct one is read too.
std::string FileOf(std::string_view data) {
  Record record;
  for (size_t i = 0; i < record.rows.size() && data.size() >= sizeof(Row); ++i) {
    data.copy(reinterpret_cast<char*>(&record.rows[i]), sizeof(Row));
    data.remove_prefix(sizeof(Row));
  }
  record.generation = data.empty() ? 1 : static_cast<uint8_t>(data.front());
  record.armed_key = record.rows.front().key;
  std::string file = Encode(record);
  file.resize(kFileBytes);
  const uint64_t phase = PhaseWord(record.generation, static_cast<Phase>(data.size() % 5));
  file.replace(kPhaseOffset, sizeof phase, reinterpret_cast<const char*>(&phase), sizeof phase);
  return file;
}

void Use(std::string_view file) {
  Contents contents;
  if (!Decode(file, &contents)) return;
  // Figures from other processes' files are untrusted too.
  const uint64_t others = contents.record.rows.back().key;
  Settle(kLimits, kNowS, others, &contents);
  ClampToClock(kLimits, kNowS, &contents.record);
  for (const Row& row : contents.record.rows)
    if (row.off_until_s > kNowS + (kLimits.back_off_s << Limits::kMostDoublings)) std::abort();
  Contents again;
  std::string written = Encode(contents.record);
  written.resize(kFileBytes);
  if (!Decode(written, &again) || Encode(again.record) != Encode(contents.record)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Use(text);
  Use(FileOf(text));
  return 0;
}
