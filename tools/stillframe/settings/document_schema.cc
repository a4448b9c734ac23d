// SPDX-License-Identifier: Apache-2.0
// JSON Schema, draft 2020-12.
#include "tools/stillframe/settings/document_schema.h"

#include <map>
#include <nlohmann/json.hpp>

#include "src/config/config.h"
#include "src/remote/document.h"
#include "src/remote/rules.h"

namespace stillframe::settings {
namespace {

using nlohmann::ordered_json;

ordered_json SettingSchema(const config::SettingFacts& facts) {
  const std::string kind = facts.kind;
  ordered_json schema;
  if (kind == "number")
    schema = {{"type", "integer"}, {"minimum", facts.least}, {"maximum", facts.most}};
  else if (kind == "switch")
    schema = {{"type",
               facts.names.empty() ? ordered_json("boolean") : ordered_json{"boolean", "string"}}};
  else if (kind == "choice")
    schema = {{"enum", facts.names}};
  else
    schema = {{"type", "string"}};
  std::string about = facts.is_fixed_at_start ? "before the start only" : "at any time";
  if (*facts.unit != '\0') about = std::string(facts.unit) + ", " + about;
  schema["description"] = about;
  return schema;
}

ordered_json SettingsSchema() {
  ordered_json properties = ordered_json::object();
  for (const config::SettingFacts& facts : config::Table())
    properties[facts.name] = SettingSchema(facts);
  return properties;
}

ordered_json OneOrMore(const ordered_json& one) {
  return {{"anyOf", {one, {{"type", "array"}, {"items", one}, {"minItems", 1}}}}};
}

ordered_json ConditionSchema(const std::string& kind) {
  if (kind == "number") return {{"type", "integer"}, {"minimum", 0}};
  if (kind == "switch") return {{"type", "boolean"}};
  if (kind == "percent") return {{"type", "number"}, {"minimum", 0}, {"maximum", 100}};
  if (kind == "salt") return {{"type", "string"}};
  if (kind == "time")
    return {{"type", "string"}, {"pattern", "^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\dZ)?$"}};
  return OneOrMore({{"type", "string"}});
}

}  // namespace

std::string DocumentSchema() {
  ordered_json conditions = ordered_json::object();
  for (const remote::ConditionName* row = remote::ConditionNames(); row->name != nullptr; ++row)
    conditions[row->name] = ConditionSchema(row->kind);
  const ordered_json settings = {
      {"type", "object"}, {"properties", SettingsSchema()}, {"additionalProperties", false}};
  const ordered_json rule = {{"type", "object"},
                             {"properties",
                              {{"name", {{"type", "string"}}},
                               {"if",
                                {{"type", "object"},
                                 {"properties", conditions},
                                 {"dependentRequired", {{"salt", {"percent"}}}},
                                 {"additionalProperties", false}}},
                               {"set", settings}}},
                             {"additionalProperties", false}};
  ordered_json properties = SettingsSchema();
  properties["rules"] = {{"type", "array"}, {"items", rule}, {"maxItems", remote::kMaxRules}};
  const ordered_json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Settings of Stillframe, as stillframe_configure_document takes them"},
      {"type", "object"},
      {"properties", properties},
      {"additionalProperties", false}};
  return schema.dump(2) + "\n";
}

}  // namespace stillframe::settings
