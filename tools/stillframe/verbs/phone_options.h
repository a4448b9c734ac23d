// SPDX-License-Identifier: Apache-2.0
// Shared by the verbs that talk to a phone.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/stillframe/phone/doctor.h"

namespace stillframe::verbs {

// Adds --serial.
void AddSerialOption(CLI::App* verb, phone::Question* question);
// Adds --package; a name that Android does not allow is wrong usage.
CLI::Option* AddPackageOption(CLI::App* verb, phone::Question* question);
// Adds --libraries, whose default is beside this program.
void AddLibrariesOption(CLI::App* verb, phone::Question* question);

// Complains about each problem. True if there was none.
bool ComplainOfProblems(const phone::Examination& examination);

// Makes the folder if it does not exist.
bool MakeFolder(const std::string& path);

}  // namespace stillframe::verbs
