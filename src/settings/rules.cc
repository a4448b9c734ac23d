// SPDX-License-Identifier: Apache-2.0
#include "src/settings/rules.h"

#include <stdlib.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "src/settings/cohort.h"
#include "src/settings/config.h"

namespace stillframe::settings {
namespace {

constexpr ConditionName kConditions[] = {
    {"package", "text"},      {"process", "text"},       {"abi", "text"},
    {"model", "text"},        {"art_build", "text"},     {"min_api", "number"},
    {"max_api", "number"},    {"min_version", "number"}, {"max_version", "number"},
    {"debuggable", "switch"}, {"percent", "percent"},    {"salt", "salt"},
    {"from", "time"},         {"until", "time"},         {nullptr, nullptr},
};

bool ParseNumber(const std::string& text, int64_t* number) {
  char* end = nullptr;
  *number = strtoll(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0' && *number >= 0 && *number < INT64_MAX;
}

// "Pixel 7", or "Pixel*" for a prefix.
bool Fits(std::string_view pattern, std::string_view text) {
  if (text.empty()) return false;
  if (!pattern.ends_with('*')) return text == pattern;
  return text.starts_with(pattern.substr(0, pattern.size() - 1));
}

// One rule checked against the facts.
class Rules {
 public:
  Rules(const Rule& rule, const Facts& facts, int64_t* next_s)
      : rule_(rule), facts_(facts), next_s_(*next_s) {}

  // Conditions of different names must all hold; of one name, at least one.
  bool Hold() {
    bool all = true;
    for (size_t i = 0; i < rule_.conditions.size();) {
      const std::string& name = rule_.conditions[i].name;
      bool one = false;
      for (; i < rule_.conditions.size() && rule_.conditions[i].name == name; ++i)
        one |= Holds(rule_.conditions[i]);
      all &= one;
    }
    if (!has_percent_ && !salt_.empty()) Complain("salt", salt_, "beside a percent");
    return wrong_.empty() && all && IsEnrolled();
  }
  const std::string& wrong() const { return wrong_; }

 private:
  void Complain(const std::string& name, const std::string& value, const char* wanted) {
    if (wrong_.empty()) wrong_ = Shown(name) + "=" + Shown(value) + ": it must be " + wanted;
  }

  bool Holds(const Member& condition) {
    const std::string& name = condition.name;
    const ConditionName* row = kConditions;
    while (row->name != nullptr && name != row->name) ++row;
    if (row->name == nullptr) {
      if (wrong_.empty()) wrong_ = "unknown condition " + Shown(name);
      return false;
    }
    if (!condition.is_plain) {
      Complain(name, "...", "a string, a number, true or false");
      return false;
    }
    switch (row->kind[0]) {
      case 'n': return HoldsNumber(name, condition.value);
      case 'p': return HoldsPercent(condition.value);
      case 's':
        return row->kind[1] == 'a' ? HoldsSalt(condition.value)
                                   : HoldsSwitch(name, condition.value);
      default: break;
    }
    return row->kind[1] == 'i' ? HoldsTime(name, condition.value)
                               : Fits(condition.value, TextOf(name));
  }

  std::string_view TextOf(std::string_view name) const {
    if (name == "package") return facts_.package;
    if (name == "process") return facts_.process;
    if (name == "abi") return facts_.abi;
    return name == "model" ? facts_.model : facts_.art_build;
  }

  bool HoldsNumber(const std::string& name, const std::string& value) {
    int64_t number = 0;
    if (!ParseNumber(value, &number)) {
      Complain(name, value, "a number");
      return false;
    }
    const int64_t fact = name.ends_with("api") ? facts_.api : facts_.version;
    return fact != kFactUnknown && (name.starts_with("min") ? fact >= number : fact <= number);
  }

  bool HoldsSwitch(const std::string& name, const std::string& value) {
    bool wanted = false;
    if (!settings::ReadSwitch(value, &wanted)) Complain(name, value, "true or false");
    return facts_.debuggable != kFactUnknown && (facts_.debuggable == 1) == wanted;
  }

  bool HoldsPercent(const std::string& value) {
    char* end = nullptr;
    const double percent = strtod(value.c_str(), &end);
    const bool is_number =
        !value.empty() && *end == '\0' && value.find_first_of("xX") > value.size();
    const uint32_t places = is_number ? settings::PlacesOf(percent) : UINT32_MAX;
    if (places > settings::kPlaces) Complain("percent", value, "a number from 0 to 100");
    // In a list the largest percentage counts. One invalid number invalidates the rule.
    places_ = has_percent_ ? std::max(places_, places) : places;
    has_percent_ = true;
    return true;
  }

  bool HoldsSalt(const std::string& value) {
    salt_ = value;
    return true;
  }

  bool HoldsTime(const std::string& name, const std::string& value) {
    int64_t seconds = 0;
    if (!ParseTime(value, &seconds)) {
      Complain(name, value, "a day like 2026-11-23, or a time like 2026-11-23T10:00:00Z");
      return false;
    }
    if (seconds > facts_.now_s) next_s_ = std::min(next_s_, seconds);
    return (name == "from") == (facts_.now_s >= seconds);
  }

  bool IsEnrolled() {
    if (!has_percent_) return true;
    return !facts_.install_id.empty() && settings::PlaceOf(facts_.install_id, salt_) < places_;
  }

  const Rule& rule_;
  const Facts& facts_;
  int64_t& next_s_;
  std::string wrong_;
  std::string salt_;
  bool has_percent_ = false;
  uint32_t places_ = 0;
};

void Add(const std::vector<Member>& members, InForce* in_force,
         std::vector<std::string>* complaints) {
  for (const Member& member : members) {
    std::string complaint;
    if (auto value = ValueOf(member, &complaint))
      in_force->settings.push_back({member.name, std::move(*value)});
    if (!complaint.empty()) complaints->push_back(std::move(complaint));
  }
}

}  // namespace

bool ParseTime(const std::string& text, int64_t* seconds) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
  constexpr size_t kDayBytes = 10;
  constexpr int kLeast[] = {1970, 1, 1, 0, 0, 0};
  constexpr int kMost[] = {9999, 12, 31, 23, 59, 59};
  if (text.size() != kForm.size() && text.size() != kDayBytes) return false;
  int numbers[6] = {};
  size_t place = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (kForm[i] == 'd' && c >= '0' && c <= '9')
      numbers[place] = numbers[place] * 10 + (c - '0');
    else if (kForm[i] == 'd' || c != kForm[i])
      return false;
    else if (c != 'Z')
      ++place;
  }
  for (size_t i = 0; i < 6; ++i)
    if ((i < 3 || text.size() > kDayBytes) && (numbers[i] < kLeast[i] || numbers[i] > kMost[i]))
      return false;
  const int64_t year = numbers[0];
  const int64_t month = numbers[1];
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const int64_t last_day = month == 2 ? (is_leap ? 29 : 28) : 30 + (month + month / 8) % 2;
  if (numbers[2] > last_day) return false;
  // Day count with years that begin in March, so that the leap day is last.
  const int64_t from_march = year - (month <= 2 ? 1 : 0);
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + numbers[2] - 1;
  const int64_t days = from_march * 365 + from_march / 4 - from_march / 100 + from_march / 400 +
                       day_of_year - 719'468;
  *seconds = days * 86'400 + numbers[3] * 3'600 + numbers[4] * 60 + numbers[5];
  return true;
}

