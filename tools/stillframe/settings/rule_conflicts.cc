// SPDX-License-Identifier: Apache-2.0
// Each rule against each later one.
#include "tools/stillframe/settings/rule_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

#include "src/cohort/cohort.h"
#include "src/config/config.h"
#include "src/remote/rules.h"

namespace stillframe::settings {
namespace {

using remote::Member;

struct Side {
  std::string name;  // "rule 3"
  std::map<std::string, std::vector<std::string>> conditions;
  std::map<std::string, std::string> settings;  // those that count
};

void AddSettings(const std::vector<Member>& settings, Side* side) {
  for (const Member& setting : settings) {
    config::Config config;
    std::vector<std::string> complaints;
    std::string complaint;
    const auto value = remote::ValueOf(setting, &complaint);
    if (value && config::Set(setting.name, *value, &config, &complaints) == config::Result::kSet)
      side->settings[setting.name] = *value;
  }
}

// Without settings where a device would ignore it.
Side SideOf(const remote::Rule& rule, size_t number) {
  Side side{fmt::format("rule {}", number), {}, {}};
  remote::Document alone;
  alone.rules = {rule};
  alone.rules[0].settings.clear();
  std::vector<std::string> complaints;
  remote::Apply(alone, {}, &complaints);
  if (!complaints.empty()) return side;
  for (const Member& condition : rule.conditions)
    side.conditions[condition.name].push_back(condition.value);
  for (auto& [name, values] : side.conditions) std::sort(values.begin(), values.end());
  AddSettings(rule.settings, &side);
  return side;
}

bool IsText(const std::string& condition) {
  for (const remote::ConditionName* row = remote::ConditionNames(); row->name != nullptr; ++row)
    if (condition == row->name) return std::string_view(row->kind) == "text";
  return false;
}

// Whatever fits `narrow` fits `wide`; either may end with *.
bool FitsWithin(std::string_view narrow, std::string_view wide) {
  if (narrow == wide) return true;
  if (!wide.ends_with('*')) return false;
  if (narrow.ends_with('*')) narrow.remove_suffix(1);
  return narrow.starts_with(wide.substr(0, wide.size() - 1));
}

// Of one value each, which is a good one. Salts are compared elsewhere.
bool IsWithin(const std::string& name, const std::string& narrow, const std::string& wide) {
  const auto number = [](const std::string& text) {
    return std::strtoll(text.c_str(), nullptr, 10);
  };
  const auto places = [](const std::string& text) {
    return cohort::PlacesOf(std::strtod(text.c_str(), nullptr));
  };
  if (name == "percent") return places(narrow) <= places(wide);
  if (name.starts_with("max_")) return number(narrow) <= number(wide);
  if (name.starts_with("min_")) return number(narrow) >= number(wide);
  int64_t narrow_s = 0;
  int64_t wide_s = 0;
  if (!remote::ParseTime(narrow, &narrow_s) || !remote::ParseTime(wide, &wide_s)) return false;
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
  // A percentage is of a salt.
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

}  // namespace

std::vector<std::string> RuleConflicts(const remote::Document& document) {
  std::vector<Side> sides;
  sides.push_back({"outside of rules", {}, {}});
  AddSettings(document.settings, &sides[0]);
  for (size_t i = 0; i < document.rules.size(); ++i)
    sides.push_back(SideOf(document.rules[i], i + 1));
  std::vector<std::string> said;
  for (size_t i = 0; i < sides.size(); ++i) {
    // The first that takes its place says enough.
    std::vector<std::string> lines;
    for (size_t j = i + 1; j < sides.size() && lines.empty() && !sides[i].settings.empty(); ++j)
      if (!sides[j].settings.empty() && IsImplied(sides[i], sides[j]))
        Compare(sides[i], sides[j], &lines);
    said.insert(said.end(), lines.begin(), lines.end());
  }
  return said;
}

}  // namespace stillframe::settings
