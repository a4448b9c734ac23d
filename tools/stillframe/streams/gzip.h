// SPDX-License-Identifier: Apache-2.0
// Gzip (RFC 1952), a block at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace stillframe::streams {

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

}  // namespace stillframe::streams
