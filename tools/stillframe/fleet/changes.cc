// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/changes.h"

#include <fmt/format.h>

#include <chrono>

#include "tools/stillframe/fleet/rows.h"

namespace stillframe::fleet {
namespace {

constexpr std::string_view kBusy = "busy ";

bool WriteStamp(Engine* engine, std::string_view prefix) {
  const RowVersion now = NowNs();
  return InsertRows<MetaRow>(
      engine, {{.name = "stamp", .version = now, .value = std::string(prefix) + CellTextOf(now)}});
}

}  // namespace

RowVersion NowNs() {
  return RowVersion{std::chrono::duration_cast<std::chrono::nanoseconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count()};
}

bool BeginChange(Engine* engine) { return engine->Begin() && WriteStamp(engine, kBusy); }

bool EndChange(Engine* engine) { return WriteStamp(engine, "") && engine->Commit(); }

std::string StampOf(Engine* engine) {
  constexpr Selection kSelectStamp(Picked{&MetaRow::value, "value"});
  std::string stamp;
  kSelectStamp.ForEach(engine, fmt::format("FROM {} WHERE name = 'stamp'", engine->From(kMeta)),
                       [&stamp](MetaRow& row) { stamp = std::move(row.value); });
  return stamp;
}

bool IsChanging(const std::string& stamp) { return stamp.starts_with(kBusy); }

}  // namespace stillframe::fleet
