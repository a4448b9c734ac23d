// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verbs/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

// Describes wrong usage: the unknown word, and the nearest known one.

constexpr size_t kHelpColumn = 30;
constexpr size_t kLongestChoices = 40;

size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// "; did you mean 'report'?", or `otherwise` if no word is near.
std::string Suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& otherwise) {
  const auto nearest = std::min_element(
      known.begin(), known.end(),
      [&](const auto& a, const auto& b) { return Distance(word, a) < Distance(word, b); });
  const size_t most = std::max<size_t>(2, word.size() / 3);
  return nearest != known.end() && Distance(word, *nearest) <= most
             ? fmt::format("; did you mean '{}'?", *nearest)
             : "; " + otherwise;
}

std::vector<std::string> OptionNames(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options([](const CLI::Option* any) {
         return !any->get_group().empty();  // those of --help
       }))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string UnexpectedArgument(const CLI::App& verb) {
  const std::vector<std::string> words = verb.remaining();
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && word[0] == '-';
  });
  const std::string help = fmt::format("see 'stillframe {} --help'", verb.get_name());
  if (option != words.end()) {
    const std::string name = option->substr(0, option->find('='));
    return fmt::format("'{}' has no option '{}'{}", verb.get_name(), name,
                       Suggestion(name, OptionNames(verb), help));
  }
  std::string taken;
  for (const CLI::Option* any :
       verb.get_options([](const CLI::Option* one) { return one->get_positional(); }))
    taken += (taken.empty() ? "one " : " and one ") + any->get_single_name();
  return fmt::format("unexpected argument '{}': '{}' takes {}; {}",
                     words.empty() ? "" : words.front(), verb.get_name(),
                     taken.empty() ? "none" : taken, help);
}

std::string Wrapped(const std::string& text, size_t columns) {
  std::string out;
  size_t used = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t space = std::min(text.find(' ', at), text.size());
    const std::string_view word = std::string_view(text).substr(at, space - at);
    const bool fits = used == 0 || used + 1 + word.size() <= columns;
    out += used == 0 ? "" : fits ? " " : "\n";
    used = fits && used > 0 ? used + 1 + word.size() : word.size();
    out += word;
    at = space + 1;
  }
  return out;
}

class Wrapping : public CLI::Formatter {
 public:
  explicit Wrapping(size_t columns) : columns_(std::max<size_t>(columns, 2 * kHelpColumn)) {
    column_width(kHelpColumn);
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    if (option->get_required() && !option->get_positional()) text += " (required)";
    return Wrapped(text, columns_ - kHelpColumn);
  }

  // Fits all verbs on one screen.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    if (app->get_parent() != nullptr) return Formatter::make_help(app, name, mode);
    return make_description(app) +
           "Usage: stillframe VERB [OPTIONS]; 'stillframe VERB --help' lists them\n" +
           make_subcommands(app, mode) + make_footer(app);
  }

  // One line a verb, with its group before the first.
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode) const override {
    std::string out = "\n";
    std::string group;
    for (const CLI::App* verb : app->get_subcommands([](const CLI::App*) { return true; })) {
      const bool names_group = app->get_parent() == nullptr && verb->get_group() != group;
      out += fmt::format("{:<9} {:<10} {}\n", names_group ? verb->get_group() : "",
                         verb->get_name(), verb->get_description());
      group = verb->get_group();
    }
    return out;
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string& text = option->get_option_text();
    if (text.size() > kLongestChoices) return " NAME";  // the description lists them
    if (!text.empty()) return " " + text;
    return option->get_positional() || option->get_items_expected_max() == 0 ? "" : " FILE";
  }

 private:
  size_t columns_;
};

// One line. `word` is the first argument; "": none.
std::string UsageProblem(const CLI::App& app, const CLI::ParseError& error,
                         const std::string& word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  if (word.empty()) return "no verb is given; see 'stillframe --help'";
  if (word[0] == '-' && std::find(verbs.begin(), verbs.end(), word) == verbs.end())
    return fmt::format("unknown option '{}'{}", word,
                       Suggestion(word, {"--help", "--version"}, "see 'stillframe --help'"));
  if (std::find(verbs.begin(), verbs.end(), word) == verbs.end())
    return fmt::format("unknown verb '{}'{}", word,
                       Suggestion(word, verbs, "see 'stillframe --help'"));
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return UnexpectedArgument(*app.get_subcommand(word));
  return fmt::format("{}; see 'stillframe {} --help'", error.what(), word);
}

// Help in lines of at most `columns`.
std::shared_ptr<CLI::FormatterBase> WrappedHelp(size_t columns) {
  return std::make_shared<Wrapping>(columns);
}

struct Group {
  const char* name;
  std::vector<void (*)(CLI::App*, Action*)> verbs;
};

// In the order of --help.
const Group groups[] = {{"look", {AddReport, AddText, AddFlame, AddInspect, AddSymbolize}},
                        {"compare", {AddTop, AddDiff, AddJanks, AddStore}},
                        {"phone", {AddDoctor, AddRecord, AddLive, AddPull}},
                        {"convert", {AddExport, AddImport}},
                        {"roll out", {AddConfig, AddCohort}}};

}  // namespace

void AddMessageOption(CLI::App* verb, std::optional<Token>* token, const std::string& help) {
  const auto read = [token](const std::string& text) {
    uint64_t value = 0;
    const char* end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end)
      throw CLI::ValidationError("--message", "'" + text + "' is not the number of a message");
    *token = Token{value};
  };
  verb->add_option_function<std::string>("--message", read, help)->option_text("N");
}

int RunCommandLine(int argc, const char* const* argv) {
  CLI::App app("Tells which code held an Android main thread, from a Stillframe dump.",
               "stillframe");
  app.set_version_flag("--version", "stillframe " STILLFRAME_VERSION);
  app.require_subcommand(1);
  constexpr size_t kHelpColumns = 100;
  const size_t columns = StandardOutput().columns;
  app.formatter(WrappedHelp(columns == 0 ? kHelpColumns : std::min(columns, kHelpColumns)));
  app.footer(
      "Exit codes: 0 fine, 1 bad data (what can be read of it is shown), 2 wrong usage.\n"
      "Example: stillframe report anr.sfdump --open");
  Action action;
  for (const Group& group : groups) {
    for (const auto& add : group.verbs) {
      add(&app, &action);
      app.get_subcommands([](const CLI::App*) { return true; }).back()->group(group.name);
    }
  }
  std::vector<std::string> words(argv + 1, argv + argc);
  const std::string first = words.empty() ? "" : words[0];
  if (first == "version") words = {"--version"};
  if (first == "help") {
    words.erase(words.begin());
    words.insert(words.begin() + (words.empty() ? 0 : 1), "--help");
  }
  const std::string word = words.empty() ? "" : words[0];
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    // --help, --version
    if (error.get_exit_code() == 0 && (word[0] == '-' || !app.get_subcommands().empty()))
      return app.exit(error);
    Complain("wrong usage", UsageProblem(app, error, word));
    return kExitUsage;
  }
  return action();
}

}  // namespace stillframe::verbs
