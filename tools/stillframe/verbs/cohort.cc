// SPDX-License-Identifier: Apache-2.0
// stillframe cohort --percent P [--salt S] [--control P] --id ID... | IDS
#include "src/settings/cohort.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "src/settings/cohort_names.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct CohortOptions {
  std::vector<std::string> ids;
  std::string file;
  std::string salt;
  double percent = 0;
  uint32_t control_percent = UINT32_MAX;  // not requested
};

bool IsGood(const std::string& subject, const std::string& text) {
  if (text.find('\0') == std::string::npos) return true;
  Complain(subject, "has a zero byte in it");
  return false;
}

bool ReadIds(const std::string& path, std::vector<std::string>* ids) {
  std::ifstream opened;
  if (path != "-") opened.open(path);
  std::istream& input = path == "-" ? std::cin : opened;
  if (!input) {
    Complain(SubjectFor(path), "cannot be read");
    return false;
  }
  for (std::string line; std::getline(input, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) ids->push_back(line);
  }
  if (!input.bad()) return true;
  Complain(SubjectFor(path), "cannot be read to its end");
  return false;
}

int Run(const CohortOptions& options) {
  std::vector<std::string> ids = options.ids;
  if (!options.file.empty() && !ReadIds(options.file, &ids)) return kExitBadData;
  if (ids.empty()) {
    Complain("cohort", "no ids; give --id ID, or a file with one id a line");
    return kExitUsage;
  }
  const uint32_t places = settings::PlacesOf(options.percent);
  if (places > settings::kPlaces) {  // invalid numbers pass range checks
    Complain("cohort", "--percent takes a number from 0 to 100");
    return kExitUsage;
  }
  std::string table;
  size_t in = 0;
  size_t controls = 0;
  for (const std::string& id : ids) {
    if (!IsGood("an id", id)) return kExitBadData;
    const uint32_t place = settings::PlaceOf(id, options.salt);
    const bool is_in = place < places;
    in += is_in ? 1U : 0U;
    table +=
        fmt::format("{}\t{}.{:04}\t{}", is_in ? "in" : "out", place / 10'000, place % 10'000, id);
    if (options.control_percent != UINT32_MAX) {
      const bool is_control =
          is_in && settings::IsControl(id, settings::kControlSalt, options.control_percent);
      controls += is_control ? 1U : 0U;
      table += '\t';
      table += !is_in ? settings::kOut : is_control ? settings::kControl : settings::kSampled;
    }
    table += '\n';
  }
  const int exit_code = WriteOutput("-", table);
  if (ids.size() > 1) {
    std::cerr << fmt::format("{} of {} are in ({:.4f} %)\n", in, ids.size(),
                             100 * static_cast<double>(in) / static_cast<double>(ids.size()));
    if (options.control_percent != UINT32_MAX)
      std::cerr << fmt::format("{} of these {} are in the control group\n", controls, in);
  }
  return exit_code;
}

}  // namespace

void AddCohort(CLI::App* app, Action* action) {
  auto options = std::make_shared<CohortOptions>();
  CLI::App* verb = app->add_subcommand("cohort", "Show which installs are in an experiment");
  verb->add_option("IDS", options->file, "A file with one install id a line; - is standard input");
  verb->add_option("--id", options->ids, "An install id; may be given more than once")
      ->option_text("ID");
  verb->add_option("--salt", options->salt, "The experiment's name, as the application gives it")
      ->option_text("NAME");
  verb->add_option("--percent", options->percent,
                   "The percentage of all installs that take part, from 0 to 100")
      ->required()
      ->check(CLI::Range(0.0, 100.0))
      ->option_text("P");
  verb->add_option("--control", options->control_percent,
                   "The percentage of these that sleep, as the setting control_percent; tells the "
                   "group of each install")
      ->check(CLI::Range(0U, 100U))
      ->option_text("P");
  verb->footer(
      "Prints in or out, the smallest percentage that lets the install in, and the id.\n"
      "With --control the group as well: sampled, control or out.\n"
      "Example:\n  stillframe cohort --salt janks --percent 0.1 --id c0ffee00-1234");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
