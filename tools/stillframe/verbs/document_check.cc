// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verbs/document_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "src/settings/cohort.h"
#include "src/settings/cohort_names.h"
#include "src/settings/config.h"
#include "src/settings/document.h"
#include "src/settings/rules.h"
#include "tools/stillframe/index/clean_text.h"

namespace stillframe::verbs {
namespace {

using nlohmann::ordered_json;
using settings::Member;

ordered_json SettingSchema(const settings::SettingFacts& facts) {
  const std::string kind = facts.kind;
  ordered_json schema;
  if (kind == "number")
    schema = {{"type", "integer"}, {"minimum", facts.least}, {"maximum", facts.most}};
  else if (kind == "switch")
    schema = {{"enum", {true, false, 0, 1}}};
  else if (kind == "choice")
    schema = {{"enum", facts.names}};
  else
    schema = {{"type", "string"}};
  if (kind == "switch" && !facts.names.empty()) {
    const std::string word = fmt::format("({})", fmt::join(facts.names, "|"));
    const ordered_json words = {{"type", "string"}, {"pattern", "^" + word + "(," + word + ")*$"}};
    schema = {{"anyOf", {schema, words}}};
  }
  std::string about = facts.is_fixed_at_start ? "before the start only" : "at any time";
  if (*facts.unit != '\0') about = std::string(facts.unit) + ", " + about;
  schema["description"] = about;
  return schema;
}

ordered_json SettingsSchema() {
  ordered_json properties = ordered_json::object();
  for (const settings::SettingFacts& facts : settings::Table())
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

// Finds rules that never count, because a later rule overrides them wherever they hold.
//
// Reports only certain cases. A condition implies another by its own value alone. A rule or value
// that a device would ignore overrides nothing.

struct Side {
  std::string name;  // "rule 3"
  std::map<std::string, std::vector<std::string>> conditions;
  std::map<std::string, std::string> settings;  // valid settings only
};

void AddSettings(const std::vector<Member>& settings, Side* side) {
  for (const Member& setting : settings) {
    settings::Config config;
    std::vector<std::string> complaints;
    std::string complaint;
    const auto value = settings::ValueOf(setting, &complaint);
    if (value &&
        settings::Set(setting.name, *value, &config, &complaints) == settings::Result::kSet)
      side->settings[setting.name] = *value;
  }
}

// "rule 1 is ignored: ..." if a device would ignore it.
std::vector<std::string> Complaints(const settings::Rule& rule) {
  settings::Document alone;
  alone.rules = {rule};
  alone.rules[0].settings.clear();
  std::vector<std::string> complaints;
  settings::Apply(alone, {}, &complaints);
  return complaints;
}

// Has no settings if a device would ignore the rule.
Side SideOf(const settings::Rule& rule, size_t number) {
  Side side{fmt::format("rule {}", number), {}, {}};
  if (!Complaints(rule).empty()) return side;
  for (const Member& condition : rule.conditions)
    side.conditions[condition.name].push_back(condition.value);
  for (auto& [name, values] : side.conditions) std::sort(values.begin(), values.end());
  AddSettings(rule.settings, &side);
  return side;
}

bool IsText(const std::string& condition) {
  for (const settings::ConditionName* row = settings::ConditionNames(); row->name != nullptr; ++row)
    if (condition == row->name) return std::string_view(row->kind) == "text";
  return false;
}

// Everything that matches `narrow` matches `wide`. Either may end with *.
bool FitsWithin(std::string_view narrow, std::string_view wide) {
  if (narrow == wide) return true;
  if (!wide.ends_with('*')) return false;
  if (narrow.ends_with('*')) narrow.remove_suffix(1);
  return narrow.starts_with(wide.substr(0, wide.size() - 1));
}

// For one valid value each. Salts are compared elsewhere.
bool IsWithin(const std::string& name, const std::string& narrow, const std::string& wide) {
  const auto number = [](const std::string& text) {
    return std::strtoll(text.c_str(), nullptr, 10);
  };
  const auto places = [](const std::string& text) {
    return settings::PlacesOf(std::strtod(text.c_str(), nullptr));
  };
  if (name == "percent") return places(narrow) <= places(wide);
  if (name.starts_with("max_")) return number(narrow) <= number(wide);
  if (name.starts_with("min_")) return number(narrow) >= number(wide);
  int64_t narrow_s = 0;
  int64_t wide_s = 0;
  if (!settings::ParseTime(narrow, &narrow_s) || !settings::ParseTime(wide, &wide_s)) return false;
  return name == "from" ? narrow_s >= wide_s : name == "until" && narrow_s <= wide_s;
}

// `later` holds wherever `earlier` does.
bool IsImplied(const Side& earlier, const Side& later) {
  for (const auto& [name, wide] : later.conditions) {
    const auto found = earlier.conditions.find(name);
    if (found == earlier.conditions.end()) return false;
    const std::vector<std::string>& narrow = found->second;
    if (narrow == wide) continue;
    if (IsText(name)) {
      for (const std::string& one : narrow)
        if (std::none_of(wide.begin(), wide.end(),
                         [&](const std::string& other) { return FitsWithin(one, other); }))
          return false;
    } else if (narrow.size() != 1 || wide.size() != 1 || !IsWithin(name, narrow[0], wide[0])) {
      return false;
    }
  }
  // A percentage depends on the salt.
  if (!later.conditions.contains("percent") || later.conditions.contains("salt")) return true;
  return !earlier.conditions.contains("salt");
}

void Compare(const Side& earlier, const Side& later, std::vector<std::string>* said) {
  const bool has_same = earlier.conditions == later.conditions;
  const std::string because =
      later.name + (has_same ? " has the same conditions" : " holds wherever this does");
  size_t replaced = 0;
  std::vector<std::string> lines;
  for (const auto& [name, value] : earlier.settings) {
    const auto found = later.settings.find(name);
    if (found == later.settings.end()) continue;
    ++replaced;
    if (found->second != value)
      lines.push_back(fmt::format("{}: {}={} never counts: {}, and sets it to {}", earlier.name,
                                  name, value, because, found->second));
  }
  if (replaced == earlier.settings.size() && lines.size() != 1)
    lines = {fmt::format("{} has no effect: {}, and sets all that it sets", earlier.name, because)};
  said->insert(said->end(), lines.begin(), lines.end());
}

// One line each: "rule 1: trees=7 never counts: rule 3 has the same conditions, and sets it to 9".
std::vector<std::string> RuleConflicts(const settings::Document& document) {
  std::vector<Side> sides;
  sides.push_back({"outside of rules", {}, {}});
  AddSettings(document.settings, &sides[0]);
  for (size_t i = 0; i < document.rules.size(); ++i)
    sides.push_back(SideOf(document.rules[i], i + 1));
  std::vector<std::string> said;
  for (size_t i = 0; i < sides.size(); ++i) {
    // Reports only the first rule that overrides it.
    std::vector<std::string> lines;
    for (size_t j = i + 1; j < sides.size() && lines.empty() && !sides[i].settings.empty(); ++j)
      if (!sides[j].settings.empty() && IsImplied(sides[i], sides[j]))
        Compare(sides[i], sides[j], &lines);
    said.insert(said.end(), lines.begin(), lines.end());
  }
  return said;
}

}  // namespace

std::string DocumentSchema() {
  ordered_json conditions = ordered_json::object();
  for (const settings::ConditionName* row = settings::ConditionNames(); row->name != nullptr; ++row)
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
  properties["rules"] = {{"type", "array"}, {"items", rule}, {"maxItems", settings::kMaxRules}};
  const ordered_json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Settings of Stillframe, as stillframe_configure_document takes them"},
      {"type", "object"},
      {"properties", properties},
      {"additionalProperties", false}};
  return schema.dump(2) + "\n";
}

std::vector<std::string> Problems(std::string_view text) {
  settings::Document document;
  const std::string why = settings::ReadDocument(text, &document);
  if (!why.empty()) return {index::CleanText(why)};
  std::vector<std::string> problems;
  settings::Config config;
  const auto look = [&](const std::vector<settings::Member>& members, const std::string& where) {
    for (const settings::Member& member : members) {
      std::vector<std::string> said(1);
      if (member.name == "settings" && !member.is_plain)
        said[0] = "unknown setting 'settings': settings belong at the top level";
      else if (const auto value = settings::ValueOf(member, &said[0]))
        settings::Set(member.name, *value, &config, &said);
      for (const std::string& line : said)
        if (!line.empty())
          problems.push_back(fmt::format("line {}: {}{}", member.line, where, line));
    }
  };
  look(document.settings, "");
  for (size_t i = 0; i < document.rules.size(); ++i) {
    const settings::Rule& rule = document.rules[i];
    for (const std::string& complaint : Complaints(rule))
      problems.push_back(fmt::format("line {}: rule {}{}", rule.line, i + 1,
                                     complaint.substr(std::string_view("rule 1").size())));
    look(rule.settings, fmt::format("rule {}: ", i + 1));
  }
  for (std::string& problem : problems) problem = index::CleanText(problem);
  return problems;
}

std::vector<std::string> Warnings(std::string_view text) {
  settings::Document document;
  settings::ReadDocument(text, &document);
  std::vector<std::string> warnings = RuleConflicts(document);
  const std::vector<settings::SettingFacts> table = settings::Table();
  const auto look = [&](const std::vector<settings::Member>& members, const std::string& where) {
    for (const settings::Member& member : members)
      for (const settings::SettingFacts& facts : table)
        if (facts.is_local && member.name == facts.name)
          warnings.push_back(fmt::format(
              "{}{} is local only: calls and the environment set it, and a document {}", where,
              member.name,
              facts.kind == std::string_view("switch") ? "may only switch it off" : "cannot"));
  };
  look(document.settings, "");
  for (size_t i = 0; i < document.rules.size(); ++i) {
    look(document.rules[i].settings, fmt::format("rule {}: ", i + 1));
    for (const settings::Member& condition : document.rules[i].conditions)
      if (const double percent = std::strtod(condition.value.c_str(), nullptr);
          condition.name == "percent" && percent > 0 && settings::PlacesOf(percent) == 0)
        warnings.push_back(
            fmt::format("rule {}: percent {} is rounded to no install", i + 1, condition.value));
  }
  for (std::string& warning : warnings) warning = index::CleanText(warning.insert(0, "warning: "));
  return warnings;
}

bool ShowInForce(std::string_view text, const settings::Facts& facts, std::string* out) {
  settings::Document document;
  const std::string why = settings::ReadDocument(text, &document);
  if (!why.empty()) {
    *out = index::CleanText(why);
    return false;
  }
  std::vector<std::string> ignored;
  const settings::InForce in_force = settings::Apply(document, facts, &ignored);
  *out = fmt::format("{} of {} rules hold\n", in_force.rules.size(), document.rules.size());
  for (const size_t rule : in_force.rules)
    *out +=
        fmt::format("rule {} {}\n", rule + 1, index::CleanText(settings::NameOf(document, rule)));
  settings::Layers layers;
  layers.document = in_force.settings;
  std::map<std::string, bool> is_set;
  for (const model::NamedText& item : in_force.settings) is_set[item.name] = true;
  const settings::Config config = settings::Assemble(layers, {&ignored, &ignored, &ignored});
  for (const model::NamedText& item : settings::Describe(config))
    if (is_set.contains(item.name))
      *out += fmt::format("{}\t{}\n", item.name, index::CleanText(item.value));
  if (config.control_percent > 0 || !config.enabled) {
    const bool is_control =
        settings::IsControl(facts.install_id, settings::kControlSalt, config.control_percent);
    *out += fmt::format("group\t{}\n", !config.enabled ? settings::kOut
                                       : is_control    ? settings::kControl
                                                       : settings::kSampled);
  }
  if (in_force.next_s != settings::kNever)
    *out += fmt::format("until\t{} s since 1970\n", in_force.next_s);
  return true;
}

}  // namespace stillframe::verbs
