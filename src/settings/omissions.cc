// SPDX-License-Identifier: Apache-2.0
#include "src/settings/omissions.h"

#include <algorithm>
#include <iterator>

namespace stillframe::settings {
namespace {

constexpr std::string_view kWords[] = {"stacks",      "messages", "queue",   "threads", "context",
                                       "annotations", "reason",   "process", "install"};
static_assert(std::size(kWords) == static_cast<size_t>(Part::kCount));

template <typename Wanted>
std::string Joined(char separator, const Wanted& wanted) {
  std::string text;
  for (size_t i = 0; i < std::size(kWords); ++i) {
    if (!wanted(static_cast<Part>(i))) continue;
    if (!text.empty()) text += separator;
    text += kWords[i];
  }
  return text;
}

}  // namespace

std::vector<std::string> Omissions::AddWords(std::string_view words) {
  std::vector<std::string> unknown;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(','));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const auto* found = std::find(std::begin(kWords), std::end(kWords), word);
    if (found != std::end(kWords))
      Add(static_cast<Part>(found - std::begin(kWords)));
    else if (!word.empty())
      unknown.emplace_back(word);
  }
  return unknown;
}

std::string Omissions::Words() const {
  return Joined(
      ',', [this](Part part) { return Has(part); });
}

std::string KnownParts() {
  return Joined(
      ' ', [](Part) { return true; });
}

}  // namespace stillframe::settings
