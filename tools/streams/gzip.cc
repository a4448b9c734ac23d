#include "tools/streams/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace stillframe::streams {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for a gzip header
constexpr size_t kBlockBytes = 64 * 1024;

Bytef* Input(const char* bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes));
}

uInt Portion(size_t bytes) {
  return static_cast<uInt>(std::min<size_t>(bytes, std::numeric_limits<uInt>::max()));
}

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string Gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string out;
  std::array<char, kBlockBytes> block{};
  int result = Z_OK;
  size_t taken = 0;
  do {
    if (stream.avail_in == 0 && taken < bytes.size()) {
      stream.next_in = Input(bytes.data() + taken);
      stream.avail_in = Portion(bytes.size() - taken);
      taken += stream.avail_in;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    result = deflate(&stream, taken == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    out.append(block.data(), block.size() - stream.avail_out);
  } while (result == Z_OK || result == Z_BUF_ERROR);
  deflateEnd(&stream);
  return out;
}

bool Gunzip(std::string_view bytes, uint64_t max_bytes, std::string* out, std::string* error) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) {
    throw std::bad_alloc();
  }
  std::array<char, kBlockBytes> block{};
  size_t taken = 0;
  const auto fail = [&](const char* what) {
    *error = "offset " + std::to_string(taken - stream.avail_in) + " of the gzip file: " + what;
    inflateEnd(&stream);
    return false;
  };
  for (;;) {
    if (stream.avail_in == 0) {
      if (taken == bytes.size()) {
        return fail("it ends too early; copy it again");
      }
      stream.next_in = Input(bytes.data() + taken);
      stream.avail_in = Portion(bytes.size() - taken);
      taken += stream.avail_in;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    const int result = inflate(&stream, Z_NO_FLUSH);
    const size_t got = block.size() - stream.avail_out;
    if (got > max_bytes - std::min<uint64_t>(max_bytes, out->size())) {
      return fail("its content is larger than the limit; unpack it and give a smaller part");
    }
    out->append(block.data(), got);
    if (result == Z_STREAM_END) {
      const bool is_last = stream.avail_in == 0 && taken == bytes.size();
      if (is_last) {
        inflateEnd(&stream);
        return true;
      }
      inflateReset(&stream);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      return fail("its compressed data are damaged; copy it again");
    }
  }
}

}  // namespace stillframe::streams