std::string NameOf(const Document& document, size_t rule) {
  for (const Member& other : document.rules[rule].others) {
    if (other.name != "name" || !other.is_plain || other.value.empty()) continue;
    std::string name = Shown(other.value);
    // Do not cut inside a character.
    const auto is_inner = [](char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; };
    if (name.size() < other.value.size() && is_inner(other.value[name.size()])) {
      while (is_inner(name.back())) name.pop_back();
      name.pop_back();
    }
    return name;
  }
  return "#" + std::to_string(rule + 1);
}

std::string NamesInForce(const Document& document, const InForce& in_force) {
  constexpr size_t kMostBytes = 80;
  std::string names;
  for (size_t i = 0; i < in_force.rules.size(); ++i) {
    const std::string name = NameOf(document, in_force.rules[i]);
    if (!names.empty() && names.size() + name.size() > kMostBytes)
      return names + ", and " + std::to_string(in_force.rules.size() - i) + " more";
    names.append(names.empty() ? "" : ", ").append(name);
  }
  return names;
}

const ConditionName* ConditionNames() { return kConditions; }

InForce Apply(const Document& document, const Facts& facts, std::vector<std::string>* complaints) {
  InForce in_force;
  Add(document.settings, &in_force, complaints);
  for (size_t i = 0; i < document.rules.size(); ++i) {
    const Rule& rule = document.rules[i];
    Rules rules(rule, facts, &in_force.next_s);
    const bool holds = rules.Hold();
    std::string wrong = rules.wrong();
    for (const Member& other : rule.others)
      if (other.name != "name" && wrong.empty())
        wrong = other.name.empty() ? "it must be an object"
                                   : "a rule has name, if and set, not " + Shown(other.name);
    if (!wrong.empty()) {
      complaints->push_back("rule " + std::to_string(i + 1) + " is ignored: " + wrong);
    } else if (holds) {
      in_force.rules.push_back(i);
      Add(rule.settings, &in_force, complaints);
    }
  }
  return in_force;
}

}  // namespace stillframe::settings
