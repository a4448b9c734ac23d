// SPDX-License-Identifier: Apache-2.0
// What the verbs that talk to a phone have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/stillframe/phone/doctor.h"

namespace stillframe::verbs {

// Adds --serial.
void AddSerialOption(CLI::App* verb, phone::Question* question);
// Adds --package; anything but a name of Android's is wrong usage.
CLI::Option* AddPackageOption(CLI::App* verb, phone::Question* question);
// Adds --libraries, which has a default beside this program.
void AddLibrariesOption(CLI::App* verb, phone::Question* question);

// Complains about each problem; whether there was none.
bool ComplainOfProblems(const phone::Examination& examination);

// Makes the folder if it is not there.
bool MakeFolder(const std::string& path);

}  // namespace stillframe::verbs
