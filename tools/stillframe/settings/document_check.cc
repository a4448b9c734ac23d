// SPDX-License-Identifier: Apache-2.0
// The settings are set as a device sets them, on a configuration of nobody's.
#include "tools/stillframe/settings/document_check.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <string_view>

#include "src/cohort/cohort.h"
#include "src/config/config.h"
#include "tools/stillframe/settings/rule_conflicts.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::settings {

std::vector<std::string> Problems(std::string_view text) {
  remote::Document document;
  const std::string why = remote::ReadDocument(text, &document);
  if (!why.empty()) return {text::CleanText(why)};
  std::vector<std::string> problems;
  remote::Apply(document, {}, &problems);
  config::Config config;
  const auto look = [&](const std::vector<remote::Member>& members, const std::string& where) {
    for (const remote::Member& member : members) {
      std::vector<std::string> said;
      // Of those outside rules Apply has said it.
      std::string complaint;
      const auto value = remote::ValueOf(member, &complaint);
      if (!complaint.empty() && !where.empty()) said.push_back(complaint);
      if (value) config::Set(member.name, *value, &config, &said);
      for (const std::string& line : said) problems.push_back(where + line);
    }
  };
  look(document.settings, "");
  for (size_t i = 0; i < document.rules.size(); ++i)
    look(document.rules[i].settings, fmt::format("rule {}: ", i + 1));
  for (std::string& problem : problems) problem = text::CleanText(problem);
  return problems;
}

std::vector<std::string> Warnings(std::string_view text) {
  remote::Document document;
  remote::ReadDocument(text, &document);
  std::vector<std::string> warnings = RuleConflicts(document);
  const std::vector<config::SettingFacts> table = config::Table();
  const auto look = [&](const std::vector<remote::Member>& members, const std::string& where) {
    for (const remote::Member& member : members)
      for (const config::SettingFacts& facts : table)
        if (facts.is_local && member.name == facts.name)
          warnings.push_back(fmt::format(
              "{}{} is local only: calls and the environment set it, and a document {}", where,
              member.name,
              facts.kind == std::string_view("switch") ? "may only switch it off" : "cannot"));
  };
  look(document.settings, "");
  for (size_t i = 0; i < document.rules.size(); ++i) {
    look(document.rules[i].settings, fmt::format("rule {}: ", i + 1));
    for (const remote::Member& condition : document.rules[i].conditions)
      if (const double percent = std::strtod(condition.value.c_str(), nullptr);
          condition.name == "percent" && percent > 0 && cohort::PlacesOf(percent) == 0)
        warnings.push_back(
            fmt::format("rule {}: percent {} is rounded to nobody", i + 1, condition.value));
  }
  for (std::string& warning : warnings) warning = text::CleanText(warning.insert(0, "warning: "));
  return warnings;
}

bool ShowInForce(std::string_view text, const remote::Facts& facts, std::string* out) {
  remote::Document document;
  const std::string why = remote::ReadDocument(text, &document);
  if (!why.empty()) {
    *out = text::CleanText(why);
    return false;
  }
  std::vector<std::string> ignored;
  const remote::InForce in_force = remote::Apply(document, facts, &ignored);
  *out = fmt::format("{} of {} rules hold\n", in_force.rules.size(), document.rules.size());
  for (const size_t rule : in_force.rules)
    *out += fmt::format("rule {} {}\n", rule + 1, text::CleanText(remote::NameOf(document, rule)));
  config::Layers layers;
  layers.document = in_force.settings;
  std::map<std::string, bool> is_set;
  for (const model::NamedText& item : in_force.settings) is_set[item.name] = true;
  const config::Config config = config::Assemble(layers, {&ignored, &ignored, &ignored});
  for (const model::NamedText& item : config::Describe(config))
    if (is_set.contains(item.name))
      *out += fmt::format("{}\t{}\n", item.name, text::CleanText(item.value));
  if (config.control_percent > 0 || !config.enabled) {
    const bool is_control =
        cohort::IsControl(facts.install_id, cohort::kControlSalt, config.control_percent);
    *out += fmt::format("group\t{}\n", !config.enabled ? cohort::kOut
                                       : is_control    ? cohort::kControl
                                                       : cohort::kSampled);
  }
  if (in_force.next_s != remote::kNever)
    *out += fmt::format("until\t{} s since 1970\n", in_force.next_s);
  return true;
}

}  // namespace stillframe::settings
