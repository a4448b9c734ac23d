// SPDX-License-Identifier: Apache-2.0
// Files and standard input, block by block, unpacked if they are gzip.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace stillframe::index {

// Gzip (RFC 1952), a block at a time.
// The bytes begin as a gzip file does.
bool IsGzip(std::string_view bytes);

// Without name and time, so that equal input gives equal output.
std::string Gzip(std::string_view bytes);

// Unpacks a file of one or several members. What it hands on is bounded by whoever takes it.
class Unpacker {
 public:
  Unpacker();
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  // Takes the next bytes of the file and hands on what they unpack to. False if `take` returned
  // false, or if the bytes are damaged: then `*error` has the offset in the file.
  bool Feed(std::string_view bytes, const std::function<bool(std::string_view)>& take,
            std::string* error);
  // After the last bytes: false if they end inside a member.
  bool Finish(std::string* error);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Hands the content of `path`, "-" being standard input, to `take`, which may return false to stop.
// False if it did, or if the file could not be read to its end: then `*error` says why and what to
// do.
bool ReadBlocks(const std::string& path, const std::function<bool(std::string_view)>& take,
                std::string* error);

// All of it, but no more than one byte beyond `max_bytes`; for a gzip file that holds for the
// unpacked content. On failure `*bytes` has what could be read.
bool ReadWhole(const std::string& path, uint64_t max_bytes, std::string* bytes, std::string* error);

}  // namespace stillframe::index
