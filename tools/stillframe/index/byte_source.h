// SPDX-License-Identifier: Apache-2.0
// Reads files and standard input block by block, unpacking gzip.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace stillframe::index {

// Gzip (RFC 1952), a block at a time.
// The bytes begin with a gzip header.
bool IsGzip(std::string_view bytes);

// Omits name and time, so that equal input gives equal output.
std::string Gzip(std::string_view bytes);

// Unpacks a file of one or several members. The receiver must limit the unpacked size.
class Unpacker {
 public:
  Unpacker();
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  // Passes the unpacked form of the file's next bytes to `take`. False if `take` returned false or
  // the bytes are damaged; in the second case `*error` has the offset in the file.
  bool Feed(std::string_view bytes, const std::function<bool(std::string_view)>& take,
            std::string* error);
  // After the last bytes: false if they end inside a member.
  bool Finish(std::string* error);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A folder of /proc, /sys and the like.
bool IsFolderOfKernel(const std::string& path);

// Passes the content of `path` ("-": standard input) to `take`, which returns false to stop.
// Refuses pipes, devices and files of the kernel, which may never end. False if it did, or if the
// file could not be read to its end; in the second case `*error` says why and what to do.
bool ReadBlocks(const std::string& path, const std::function<bool(std::string_view)>& take,
                std::string* error);

// Reads at most one byte beyond `max_bytes`, counted unpacked for gzip. On failure `*bytes` holds
// what could be read.
bool ReadWhole(const std::string& path, uint64_t max_bytes, std::string* bytes, std::string* error);

}  // namespace stillframe::index
