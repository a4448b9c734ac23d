// SPDX-License-Identifier: Apache-2.0
// Dumps in an application's folder on the phone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/stillframe/phone/adb.h"

namespace stillframe::phone {

struct RemoteDump {
  std::string path;  // relative to the application's folder
  uint64_t bytes = 0;

  std::string name() const { return path.substr(path.rfind('/') + 1); }
};

// All dumps below `folder`, a folder of the application. Empty if the folder does not exist.
std::vector<RemoteDump> FindDumps(const Adb& adb, const std::string& package,
                                  const std::string& folder);

// Copies a dump into `to` under its own name. The file appears only when it is complete.
bool FetchDump(const Adb& adb, const std::string& package, const RemoteDump& dump,
               const std::string& to, std::string* error);

}  // namespace stillframe::phone
