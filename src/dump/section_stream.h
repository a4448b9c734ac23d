// SPDX-License-Identifier: Apache-2.0
// Parts of the writer of dumps: a buffered file, a reusable deflate stream, and the encoding
// of fields. Context: any thread, one at a time; zlib and libc only
#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/dump_format.h>

#include "src/os/own_descriptor.h"

namespace stillframe::dump {

// Destination of bytes.
class ByteSink {
 public:
  virtual bool Put(std::span<const uint8_t> bytes) = 0;

 protected:
  ~ByteSink() = default;
};

// A file written front to back through a small buffer, with headers that are filled in later.
class BufferedFile final : public ByteSink {
 public:
  // Borrows `file`, open for writing at offset 0. Does not write once another component has the
  // number.
  void Open(const os::OwnDescriptor* file);
  // Writes to `*bytes` instead, which is empty.
  void Open(std::vector<uint8_t>* bytes);
  bool Put(std::span<const uint8_t> bytes) override;
  bool Flush();
  // Overwrites bytes put earlier.
  bool Patch(uint64_t offset, std::span<const uint8_t> bytes);
  uint64_t offset() const { return written_ + used_; }
  // errno of the first failure; 0: none.
  int error() const { return error_; }

 private:
  bool WriteAll(std::span<const uint8_t> bytes, uint64_t offset);

  const os::OwnDescriptor* file_ = nullptr;
  std::vector<uint8_t>* bytes_ = nullptr;  // instead of a file
  int error_ = 0;
  uint64_t written_ = 0;
  size_t used_ = 0;
  std::array<uint8_t, 8192> buffer_;
};

// Appends to a vector.
class VectorSink final : public ByteSink {
 public:
  explicit VectorSink(std::vector<uint8_t>* bytes) : bytes_(bytes) {}
  bool Put(std::span<const uint8_t> bytes) override {
    bytes_->insert(bytes_->end(), bytes.begin(), bytes.end());
    return true;
  }

 private:
  std::vector<uint8_t>* bytes_;
};

// One zlib stream at a time, with fields as input. The state (about 56 KiB) is allocated once.
class Deflater {
 public:
  Deflater();
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // Starts a new stream into `sink`. False if zlib has no memory.
  bool Begin(ByteSink* sink);
  void Bytes(std::span<const uint8_t> bytes);
  void Varint(uint64_t value);
  void Zigzag(int64_t value);
  void String(std::string_view text);
  // Ends the stream. False if the sink ever failed.
  bool End();

  uint64_t raw_bytes() const { return raw_bytes_; }
  uint64_t stored_bytes() const { return stored_bytes_; }
  uint32_t crc() const { return crc_; }  // of the stored bytes

 private:
  bool Drain(int flush);

  z_stream stream_ = {};
  bool is_ready_ = false;
  bool is_good_ = false;
  ByteSink* sink_ = nullptr;
  uint64_t raw_bytes_ = 0;
  uint64_t stored_bytes_ = 0;
  uint32_t crc_ = 0;
  size_t used_ = 0;
  std::array<uint8_t, 4096> input_;
  std::array<uint8_t, 4096> output_;
};

// The fields of one record, preceded by its length.
class Record {
 public:
  Record& Varint(uint64_t value);
  Record& Zigzag(int64_t value);
  Record& String(std::string_view text);
  // Writes length and fields, and starts the next record.
  void FinishTo(Deflater* out);
  // For a record inside another.
  void FinishTo(Record* out);

 private:
  std::vector<uint8_t> fields_;
};

// The header of a section whose payload is complete.
SectionHeader MakeSectionHeader(SectionKind kind, uint32_t index, uint64_t stored_length,
                                uint64_t raw_length, uint32_t payload_crc);
FileHeader MakeFileHeader(uint16_t minor);

template <typename T>
std::span<const uint8_t> BytesOf(const T& value) {
  return {reinterpret_cast<const uint8_t*>(&value), sizeof(value)};
}

}  // namespace stillframe::dump
