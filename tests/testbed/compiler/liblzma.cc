// SPDX-License-Identifier: Apache-2.0
// ART's XzCompress and XzDecompress by Debian's liblzma; the package's own file is written for the
// LZMA SDK.
// Context: part of libart-compiler.so; ART packs the symbols of compiled code with it.
#include <android-base/logging.h>
#include <lzma.h>

#include <cstdint>
#include <vector>

#include "base/array_ref.h"
#include "elf/xz_utils.h"

namespace art {
namespace {

void Compress(ArrayRef<const uint8_t> src, std::vector<uint8_t>* dst, int level) {
  dst->resize(lzma_stream_buffer_bound(src.size()));
  size_t size = 0;
  const lzma_ret result =
      lzma_easy_buffer_encode(static_cast<uint32_t>(level), LZMA_CHECK_CRC32, nullptr, src.data(),
                              src.size(), dst->data(), &size, dst->size());
  CHECK_EQ(result, LZMA_OK);
  dst->resize(size);
}

}  // namespace

// The first is that of ART 10 and 11, the second that of 14.
void XzCompress(ArrayRef<const uint8_t> src, std::vector<uint8_t>* dst, int level) {
  Compress(src, dst, level);
}

void XzCompress(ArrayRef<const uint8_t> src, std::vector<uint8_t>* dst, int level, size_t) {
  Compress(src, dst, level);
}

void XzDecompress(ArrayRef<const uint8_t> src, std::vector<uint8_t>* dst) {
  lzma_ret result = LZMA_BUF_ERROR;
  for (size_t capacity = 4 * src.size() + 4096; result == LZMA_BUF_ERROR; capacity *= 2) {
    dst->resize(capacity);
    uint64_t memory_limit = UINT64_MAX;
    size_t read = 0;
    size_t written = 0;
    result = lzma_stream_buffer_decode(&memory_limit, 0, nullptr, src.data(), &read, src.size(),
                                       dst->data(), &written, dst->size());
    dst->resize(written);
  }
  CHECK_EQ(result, LZMA_OK);
}

}  // namespace art
