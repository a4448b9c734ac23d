// SPDX-License-Identifier: Apache-2.0
#include "src/dump/section_stream.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace stillframe::dump {
namespace {

static_assert(std::endian::native == std::endian::little,
              "headers are written as they are in memory");

// 4 KiB window, small hash: trees are many short columns, and the state stays at 56 KiB.
constexpr int kLevel = 6;
constexpr int kWindowBits = 12;
constexpr int kMemoryLevel = 6;

size_t EncodeVarint(uint64_t value, uint8_t* out) {
  size_t length = 0;
  for (; value >= 0x80; value >>= 7) out[length++] = static_cast<uint8_t>(value | 0x80);
  out[length++] = static_cast<uint8_t>(value);
  return length;
}

uint64_t ZigzagOf(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}

std::span<const uint8_t> BytesOfText(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

uint32_t CrcOf(std::span<const uint8_t> bytes) {
  return static_cast<uint32_t>(crc32(0, bytes.data(), static_cast<uInt>(bytes.size())));
}

}  // namespace

void BufferedFile::Open(const os::OwnDescriptor* file) {
  file_ = file;
  bytes_ = nullptr;
  error_ = 0;
  written_ = 0;
  used_ = 0;
}

void BufferedFile::Open(std::vector<uint8_t>* bytes) {
  Open(static_cast<const os::OwnDescriptor*>(nullptr));
  bytes_ = bytes;
}

bool BufferedFile::WriteAll(std::span<const uint8_t> bytes, uint64_t offset) {
  if (bytes_ != nullptr) {
    bytes_->resize(std::max<size_t>(bytes_->size(), offset + bytes.size()));
    std::ranges::copy(bytes, bytes_->begin() + static_cast<std::ptrdiff_t>(offset));
    return true;
  }
  if (error_ == 0 && !file_->IsOurs()) error_ = EBADF;
  while (!bytes.empty() && error_ == 0) {
    const ssize_t count =
        pwrite(file_->fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count > 0) {
      bytes = bytes.subspan(static_cast<size_t>(count));
      offset += static_cast<uint64_t>(count);
    } else if (count == 0) {
      error_ = ENOSPC;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  return error_ == 0;
}

bool BufferedFile::Put(std::span<const uint8_t> bytes) {
  while (!bytes.empty() && error_ == 0) {
    const size_t count = std::min(bytes.size(), buffer_.size() - used_);
    std::memcpy(buffer_.data() + used_, bytes.data(), count);
    used_ += count;
    bytes = bytes.subspan(count);
    if (used_ == buffer_.size()) Flush();
  }
  return error_ == 0;
}

bool BufferedFile::Flush() {
  if (WriteAll({buffer_.data(), used_}, written_)) {
    written_ += used_;
    used_ = 0;
  }
  return error_ == 0;
}

bool BufferedFile::Patch(uint64_t offset, std::span<const uint8_t> bytes) {
  if (offset >= written_) {  // still in the buffer
    std::memcpy(buffer_.data() + (offset - written_), bytes.data(), bytes.size());
    return error_ == 0;
  }
  return Flush() && WriteAll(bytes, offset);
}

Deflater::Deflater() {
  is_ready_ = deflateInit2(&stream_, kLevel, Z_DEFLATED, kWindowBits, kMemoryLevel,
                           Z_DEFAULT_STRATEGY) == Z_OK;
}

Deflater::~Deflater() {
  if (is_ready_) deflateEnd(&stream_);
}

bool Deflater::Begin(ByteSink* sink) {
  is_good_ = is_ready_ && deflateReset(&stream_) == Z_OK;
  sink_ = sink;
  raw_bytes_ = 0;
  stored_bytes_ = 0;
  crc_ = 0;
  used_ = 0;
  return is_good_;
}

void Deflater::Bytes(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const size_t count = std::min(bytes.size(), input_.size() - used_);
    std::memcpy(input_.data() + used_, bytes.data(), count);
    used_ += count;
    bytes = bytes.subspan(count);
    if (used_ == input_.size()) Drain(Z_NO_FLUSH);
  }
}

void Deflater::Varint(uint64_t value) {
  uint8_t bytes[10];
  Bytes({bytes, EncodeVarint(value, bytes)});
}

void Deflater::Zigzag(int64_t value) { Varint(ZigzagOf(value)); }

void Deflater::String(std::string_view text) {
  Varint(text.size());
  Bytes(BytesOfText(text));
}

bool Deflater::Drain(int flush) {
  stream_.next_in = input_.data();
  stream_.avail_in = static_cast<uInt>(used_);
  raw_bytes_ += used_;
  used_ = 0;
  int result = Z_OK;
  do {
    stream_.next_out = output_.data();
    stream_.avail_out = static_cast<uInt>(output_.size());
    if (is_good_) {
      result = deflate(&stream_, flush);
      const std::span<const uint8_t> made(output_.data(), output_.size() - stream_.avail_out);
      crc_ = static_cast<uint32_t>(crc32(crc_, made.data(), static_cast<uInt>(made.size())));
      stored_bytes_ += made.size();
      is_good_ = result != Z_STREAM_ERROR && sink_->Put(made);
    }
  } while (is_good_ && stream_.avail_out == 0);
  return is_good_;
}

bool Deflater::End() { return Drain(Z_FINISH); }

Record& Record::Varint(uint64_t value) {
  uint8_t bytes[10];
  fields_.insert(fields_.end(), bytes, bytes + EncodeVarint(value, bytes));
  return *this;
}

Record& Record::Zigzag(int64_t value) { return Varint(ZigzagOf(value)); }

Record& Record::String(std::string_view text) {
  Varint(text.size());
  const std::span<const uint8_t> bytes = BytesOfText(text);
  fields_.insert(fields_.end(), bytes.begin(), bytes.end());
  return *this;
}

void Record::FinishTo(Deflater* out) {
  out->Varint(fields_.size());
  out->Bytes(fields_);
  fields_.clear();
}

void Record::FinishTo(Record* out) {
  out->Varint(fields_.size());
  out->fields_.insert(out->fields_.end(), fields_.begin(), fields_.end());
  fields_.clear();
}

SectionHeader MakeSectionHeader(SectionKind kind, uint32_t index, uint64_t stored_length,
                                uint64_t raw_length, uint32_t payload_crc) {
  SectionHeader header = {};
  header.marker = kSectionMarker;
  header.kind = static_cast<uint32_t>(kind);
  header.flags = kSectionDeflated;
  header.index = index;
  header.stored_length = stored_length;
  header.raw_length = raw_length;
  header.payload_crc = payload_crc;
  header.header_crc = CrcOf(BytesOf(header).first(offsetof(SectionHeader, header_crc)));
  return header;
}

FileHeader MakeFileHeader(uint16_t minor) {
  FileHeader header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.major = kFormatMajor;
  header.minor = minor;
  header.crc = CrcOf(BytesOf(header).first(offsetof(FileHeader, crc)));
  return header;
}

}  // namespace stillframe::dump
