// SPDX-License-Identifier: Apache-2.0
// Files on a disk, and standard input as "-".
#pragma once

#include <memory>
#include <string>

#include "tools/stillframe/input/byte_source.h"

namespace stillframe::input {

// Refuses pipes, devices and files of the kernel, which may never end.
class DiskFiles : public Files {
 public:
  std::unique_ptr<ByteSource> Open(const std::string& path, std::string* error) const override;
};

// A folder of /proc, /sys and the like.
bool IsFolderOfKernel(const std::string& path);

}  // namespace stillframe::input
