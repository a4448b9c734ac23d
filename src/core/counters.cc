// SPDX-License-Identifier: Apache-2.0
#include "src/core/counters.h"

#include <string_view>

namespace stillframe::core {
namespace {

constexpr size_t kRows = static_cast<size_t>(Counter::kCount);

// The names alone, each terminated by a null. The device carries neither the meanings nor an
// address per name.
constexpr size_t NameBytes() {
  size_t bytes = 0;
  for (const CounterRow& row : kCounterRows) bytes += std::string_view(row.name).size() + 1;
  return bytes;
}
constexpr std::array<char, NameBytes()> Names() {
  std::array<char, NameBytes()> names = {};
  size_t at = 0;
  for (const CounterRow& row : kCounterRows) {
    for (const char c : std::string_view(row.name)) names[at++] = c;
    ++at;
  }
  return names;
}
constexpr std::array<uint16_t, kRows> NameOffsets() {
  std::array<uint16_t, kRows> offsets = {};
  for (size_t i = 0, at = 0; i < kRows; ++i) {
    offsets[i] = static_cast<uint16_t>(at);
    at += std::string_view(kCounterRows[i].name).size() + 1;
  }
  return offsets;
}
constexpr std::array<bool, kRows> AlwaysShown() {
  std::array<bool, kRows> shown = {};
  for (size_t i = 0; i < kRows; ++i) shown[i] = kCounterRows[i].only == nullptr;
  return shown;
}
constexpr auto kNames = Names();
constexpr auto kNameOffsets = NameOffsets();
constexpr auto kAlwaysShown = AlwaysShown();

}  // namespace

constinit std::array<std::atomic<uint64_t>, Counters::kCount> Counters::cells = {};
constinit std::array<Counters::Published, Counters::kCount> Counters::published = {};

void Counters::Publish(Counter counter, Reader read, void* part) {
  published[Index(counter)] = {read, part, true};
}

void Counters::Show(Counter counter, bool is_shown) {
  published[Index(counter)].is_shown = is_shown;
}

uint64_t Counters::Read(Counter counter) {
  const Published& source = published[Index(counter)];
  return source.read != nullptr ? source.read(source.part) : Added(counter);
}

bool Counters::IsShown(Counter counter) {
  return kAlwaysShown[Index(counter)] || published[Index(counter)].is_shown;
}

const char* Counters::NameOf(Counter counter) {
  return kNames.data() + kNameOffsets[Index(counter)];
}

}  // namespace stillframe::core
