// SPDX-License-Identifier: Apache-2.0
// Writes the input from which tools/page/build generates the page's fields.ts: the schema of a
// dump's JSON, and the enumerations with words.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "src/model/values.h"
#include "tools/stillframe/judge/verdict.h"
#include "tools/stillframe/render/json.h"
#include "tools/stillframe/render/own_state.h"

namespace {

using nlohmann::ordered_json;
using stillframe::EnumWords;

ordered_json Words(const EnumWords& words) { return {{"name", words.name}, {"text", words.text}}; }

template <typename Enum>
ordered_json TableOf() {
  ordered_json list = ordered_json::array();
  for (const EnumWords& words : stillframe::kTableOf<Enum>.words) list.push_back(Words(words));
  return list;
}

}  // namespace

int main() {  // NOLINT(bugprone-exception-escape): what it throws ends it
  ordered_json states = ordered_json::array();
  for (const EnumWords& words : stillframe::render::kOwnStates) states.push_back(Words(words));
  for (ordered_json& words : TableOf<stillframe::model::ThreadState>())
    states.push_back(std::move(words));
  const ordered_json json = {{"schema", ordered_json::parse(stillframe::render::JsonSchema())},
                             {"states", std::move(states)},
                             {"spans", TableOf<stillframe::model::SpanKind>()},
                             {"causes", TableOf<stillframe::judge::Cause>()}};
  return std::puts(json.dump(1).c_str()) < 0 ? 1 : 0;
}
