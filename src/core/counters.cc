// SPDX-License-Identifier: Apache-2.0
#include "src/core/counters.h"

namespace stillframe::core {
namespace {

constexpr size_t kRows = static_cast<size_t>(Counter::kCount);

// Without the meanings, which the device does not carry.
struct DeviceRow {
  const char* name;
  bool is_always_shown;
};
constexpr std::array<DeviceRow, kRows> DeviceRows() {
  std::array<DeviceRow, kRows> rows = {};
  for (size_t i = 0; i < kRows; ++i)
    rows[i] = {kCounterRows[i].name, kCounterRows[i].only == nullptr};
  return rows;
}
constexpr std::array<DeviceRow, kRows> kDeviceRows = DeviceRows();

}  // namespace

constinit std::array<std::atomic<uint64_t>, Counters::kCount> Counters::cells = {};
constinit std::array<Counters::Published, Counters::kCount> Counters::published = {};

void Counters::Publish(Counter counter, Reader read, void* part) {
  published[Index(counter)] = {read, part, true};
}

void Counters::Show(Counter counter) { published[Index(counter)].is_shown = true; }

uint64_t Counters::Read(Counter counter) {
  const Published& source = published[Index(counter)];
  return source.read != nullptr ? source.read(source.part) : Added(counter);
}

bool Counters::IsShown(Counter counter) {
  return kDeviceRows[Index(counter)].is_always_shown || published[Index(counter)].is_shown;
}

const char* Counters::NameOf(Counter counter) { return kDeviceRows[Index(counter)].name; }

}  // namespace stillframe::core
