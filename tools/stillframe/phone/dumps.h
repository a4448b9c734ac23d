// SPDX-License-Identifier: Apache-2.0
// Dumps in the folder of an application on the phone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/stillframe/phone/adb.h"

namespace stillframe::phone {

struct RemoteDump {
  std::string path;  // from the application's folder
  uint64_t bytes = 0;

  std::string name() const { return path.substr(path.rfind('/') + 1); }
};

// All below `folder`, which is in the application's own folder; none where there is no such folder.
std::vector<RemoteDump> FindDumps(const Adb& adb, const std::string& package,
                                  const std::string& folder);

// Copies it into `to`, under its own name. A file appears there only when it is whole.
bool FetchDump(const Adb& adb, const std::string& package, const RemoteDump& dump,
               const std::string& to, std::string* error);

}  // namespace stillframe::phone
