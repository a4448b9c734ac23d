// SPDX-License-Identifier: Apache-2.0
// Writes the input from which tools/page/build generates the page's fields.ts: the schema of a
// dump's JSON, and the enumerations with words.
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "src/model/values.h"
#include "tools/stillframe/judge/verdict.h"
#include "tools/stillframe/render/json.h"
#include "tools/stillframe/render/own_state.h"

namespace {

using nlohmann::ordered_json;
using stillframe::EnumWords;

using stillframe::model::Activity;
using stillframe::render::OwnState;

ordered_json Words(const EnumWords& words) { return {{"name", words.name}, {"text", words.text}}; }

// Keys of ACTS in tools/page/src/palette.ts.
const char* ActOf(OwnState state) {
  switch (state) {
    case OwnState::kReady: return "ready";
    case OwnState::kBinder: return "binder";
    case OwnState::kInputOutput: return "io";
    case OwnState::kMemory: return "memory";
    case OwnState::kNotRun: return "frozen";
  }
  return "";
}
const char* ActOf(stillframe::model::ThreadState state) {
  switch (stillframe::model::ActivityOf(state)) {
    case Activity::kUnknown: return "other";
    case Activity::kComputing: return "app";
    case Activity::kNative: return "native";
    case Activity::kWaiting: return "waiting";
    case Activity::kSleeping: return "sleeping";
    case Activity::kBlocked: return "blocked";
    case Activity::kRuntime: return "runtime";
  }
  return "";
}

// Adds rows of `State`, in the order of its values.
template <typename State, typename Rows>
void AddStates(const Rows& rows, ordered_json* list) {
  uint8_t value = 0;
  for (const EnumWords& words : rows) {
    ordered_json row = Words(words);
    row["act"] = ActOf(static_cast<State>(value++));
    list->push_back(std::move(row));
  }
}

template <typename Enum>
ordered_json TableOf() {
  ordered_json list = ordered_json::array();
  for (const EnumWords& words : stillframe::kTableOf<Enum>.words) list.push_back(Words(words));
  return list;
}

}  // namespace

int main() {  // NOLINT(bugprone-exception-escape): what it throws ends it
  ordered_json states = ordered_json::array();
  AddStates<OwnState>(stillframe::render::kOwnStates, &states);
  AddStates<stillframe::model::ThreadState>(
      stillframe::kTableOf<stillframe::model::ThreadState>.words, &states);
  const ordered_json json = {{"schema", ordered_json::parse(stillframe::render::JsonSchema())},
                             {"states", std::move(states)},
                             {"spans", TableOf<stillframe::model::SpanKind>()},
                             {"causes", TableOf<stillframe::judge::Cause>()}};
  return std::puts(json.dump(1).c_str()) < 0 ? 1 : 0;
}
