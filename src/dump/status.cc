// SPDX-License-Identifier: Apache-2.0
#include "src/dump/status.h"

namespace stillframe::dump {

const char* StatusText(Status status) {
  switch (status) {
    case Status::kOk: return "fine";
    case Status::kCannotCreate: return "cannot create the file";
    case Status::kCannotWrite: return "cannot write the file";
    case Status::kCannotSync: return "cannot bring the file to the disk";
    case Status::kCannotRename: return "cannot give the file its name";
    case Status::kNameTooLong: return "the file name is too long";
    case Status::kNoMemory: return "out of memory";
    case Status::kCannotRead: return "cannot read the file";
    case Status::kEmpty: return "the file is empty";
    case Status::kNotADump: return "not a Stillframe dump";
    case Status::kNewerVersion: return "written by a newer version";
    case Status::kTooLarge: return "larger than the limit";
    case Status::kOlderVersion: return "written before the first release";
    case Status::kDamaged: return "damaged or truncated";
  }
  return "unknown";
}

}  // namespace stillframe::dump
