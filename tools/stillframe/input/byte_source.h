// SPDX-License-Identifier: Apache-2.0
// Reads files block by block, unpacking gzip.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace stillframe::input {

// The bytes of one file.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The count of bytes that were read into `block`; 0 at the end. -1: failed, and `*error` is one
  // line that says what to do.
  virtual int64_t Read(std::span<char> block, std::string* error) = 0;
};

// Where files come from: the command line's are on a disk (disk_files.h). A page or another program
// hands over its own.
class Files {
 public:
  virtual ~Files() = default;
  // Null: cannot be read, and `*error` is one line that says what to do.
  virtual std::unique_ptr<ByteSource> Open(const std::string& path, std::string* error) const = 0;
};

// Gzip (RFC 1952), a block at a time.
// The bytes begin with a gzip header.
bool IsGzip(std::string_view bytes);

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

// Passes the content of a file, unpacked if it is gzip, to `take`, which returns false to stop.
// False if it did, or if the file could not be read to its end; in the second case `*error` says
// why and what to do.
bool ReadBlocks(const Files& files, const std::string& path,
                const std::function<bool(std::string_view)>& take, std::string* error);

// Reads at most one byte beyond `max_bytes`, counted unpacked for gzip. On failure `*bytes` holds
// what could be read.
bool ReadWhole(const Files& files, const std::string& path, uint64_t max_bytes, std::string* bytes,
               std::string* error);

}  // namespace stillframe::input
