// SPDX-License-Identifier: Apache-2.0
// What a recording leaves on the phone while it lasts, and how that is taken away again, also
// after one that was broken off.
#pragma once

#include <string>
#include <vector>

#include "tools/stillframe/phone/adb.h"

namespace stillframe::phone {

// Below the shell's folder, one folder for each application; it is made before anything else and
// goes last, so that whoever comes later finds what was broken off.
std::string SharedFolder(const std::string& package);
// In the application's own folder: the library, and its dumps.
constexpr const char* kOwnFolder = "code_cache/stillframe";
constexpr const char* kDumpsFolder = "code_cache/stillframe/dumps";
constexpr const char* kLibraryName = "libstillframe.so";

// Letters, digits, dots and underscores, as Android has them.
bool IsPackageName(const std::string& name);

// Applications whose recording has left something.
std::vector<std::string> BrokenOff(const Adb& adb);

// Whether nothing of a recording is left; says in `error` why not.
bool TakeAway(const Adb& adb, const std::string& package, std::string* error);

}  // namespace stillframe::phone
