// SPDX-License-Identifier: Apache-2.0
// What --help says, in other forms: man pages and completion for shells. All are made of the
// parser's own description of itself.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace stillframe::verbs {

std::string BashCompletion(const CLI::App& app);
std::string ZshCompletion(const CLI::App& app);

}  // namespace stillframe::verbs
