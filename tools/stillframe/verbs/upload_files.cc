// SPDX-License-Identifier: Apache-2.0
// Read whole, and looked at.
#include "tools/stillframe/verbs/upload_files.h"

#include <algorithm>

#include "tools/stillframe/streams/byte_source.h"
#include "tools/stillframe/verbs/dump_input.h"

namespace stillframe::verbs {

bool ReadToken(const std::string& path, std::string* token) {
  constexpr size_t kLeast = 16;
  constexpr size_t kMost = 256;
  std::string error;
  if (!streams::ReadWhole(path, 4 * kMost, token, &error)) {
    Complain(SubjectFor(path), error);
    return false;
  }
  token->resize(std::min(token->find_first_of("\r\n"), token->size()));
  const bool is_visible = std::ranges::all_of(*token, [](char c) { return c > ' ' && c <= '~'; });
  if (is_visible && token->size() >= kLeast && token->size() <= kMost) return true;
  Complain(SubjectFor(path), "has no token; put 16 to 256 visible characters into its first line");
  return false;
}

bool ReadPem(const std::string& path, std::string* text) {
  constexpr size_t kMost = 256 * 1024;
  std::string error;
  if (!streams::ReadWhole(path, kMost, text, &error)) {
    Complain(SubjectFor(path), error);
    return false;
  }
  if (text->find("-----BEGIN ") != std::string::npos) return true;
  Complain(SubjectFor(path), "is no PEM file; name one");
  return false;
}

}  // namespace stillframe::verbs
