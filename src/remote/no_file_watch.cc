// SPDX-License-Identifier: Apache-2.0
// A build without settings from afar: no file is watched.
#include <errno.h>

#include "src/remote/file_watch.h"

namespace stillframe::remote {

int FileWatch::Open(const std::string&) { return ENOTSUP; }

FileWatch::Change FileWatch::Look() { return Change::kNone; }

}  // namespace stillframe::remote
