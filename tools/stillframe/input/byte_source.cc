// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/byte_source.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <optional>
#include <vector>

namespace stillframe::input {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's value for a gzip header
constexpr size_t kGzipBlockBytes = 64 * 1024;
constexpr size_t kBlockBytes = 256 * 1024;

Bytef* ForZlib(const char* bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes));
}

uInt Portion(size_t bytes) {
  return static_cast<uInt>(std::min<size_t>(bytes, std::numeric_limits<uInt>::max()));
}

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

struct Unpacker::State {
  z_stream stream{};
  uint64_t offset = 0;  // file offset of the next byte
  bool is_between_members = false;
  std::array<char, kGzipBlockBytes> block{};
};

Unpacker::Unpacker() : state_(std::make_unique<State>()) {
  if (inflateInit2(&state_->stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
}

Unpacker::~Unpacker() { inflateEnd(&state_->stream); }

bool Unpacker::Feed(std::string_view bytes, const std::function<bool(std::string_view)>& take,
                    std::string* error) {
  z_stream& stream = state_->stream;
  stream.next_in = ForZlib(bytes.data());
  stream.avail_in = Portion(bytes.size());
  bool is_block_full = false;
  while (stream.avail_in > 0 || is_block_full) {
    if (state_->is_between_members) {
      // Tapes and some transfers fill the last block with zeros.
      for (; stream.avail_in > 0 && *stream.next_in == 0; --stream.avail_in) ++stream.next_in;
      if (stream.avail_in == 0) break;
      inflateReset(&stream);
      state_->is_between_members = false;
    }
    stream.next_out = reinterpret_cast<Bytef*>(state_->block.data());
    stream.avail_out = static_cast<uInt>(kGzipBlockBytes);
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      *error = "offset " + std::to_string(state_->offset + bytes.size() - stream.avail_in) +
               " of the gzip file: its compressed data are damaged; copy it again";
      return false;
    }
    const size_t got = kGzipBlockBytes - stream.avail_out;
    is_block_full = stream.avail_out == 0;
    state_->is_between_members = result == Z_STREAM_END;
    if (got > 0 && !take({state_->block.data(), got})) return false;
    if (result == Z_STREAM_END) is_block_full = false;
  }
  state_->offset += bytes.size();
  return true;
}

bool Unpacker::Finish(std::string* error) {
  if (state_->is_between_members) return true;
  *error = "offset " + std::to_string(state_->offset) +
           " of the gzip file: it ends too early; copy it again";
  return false;
}

bool ReadBlocks(const Files& files, const std::string& path,
                const std::function<bool(std::string_view)>& take, std::string* error) {
  const std::unique_ptr<ByteSource> source = files.Open(path, error);
  if (!source) return false;
  std::vector<char> block(kBlockBytes);
  std::string head;  // bytes so far, until the two that identify gzip
  std::optional<Unpacker> unpacker;
  bool is_known = false;
  for (;;) {
    const int64_t got = source->Read(block, error);
    if (got < 0) return false;
    std::string_view bytes(block.data(), static_cast<size_t>(got));
    if (!is_known) {
      head += bytes;
      if (got > 0 && head.size() < 2) continue;
      is_known = true;
      if (IsGzip(head)) unpacker.emplace();
      bytes = head;
    }
    if (unpacker ? !unpacker->Feed(bytes, take, error) : !bytes.empty() && !take(bytes))
      return false;
    if (got == 0) return !unpacker || unpacker->Finish(error);
  }
}

bool ReadWhole(const Files& files, const std::string& path, uint64_t max_bytes, std::string* bytes,
               std::string* error) {
  bool is_full = false;
  const bool is_read = ReadBlocks(
      files, path,
      [&](std::string_view block) {
        bytes->append(block.substr(0, max_bytes + 1 - bytes->size()));
        is_full = bytes->size() > max_bytes;
        return !is_full;
      },
      error);
  return is_read || is_full;
}

}  // namespace stillframe::input
