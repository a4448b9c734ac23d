// SPDX-License-Identifier: Apache-2.0
// Wrong usage in words: the word that nobody knows, and the nearest one that is known.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace stillframe::verbs {

// One line; `word` is the first argument, "" if there is none.
std::string UsageProblem(const CLI::App& app, const CLI::ParseError& error,
                         const std::string& word);

// Help in lines of at most `columns`.
std::shared_ptr<CLI::FormatterBase> WrappedHelp(size_t columns);

}  // namespace stillframe::verbs
