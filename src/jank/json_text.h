// SPDX-License-Identifier: Apache-2.0
// One JSON object, written front to back (RFC 8259), in ASCII only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::jank {

class JsonText {
 public:
  void Number(const char* name, uint64_t value);
  // At most `max_bytes` as escaped; what is too long loses its end.
  void Text(const char* name, std::string_view value, size_t max_bytes);
  // `value` is JSON.
  void Raw(const char* name, std::string_view value);

  // The members so far, without braces; a comma comes after each.
  const std::string& members() const { return members_; }

 private:
  void Name(const char* name);

  std::string members_;
};

void AppendNumber(uint64_t number, std::string* text);

// Appends `text` in quotes, at most `max_bytes` between them. Texts are UTF-8 or the runtime's
// modified UTF-8, which has characters outside the first plane as two halves and zero as two bytes;
// what is neither is a question mark.
void AppendQuoted(std::string_view text, size_t max_bytes, std::string* json);

}  // namespace stillframe::jank
