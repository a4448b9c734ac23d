// SPDX-License-Identifier: Apache-2.0
// A build without settings from afar: no document is one.
#include "src/remote/document.h"

namespace stillframe::remote {

std::optional<std::string> ValueOf(const Member& setting, std::string*) { return setting.value; }

std::string ReadDocument(std::string_view, Document*) {
  return "this build of the profiler reads no documents of settings";
}

}  // namespace stillframe::remote
