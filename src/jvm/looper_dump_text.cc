// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/looper_dump_text.h"

#include <algorithm>
#include <limits>
#include <string>

namespace stillframe::jvm {
namespace {

constexpr int64_t kMaxMs = std::numeric_limits<int64_t>::max() / 4;

// Takes the digits at the front of `text`.
bool TakeNumber(std::string_view* text, int64_t* number) {
  size_t digits = 0;
  int64_t value = 0;
  while (digits < text->size() && (*text)[digits] >= '0' && (*text)[digits] <= '9') {
    if (value > kMaxMs / 10) return false;
    value = value * 10 + ((*text)[digits++] - '0');
  }
  text->remove_prefix(digits);
  *number = value;
  return digits != 0;
}

bool TakePrefix(std::string_view* text, std::string_view prefix) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

int64_t UnitMs(std::string_view* text) {
  if (TakePrefix(text, "ms")) return 1;
  if (TakePrefix(text, "d")) return 86'400'000;
  if (TakePrefix(text, "h")) return 3'600'000;
  if (TakePrefix(text, "m")) return 60'000;
  return TakePrefix(text, "s") ? 1'000 : 0;
}

bool ParseMessage(std::string_view line, model::PendingMessage* message) {
  const size_t begin = line.find("{ when=");
  const size_t close = line.rfind(" }");
  if (begin == std::string_view::npos || close == std::string_view::npos || close < begin + 7)
    return false;
  std::string_view fields = line.substr(begin + 7, close - begin - 7);
  const std::string_view when = fields.substr(0, fields.find(' '));
  if (!ParseDuration(when, &message->delay_ms)) return false;
  fields.remove_prefix(when.size());
  if (TakePrefix(&fields, " barrier=")) {
    message->is_barrier = true;
    message->age_ms = std::max<int64_t>(-message->delay_ms, 0);
    return true;
  }
  // The last match: an object printed before it may contain the same text.
  const size_t target = fields.rfind(" target=");
  if (target == std::string_view::npos) return false;
  message->target = std::string(fields.substr(target + 8));
  if (TakePrefix(&fields, " callback=")) {
    message->callback = std::string(fields.substr(0, fields.find(' ')));
    return true;
  }
  if (!TakePrefix(&fields, " what=")) return false;
  const bool is_negative = TakePrefix(&fields, "-");
  int64_t what = 0;
  if (!TakeNumber(&fields, &what) || what > int64_t{1} << 31) return false;
  message->what = static_cast<int32_t>(is_negative ? -what : what);
  return true;
}

}  // namespace

bool ParseDuration(std::string_view text, int64_t* ms) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  int64_t sum = 0;
  do {
    int64_t number = 0;
    if (!TakeNumber(&text, &number)) return false;
    if (text.empty() && number == 0 && sum == 0) break;
    const int64_t unit = UnitMs(&text);
    if (unit == 0 || number > (kMaxMs - sum) / unit) return false;
    sum += number * unit;
  } while (!text.empty());
  *ms = is_negative ? -sum : sum;
  return true;
}

LooperDump ParseLooperDump(std::string_view text, size_t limit) {
  constexpr std::string_view kTotal = "(Total messages: ";
  LooperDump dump;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (TakePrefix(&line, kTotal)) {
      int64_t total = 0;
      if (TakeNumber(&line, &total)) dump.total = static_cast<uint64_t>(total);
      continue;
    }
    if (!line.starts_with("Message ") || dump.messages.size() >= limit) continue;
    model::PendingMessage message;
    if (ParseMessage(line, &message)) dump.messages.push_back(std::move(message));
  }
  return dump;
}

}  // namespace stillframe::jvm
