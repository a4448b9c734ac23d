// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/markup.h"

#include <cstdint>

#include "src/settings/sha256.h"

namespace stillframe::render {

std::string Escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string Base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = i; j < i + 3; ++j)
      group = (group << 8U) | (j < bytes.size() ? static_cast<uint8_t>(bytes[j]) : 0U);
    for (size_t j = 0; j < 4; ++j)
      text += i + j <= bytes.size() ? kDigits[(group >> (18U - 6U * j)) & 63U] : '=';
  }
  return text;
}

std::string ContentHash(std::string_view text) {
  settings::Sha256 hash;
  hash.Add(text);
  std::string digest;
  for (const uint32_t word : hash.Finish())
    for (int shift = 24; shift >= 0; shift -= 8)
      digest += static_cast<char>((word >> static_cast<unsigned>(shift)) & 0xFFU);
  return "sha256-" + Base64(digest);
}

}  // namespace stillframe::render
