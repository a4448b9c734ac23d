// SPDX-License-Identifier: Apache-2.0
// The system's figures in a dump or beside traces, and the limits by which they count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/model/context_names.h"
#include "src/model/document.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

namespace context = model::context;

constexpr int64_t kFullPressurePermille = 100;
constexpr int64_t kSomePressurePermille = 300;
constexpr int64_t kManyMajorFaults = 200;
constexpr uint64_t kLeastIntervalMs = 100;  // shorter intervals have too few clock ticks

// Nothing if the dump has no such number.
std::optional<int64_t> NumberOf(const model::Document& document, std::string_view group,
                                std::string_view name);
// 0 where the dump has no such number.
Pressure PressureOf(const model::Document& document, std::string_view group);
// Clean text; "": none.
std::string TextOf(const model::Document& document, std::string_view group, std::string_view name);

inline uint64_t Positive(std::optional<int64_t> value) {
  return static_cast<uint64_t>(std::max<int64_t>(value.value_or(0), 0));
}

inline uint64_t CpuMs(const model::ThreadRow& row) {
  return Positive(row.user_ms) + Positive(row.system_ms);
}

// The thread used the CPU.
evidence::Rival RivalEvidence(const model::ThreadRow& row, uint64_t interval_ms);

}  // namespace stillframe::judge
