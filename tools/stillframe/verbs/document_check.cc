// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verbs/document_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "src/settings/cohort.h"
#include "src/settings/cohort_names.h"
#include "src/settings/config.h"
#include "src/settings/document.h"
#include "tools/stillframe/index/clean_text.h"

namespace stillframe::verbs {
namespace {

using nlohmann::ordered_json;

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

}  // namespace

std::string DocumentSchema() {
  ordered_json properties = SettingsSchema();
  properties["cohort"] = {{"type", "object"},
                          {"properties",
                           {{"percent", {{"type", "number"}, {"minimum", 0}, {"maximum", 100}}},
                            {"salt", {{"type", "string"}, {"minLength", 1}, {"maxLength", 40}}}}},
                          {"required", {"percent", "salt"}},
                          {"additionalProperties", false}};
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
  settings::Document cohort = document;
  cohort.settings.clear();
  settings::SettingsFor(cohort, "", &problems);
  if (!problems.empty() && !document.cohort.empty())
    problems[0].insert(0, fmt::format("line {}: ", document.cohort[0].line));
  settings::Config config;
  for (const settings::Member& member : document.settings) {
    std::vector<std::string> said(1);
    if (member.name == "settings" && !member.is_plain)
      said[0] = "unknown setting 'settings': settings belong at the top level";
    else if (const auto value = settings::ValueOf(member, &said[0]))
      settings::Set(member.name, *value, &config, &said);
    for (const std::string& line : said)
      if (!line.empty()) problems.push_back(fmt::format("line {}: {}", member.line, line));
  }
  for (std::string& problem : problems) problem = index::CleanText(problem);
  return problems;
}

std::vector<std::string> Warnings(std::string_view text) {
  settings::Document document;
  settings::ReadDocument(text, &document);
  std::vector<std::string> warnings;
  const std::vector<settings::SettingFacts> table = settings::Table();
  for (const settings::Member& member : document.settings)
    for (const settings::SettingFacts& facts : table)
      if (facts.is_local && member.name == facts.name)
        warnings.push_back(fmt::format(
            "warning: {} is local only: calls and the environment set it, and a document {}",
            member.name,
            facts.kind == std::string_view("switch") ? "may only switch it off" : "cannot"));
  for (const settings::Member& member : document.cohort)
    if (const double percent = std::strtod(member.value.c_str(), nullptr);
        member.name == "percent" && percent > 0 && settings::PlacesOf(percent) == 0)
      warnings.push_back(index::CleanText(
          fmt::format("warning: percent {} is rounded to no install", member.value)));
  return warnings;
}

bool ShowInForce(std::string_view text, std::string_view install_id, std::string* out) {
  settings::Document document;
  const std::string why = settings::ReadDocument(text, &document);
  if (!why.empty()) {
    *out = index::CleanText(why);
    return false;
  }
  std::vector<std::string> ignored;
  const settings::InForce in_force = settings::SettingsFor(document, install_id, &ignored);
  out->clear();
  if (document.has_cohort)
    *out = in_force.cohort.empty() ? "not in the cohort\n"
                                   : fmt::format("cohort\t{}\n", index::CleanText(in_force.cohort));
  settings::Layers layers;
  layers.document = in_force.settings;
  const settings::Config config = settings::Assemble(layers, {&ignored, &ignored, &ignored});
  for (const model::NamedText& item : settings::Describe(config))
    if (std::ranges::find(in_force.settings, item.name, &model::NamedText::name) !=
        in_force.settings.end())
      *out += fmt::format("{}\t{}\n", item.name, index::CleanText(item.value));
  if (config.control_percent > 0 || !config.enabled) {
    const bool is_control =
        settings::IsControl(install_id, settings::kControlSalt, config.control_percent);
    *out += fmt::format("group\t{}\n", !config.enabled ? settings::kOut
                                       : is_control    ? settings::kControl
                                                       : settings::kSampled);
  }
  return true;
}

}  // namespace stillframe::verbs
