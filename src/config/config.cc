// SPDX-License-Identifier: Apache-2.0
// A table of settings, read from and described to text.
#include "src/config/config.h"

#include <errno.h>
#include <stdlib.h>

#include <iterator>

namespace stillframe::config {
namespace {

struct Number {
  const char* name;
  uint32_t Config::*field;
  uint32_t least;
  uint32_t most;
};

constexpr Number kNumbers[] = {
    {"SLOW_MS", &Config::slow_ms, 1, 60'000},
    {"INTERVAL_US", &Config::interval_us, 300, 10'000'000},
    {"TREE_MIN_MS", &Config::tree_min_ms, 1, 600'000},
    {"TREES", &Config::trees, 1, 100},
    {"TREE_BUDGET_KIB", &Config::tree_budget_kib, 16, 65'536},
    {"HISTORY", &Config::history, 1, 10'000},
    {"GROUP_MS", &Config::group_ms, 1, 60'000},
    {"GROUPS", &Config::groups, 1, 1'000},
    {"QUICK_MS", &Config::quick_ms, 1, 60'000},
    {"RECORDS", &Config::records, 1, 10'000},
    {"IDLE_MS", &Config::idle_ms, 10, 3'600'000},
    {"FROZEN_MS", &Config::frozen_ms, 100, 3'600'000},
    {"FROZEN_FRAME_MS", &Config::frozen_frame_ms, 1, 60'000},
    {"MAX_DEPTH", &Config::max_depth, 16, 2'048},
    {"RING_KIB", &Config::ring_kib, 64, 16'384},
    {"WAIT_VM_MS", &Config::wait_vm_ms, 0, 3'600'000},
    {"LONG_MS", &Config::long_ms, 0, 600'000},
    {"DUMP_GAP_MS", &Config::dump_gap_ms, 0, 600'000},
    {"DUMPS", &Config::dumps, 1, 10'000},
};

struct Switch {
  const char* name;
  bool Config::*field;
};

constexpr Switch kSwitches[] = {
    {"ENABLED", &Config::enabled},
    {"DUMP_AT_EXIT", &Config::dump_at_exit},
    {"DUMP_ON_SIGQUIT", &Config::dump_on_sigquit},
    {"COPY_TRACES", &Config::copy_traces},
    {"LIVE", &Config::live},
};

constexpr const char* kTaps[] = {"auto", "observer", "printer", "poll", "none"};
constexpr const char* kTimers[] = {"cpu", "wall"};
constexpr const char* kPendings[] = {"auto", "fields", "dump"};

const char* Value(const char* name) { return getenv((std::string("STILLFRAME_") + name).c_str()); }

void Complain(const char* name, const char* value, const std::string& wanted,
              std::vector<std::string>* complaints) {
  complaints->push_back(std::string("STILLFRAME_") + name + "=" + std::string(value).substr(0, 40) +
                        " is ignored: it must be " + wanted);
}

void ReadNumber(const Number& number, Config* config, std::vector<std::string>* complaints) {
  const char* value = Value(number.name);
  if (value == nullptr) return;
  errno = 0;
  char* end = nullptr;
  const long long parsed = strtoll(value, &end, 10);
  if (errno != 0 || end == value || *end != '\0' || parsed < number.least || parsed > number.most) {
    Complain(number.name, value,
             "a number from " + std::to_string(number.least) + " to " + std::to_string(number.most),
             complaints);
    return;
  }
  config->*number.field = static_cast<uint32_t>(parsed);
}

void ReadSwitch(const Switch& on_off, Config* config, std::vector<std::string>* complaints) {
  const char* value = Value(on_off.name);
  if (value == nullptr) return;
  const std::string text = value;
  if (text == "0" || text == "1")
    config->*on_off.field = text == "1";
  else
    Complain(on_off.name, value, "0 or 1", complaints);
}

template <typename Choice, size_t kCount>
void ReadChoice(const char* name, const char* const (&names)[kCount], Choice* choice,
                std::vector<std::string>* complaints) {
  const char* value = Value(name);
  if (value == nullptr) return;
  std::string wanted = "one of";
  for (size_t i = 0; i < kCount; ++i) {
    if (std::string(value) == names[i]) {
      *choice = static_cast<Choice>(i);
      return;
    }
    wanted += std::string(" ") + names[i];
  }
  Complain(name, value, wanted, complaints);
}

// Words that are known count, whatever stands beside them: leaving out less than was meant would be
// worse.
void ReadOmissions(Config* config, std::vector<std::string>* complaints) {
  const char* value = Value("OMIT");
  if (value == nullptr) return;
  for (const std::string& word : config->omit.AddWords(value))
    Complain("OMIT", word.c_str(), "some of " + KnownParts(), complaints);
  // The Signal Catcher's traces hold all of these.
  for (const Part part : {Part::kStacks, Part::kThreads, Part::kProcess})
    if (config->omit.Has(part)) config->copy_traces = false;
}

}  // namespace

Config FromEnvironment(std::vector<std::string>* complaints) {
  Config config;
  for (const Number& number : kNumbers) ReadNumber(number, &config, complaints);
  for (const Switch& on_off : kSwitches) ReadSwitch(on_off, &config, complaints);
  ReadChoice("TAP", kTaps, &config.tap, complaints);
  ReadChoice("TIMER", kTimers, &config.timer, complaints);
  ReadChoice("PENDING", kPendings, &config.pending, complaints);
  ReadOmissions(&config, complaints);
  if (const char* dir = Value("DUMP_DIR")) config.dump_dir = dir;
  if (const char* loopers = Value("LOOPERS")) config.loopers = loopers;
  return config;
}

std::vector<model::NamedText> Describe(const Config& config) {
  std::vector<model::NamedText> items;
  for (const Number& number : kNumbers)
    items.push_back({number.name, std::to_string(config.*number.field)});
  for (const Switch& on_off : kSwitches)
    items.push_back({on_off.name, config.*on_off.field ? "1" : "0"});
  items.push_back({"TAP", kTaps[static_cast<size_t>(config.tap)]});
  items.push_back({"TIMER", kTimers[static_cast<size_t>(config.timer)]});
  items.push_back({"PENDING", kPendings[static_cast<size_t>(config.pending)]});
  items.push_back({"LOOPERS", config.loopers});
  items.push_back({"OMIT", config.omit.Words()});
  items.push_back({"DUMP_DIR", config.dump_dir});
  for (model::NamedText& item : items)
    for (char& c : item.name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return items;
}

}  // namespace stillframe::config
