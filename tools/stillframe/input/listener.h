// SPDX-License-Identifier: Apache-2.0
// Complaints and progress of a reader of files.
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::input {

class Listener {
 public:
  virtual ~Listener() = default;

  // One line about a file, or about one within another: "ZIP: FILE".
  virtual void Complain(const std::string& subject, const std::string& what) = 0;

  // Work that may last: "reading the mapping, bytes". `steps`: in all; 0: unknown.
  virtual void BeginWork(const std::string& /*what*/, uint64_t /*steps*/) {}
  virtual void Step(uint64_t /*steps*/) {}
  virtual void EndWork() {}
};

}  // namespace stillframe::input
