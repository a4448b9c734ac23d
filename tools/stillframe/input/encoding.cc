// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "tools/stillframe/input/escaped_text.h"
#include "tools/stillframe/input/lines.h"

namespace stillframe::input {

std::optional<bool> IsUtf16BigEndian(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return false;
  if (bytes.starts_with("\xFE\xFF")) return true;
  const std::string_view head = bytes.substr(0, std::min<size_t>(bytes.size(), 256) & ~size_t{1});
  std::array<size_t, 2> nuls = {};
  for (size_t i = 0; i < head.size(); ++i) nuls[i % 2] += head[i] == '\0' ? 1U : 0U;
  const size_t most = head.size() / 2;
  if (most < 4 || nuls[0] + nuls[1] < most * 9 / 10) return std::nullopt;
  if (nuls[0] == 0) return false;
  if (nuls[1] == 0) return true;
  return std::nullopt;
}

std::string FromUtf16(std::string_view bytes, bool is_big) {
  std::string out;
  out.reserve(bytes.size() / 2);
  const auto unit = [&](size_t at) {
    const auto first = static_cast<uint8_t>(bytes[at]);
    const auto second = static_cast<uint8_t>(bytes[at + 1]);
    return is_big ? first << 8 | second : second << 8 | first;
  };
  for (size_t at = 0; at + 1 < bytes.size(); at += 2) {
    auto code = static_cast<uint32_t>(unit(at));
    if (IsHighSurrogate(code) && at + 3 < bytes.size()) {
      const auto low = static_cast<uint32_t>(unit(at + 2));
      if (IsLowSurrogate(low)) {
        code = JoinedSurrogates(code, low);
        at += 2;
      }
    }
    AppendUtf8(code, &out);
  }
  return out;
}

namespace {

// The surrogate at `at`, in three bytes as Java's modified UTF-8 has it; 0: none there.
uint32_t SurrogateAt(std::string_view text, size_t at) {
  if (at + 3 > text.size() || static_cast<uint8_t>(text[at]) != 0xED) return 0;
  const auto second = static_cast<uint8_t>(text[at + 1]);
  const auto third = static_cast<uint8_t>(text[at + 2]);
  if (second < 0xA0 || second > 0xBF || (third & 0xC0) != 0x80) return 0;
  return 0xD000U | (second & 0x3FU) << 6U | (third & 0x3FU);
}

constexpr std::array<bool, 256> MakeSpecial() {
  std::array<bool, 256> special = {};
  for (const size_t c : {0x00U, 0x0DU, 0xC2U, 0xE2U, 0xEDU, 0xEFU}) special[c] = true;
  return special;
}

}  // namespace

std::string CleanCharacters(std::string bytes) {
  constexpr std::array<bool, 256> kSpecial = MakeSpecial();
  const auto is_special = [&](char c) { return kSpecial[static_cast<uint8_t>(c)]; };
  const auto first = std::ranges::find_if(bytes, is_special);
  if (first == bytes.end()) return bytes;
  const std::string_view text = bytes;
  std::string out(bytes.begin(), first);
  out.reserve(bytes.size());
  for (size_t i = out.size(); i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') continue;
    if (is_special(c) && c == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') out += '\n';
    } else if (is_special(c) && (text.substr(i).starts_with(kByteOrderMark) ||
                                 text.substr(i).starts_with(kZeroWidthSpace))) {
      i += kByteOrderMark.size() - 1;
    } else if (is_special(c) && text.substr(i).starts_with("\xC2\xA0")) {
      out += ' ';
      ++i;
    } else if (const uint32_t high = is_special(c) ? SurrogateAt(text, i) : 0;
               IsHighSurrogate(high) && IsLowSurrogate(SurrogateAt(text, i + 3))) {
      AppendUtf8(JoinedSurrogates(high, SurrogateAt(text, i + 3)), &out);
      i += 5;
    } else {
      out += c;
    }
  }
  return out;
}

std::optional<std::string> WithoutColours(std::string_view text) {
  constexpr std::string_view kEscape = "\x1B[";
  if (text.find(kEscape) == std::string_view::npos) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!text.substr(i).starts_with(kEscape)) {
      out += text[i];
      continue;
    }
    i = std::min(text.find_first_not_of("0123456789;", i + kEscape.size()), text.size());
  }
  return out;
}

std::optional<std::string> WithPlainMarks(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMarks = {
      {{"\xE2\x80\x9C", "\""},
       {"\xE2\x80\x9D", "\""},
       {"\xE2\x80\x9E", "\""},
       {"\xE2\x80\x98", "'"},
       {"\xE2\x80\x99", "'"},
       {"\xE2\x80\x94\xE2\x80\x94-", "-----"},
       {"\xE2\x80\xA6 repeated", "... repeated"}}};
  bool has_head = false;
  ForEachLine(text, [&has_head](std::string_view line) {
    const std::string_view head = Trimmed(line);
    has_head =
        has_head || ((head.starts_with("\xE2\x80\x9C") || head.starts_with("\xE2\x80\x9E")) &&
                     head.find("id=") != std::string_view::npos);
  });
  if (!has_head) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto mark = std::ranges::find_if(
        kMarks, [&](const auto& each) { return text.substr(i).starts_with(each.first); });
    if (mark == kMarks.end()) {
      out += text[i];
      continue;
    }
    out += mark->second;
    i += mark->first.size() - 1;
  }
  return out;
}

}  // namespace stillframe::input
