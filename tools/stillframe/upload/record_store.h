// SPDX-License-Identifier: Apache-2.0
// A folder of records that were received, each once: its name is the SHA-256 of its bytes.
//
// A record is written under another name, brought to the disk and renamed: whatever happens, what
// is under its own name is whole. Files have mode 0600. What is no record is not stored. Any
// thread, one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::upload {

struct StoredRecord {
  std::string hash;
  uint64_t bytes = 0;
  int64_t received_s = 0;  // since the epoch
};

class RecordStore {
 public:
  enum class Result { kStored, kKnown, kNoRecord, kNoRoom };

  // Removes what an earlier process left half-written. False, with one line, where the folder
  // cannot be used.
  bool Open(const std::string& folder, uint64_t max_records, std::string* error);

  // kNoRoom: the disk, or the number of records; nothing is left of it.
  Result Add(std::string_view record, std::string* hash);

  // The newest come first, at most `most`.
  std::vector<StoredRecord> List(size_t most) const;
  // "" when there is none.
  std::string Read(const std::string& hash) const;

  uint64_t records() const { return records_; }

 private:
  std::string folder_;
  uint64_t max_records_ = 0;
  uint64_t records_ = 0;
};

// In hex.
std::string Sha256Of(std::string_view bytes);

}  // namespace stillframe::upload
