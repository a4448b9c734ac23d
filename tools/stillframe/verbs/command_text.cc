// SPDX-License-Identifier: Apache-2.0
// Walks CLI11's description of the verbs and their options.
#include "tools/stillframe/verbs/command_text.h"

#include <algorithm>
#include <vector>

namespace stillframe::verbs {
namespace {

std::vector<const CLI::App*> VerbsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<const CLI::Option*> OptionsOf(const CLI::App& app, bool is_positional) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional() == is_positional) options.push_back(option);
  return options;
}

// "-o,--output" and "--mapping [VERSION=]FILE"
std::string Names(const CLI::Option& option) { return option.get_name(false, true); }

bool HasValue(const CLI::Option& option) { return option.get_expected_max() > 0; }

std::string ValueText(const CLI::Option& option) {
  if (!HasValue(option)) return {};
  return option.get_option_text().empty() ? "FILE" : option.get_option_text();
}

// Values of "a|b|c"; none for a free one.
std::vector<std::string> Choices(const CLI::Option& option) {
  const std::string text = option.get_option_text();
  return text.find('|') == std::string::npos ? std::vector<std::string>()
                                             : CLI::detail::split(text, '|');
}

// What a shell offers for the value of an option that has no choices.
enum class Offer : uint8_t { kFiles, kTokens, kProcesses, kNothing };

Offer OfferOf(const CLI::Option& option) {
  const std::string name = option.get_name(false, true);
  if (name == "--token") return Offer::kTokens;
  if (name == "--pid") return Offer::kProcesses;
  return ValueText(option).ends_with("FILE") ? Offer::kFiles : Offer::kNothing;
}

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string Quoted(const std::string& text) { return "'" + Replaced(text, "'", "'\\''") + "'"; }

// What zsh's _arguments takes as one word's description.
std::string ZshText(const std::string& text) {
  return Replaced(Replaced(Replaced(text, "[", "("), "]", ")"), ":", "\\:");
}

// Of the verbs' arguments that are words and no files: " words='bash zsh'".
std::string WordsOf(const CLI::App& verb) {
  std::string words;
  for (const CLI::Option* option : OptionsOf(verb, true))
    for (const std::string& choice : Choices(*option)) words += (words.empty() ? "" : " ") + choice;
  return words.empty() ? "" : " words=" + Quoted(words);
}

// "'1:word:(bash zsh)'" or files.
std::string ZshArguments(const CLI::App& verb) {
  for (const CLI::Option* option : OptionsOf(verb, true)) {
    const std::vector<std::string> choices = Choices(*option);
    if (!choices.empty()) return Quoted("1:word:(" + CLI::detail::join(choices, " ") + ")");
  }
  return "'*:file:_files'";
}

std::string ZshValue(const CLI::Option& option) {
  const std::vector<std::string> choices = Choices(option);
  if (!choices.empty()) return ":value:(" + CLI::detail::join(choices, " ") + ")";
  const std::string value = ":" + ZshText(ValueText(option)) + ":";
  switch (OfferOf(option)) {
    case Offer::kTokens: return value + "_stillframe_tokens";
    case Offer::kProcesses: return value + "_stillframe_processes";
    case Offer::kFiles: return value + "_files";
    case Offer::kNothing: break;
  }
  return value;
}

// The case of an option's value; "" for files, which are offered for everything else.
std::string BashValue(const CLI::App& verb, const CLI::Option& option) {
  const std::vector<std::string> choices = Choices(option);
  std::string words;
  if (!choices.empty()) {
    words = Quoted(CLI::detail::join(choices, " "));
  } else {
    switch (HasValue(option) ? OfferOf(option) : Offer::kFiles) {
      case Offer::kFiles: return {};
      case Offer::kTokens:
        words = R"x("$("${COMP_WORDS[0]}" values tokens "$dump" 2>/dev/null)")x";
        break;
      case Offer::kProcesses: words = R"x("$("${COMP_WORDS[0]}" values processes)")x"; break;
      case Offer::kNothing: words = "''"; break;
    }
  }
  return "    " + verb.get_name() + ":" +
         Replaced(Names(option), ",", "|" + verb.get_name() + ":") +
         ") mapfile -t COMPREPLY < <(compgen -W " + words + " -- \"$word\"); return ;;\n";
}

std::string ZshOption(const CLI::Option& option) {
  const std::string value = HasValue(option) ? ZshValue(option) : "";
  std::string out;
  for (const std::string& name : CLI::detail::split(Names(option), ',')) {
    out +=
        "        " + Quoted(name + "[" + ZshText(option.get_description()) + "]" + value) + " \\\n";
  }
  return out;
}

}  // namespace

std::string BashCompletion(const CLI::App& app) {
  std::string verbs;
  std::string cases;
  std::string values;
  for (const CLI::App* verb : VerbsOf(app)) {
    verbs += (verbs.empty() ? "" : " ") + verb->get_name();
    std::string names;
    for (const CLI::Option* option : OptionsOf(*verb, false)) {
      const std::string spaced = Replaced(Names(*option), ",", " ");
      names += (names.empty() ? "" : " ") + spaced;
      values += BashValue(*verb, *option);
    }
    cases += "    " + verb->get_name() + ") options=" + Quoted(names) + WordsOf(*verb) + " ;;\n";
  }
  return "# Completion of stillframe for bash: source <(stillframe completion bash)\n"
         "_stillframe() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
         "verb=${COMP_WORDS[1]} options= words= dump= each\n"
         "  for each in \"${COMP_WORDS[@]:2}\"; do [[ -f $each ]] && dump=$each; done\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    mapfile -t COMPREPLY < <(compgen -W " +
         Quoted(verbs + " --help --version") +
         " -- \"$word\")\n    return\n  fi\n  case $verb:$before in\n" + values +
         "  esac\n  case $verb in\n" + cases +
         "  esac\n  if [[ $word == -* ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
         "  elif [[ -n $words ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n  else\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n  fi\n}\n"
         "complete -F _stillframe stillframe\n";
}

std::string ZshCompletion(const CLI::App& app) {
  std::string verbs;
  std::string cases;
  for (const CLI::App* verb : VerbsOf(app)) {
    verbs += "    " + Quoted(verb->get_name() + ":" + ZshText(verb->get_description())) + "\n";
    cases += "    " + verb->get_name() + ")\n      _arguments \\\n";
    for (const CLI::Option* option : OptionsOf(*verb, false)) cases += ZshOption(*option);
    cases += "        " + ZshArguments(*verb) + "\n      ;;\n";
  }
  return "#compdef stillframe\n"
         "# Completion of stillframe for zsh: stillframe completion zsh > a folder of $fpath, as "
         "_stillframe\n"
         "_stillframe_tokens() {\n"
         "  local each dump\n"
         "  for each in $words; do [[ -f $each ]] && dump=$each; done\n"
         "  compadd -- ${(f)\"$(stillframe values tokens $dump 2>/dev/null)\"}\n}\n"
         "_stillframe_processes() { compadd -- ${(f)\"$(stillframe values processes)\"} }\n"
         "_stillframe() {\n  local -a verbs\n  verbs=(\n" +
         verbs +
         "  )\n  if ((CURRENT == 2)); then\n    _describe verb verbs\n    return\n  fi\n"
         "  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n  case $verb in\n" +
         cases + "  esac\n}\n_stillframe \"$@\"\n";
}

}  // namespace stillframe::verbs
