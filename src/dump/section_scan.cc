// SPDX-License-Identifier: Apache-2.0
#include "src/dump/section_scan.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace stillframe::dump {
namespace {

static_assert(std::endian::native == std::endian::little, "headers are read as they are in memory");

constexpr uint16_t kOldestMinor = 6;  // that of the first release
constexpr size_t kMaxDamageLines = 100;
constexpr size_t kInflateChunk = 64 * 1024;
constexpr uint64_t kMaxInflateRatio = 1100;  // the maximum of deflate is 1032 to 1

uint32_t CrcOf(std::span<const uint8_t> bytes) {
  uLong crc = 0;
  while (!bytes.empty()) {  // zlib of API 26 has no crc32_z
    const std::span<const uint8_t> part = bytes.first(std::min(bytes.size(), size_t{UINT32_MAX}));
    crc = crc32(crc, part.data(), static_cast<uInt>(part.size()));
    bytes = bytes.subspan(part.size());
  }
  return static_cast<uint32_t>(crc);
}

// Copies a complete header out of `bytes`; false if there is none.
bool HeaderAt(std::span<const uint8_t> bytes, uint64_t offset, SectionHeader* header) {
  if (bytes.size() - offset < sizeof(SectionHeader)) return false;
  const std::span<const uint8_t> raw =
      bytes.subspan(static_cast<size_t>(offset), sizeof(SectionHeader));
  std::memcpy(header, raw.data(), sizeof(SectionHeader));
  return header->marker == kSectionMarker &&
         header->header_crc == CrcOf(raw.first(offsetof(SectionHeader, header_crc)));
}

// The offset of the next complete header from `from` on, or the end.
uint64_t FindHeader(std::span<const uint8_t> bytes, uint64_t from) {
  uint8_t marker[sizeof(kSectionMarker)];
  std::memcpy(marker, &kSectionMarker, sizeof(marker));
  auto at = bytes.begin() + static_cast<ptrdiff_t>(from);
  while (true) {
    at = std::search(at, bytes.end(), std::begin(marker), std::end(marker));
    const uint64_t offset = static_cast<uint64_t>(at - bytes.begin());
    SectionHeader header;
    if (at == bytes.end() || HeaderAt(bytes, offset, &header)) return offset;
    ++at;
  }
}

void CheckFileHeader(std::span<const uint8_t> bytes, ScanResult* result) {
  const size_t known = std::min(bytes.size(), sizeof(kMagic));
  if (bytes.empty()) {
    result->status = Status::kEmpty;
    result->error =
        "offset 0: the file is empty; the disk was full or the copy failed, take another";
    return;
  }
  if (!std::equal(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(known), kMagic)) {
    result->status = Status::kNotADump;
    result->error =
        "offset 0: not a Stillframe dump, or changed by a text-mode copy; give an .sfdump file";
    return;
  }
  if (bytes.size() < sizeof(FileHeader)) {
    result->damage.push_back(AtOffset(bytes.size(), "the file ends in its header"));
    return;
  }
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.crc != CrcOf(bytes.first(offsetof(FileHeader, crc)))) {
    result->damage.push_back(AtOffset(0, "the file's header is damaged"));
  } else if (header.major != kFormatMajor) {
    result->status = Status::kNewerVersion;
    result->error = AtOffset(8, "dump format " + std::to_string(header.major) + "." +
                                    std::to_string(header.minor) + ", this tool reads up to " +
                                    std::to_string(kFormatMajor) + ".x; use a newer stillframe");
  } else if (header.minor < kOldestMinor) {
    result->status = Status::kOlderVersion;
    result->error = AtOffset(8, "dump format " + std::to_string(header.major) + "." +
                                    std::to_string(header.minor) +
                                    ", written before the first release; this tool reads " +
                                    std::to_string(kFormatMajor) + "." +
                                    std::to_string(kOldestMinor) + " and newer: take another dump");
  }
}

}  // namespace

std::string AtOffset(uint64_t offset, std::string_view what) {
  return "offset " + std::to_string(offset) + ": " + std::string(what);
}

std::string SectionName(uint32_t kind) {
  switch (static_cast<SectionKind>(kind)) {
    case SectionKind::kIdentity: return "identity section";
    case SectionKind::kTrigger: return "trigger section";
    case SectionKind::kConfiguration: return "configuration section";
    case SectionKind::kCounters: return "counters section";
    case SectionKind::kFrames: return "frames section";
    case SectionKind::kHistory: return "history section";
    case SectionKind::kRunning: return "running message section";
    case SectionKind::kPending: return "pending messages section";
    case SectionKind::kTree: return "tree section";
    case SectionKind::kLoopers: return "watched Loopers section";
    case SectionKind::kGroups: return "history groups section";
    case SectionKind::kRecords: return "history records section";
    case SectionKind::kJank: return "frame statistics section";
    case SectionKind::kContext: return "context section";
    case SectionKind::kThreads: return "threads section";
    case SectionKind::kAnnotations: return "annotations section";
    case SectionKind::kSignalCatcher: return "Signal Catcher section";
    case SectionKind::kThreadStacks: return "stacks of threads";
    case SectionKind::kModules: return "modules section";
    case SectionKind::kTraceSections: return "sections of the trace marker";
    case SectionKind::kOtherThreads: return "other threads";
    case SectionKind::kThreadTree: return "tree of another thread";
    case SectionKind::kEnd: return "end section";
  }
  return "section of kind " + std::to_string(kind);
}

ScanResult ScanSections(std::span<const uint8_t> bytes, const ReadLimits& limits) {
  ScanResult result;
  if (bytes.size() > limits.max_file_bytes) {
    result.status = Status::kTooLarge;
    result.error = AtOffset(0, "larger than " + std::to_string(limits.max_file_bytes) +
                                   " bytes; no dump is, give another file");
    return result;
  }
  CheckFileHeader(bytes, &result);
  uint64_t offset = sizeof(FileHeader);
  uint32_t next_index = 0;
  bool has_end = false;
  while (result.status == Status::kOk && offset < bytes.size() && !has_end &&
         result.damage.size() < kMaxDamageLines && result.sections.size() < limits.max_sections) {
    SectionHeader header;
    if (!HeaderAt(bytes, offset, &header)) {
      const uint64_t next = FindHeader(bytes, offset);
      result.damage.push_back(AtOffset(
          offset, "no section header; " + std::to_string(next - offset) + " bytes skipped"));
      offset = next;
      continue;
    }
    const uint64_t start = offset + sizeof(header);
    if (header.stored_length > bytes.size() - start) {
      result.damage.push_back(AtOffset(offset, "the file ends in the " + SectionName(header.kind)));
      return result;
    }
    if (header.index != next_index) {
      result.damage.push_back(AtOffset(
          offset, "sections are missing or out of order: found number " +
                      std::to_string(header.index) + " instead of " + std::to_string(next_index)));
    }
    next_index = header.index + 1;
    const uint64_t end = start + header.stored_length;
    result.sections.push_back(
        {header, offset,
         bytes.subspan(static_cast<size_t>(start), static_cast<size_t>(header.stored_length))});
    has_end = header.kind == static_cast<uint32_t>(SectionKind::kEnd);
    offset = end;
  }
  if (result.status != Status::kOk) return result;
  if (!has_end)
    result.damage.push_back(AtOffset(offset, "the file ends without an end section"));
  else if (offset != bytes.size())
    result.damage.push_back(AtOffset(offset, "bytes after the end section"));
  return result;
}

bool ReadPayload(const Section& section, uint64_t max_raw_bytes, std::vector<uint8_t>* raw,
                 std::string* why) {
  raw->clear();
  const SectionHeader& header = section.header;
  if (header.payload_crc != CrcOf(section.stored)) {
    *why = "wrong checksum";
    return false;
  }
  if ((header.flags & ~kSectionDeflated) != 0) {
    *why = "unknown flags";
    return false;
  }
  const bool is_deflated = (header.flags & kSectionDeflated) != 0;
  if (is_deflated ? header.raw_length / kMaxInflateRatio > header.stored_length
                  : header.raw_length != header.stored_length) {
    *why = "impossible length";
    return false;
  }
  if (header.raw_length > max_raw_bytes) {
    *why = "larger than the limit";
    return false;
  }
  if (!is_deflated) {
    raw->assign(section.stored.begin(), section.stored.end());
    return true;
  }
  z_stream stream = {};
  if (inflateInit(&stream) != Z_OK) {
    *why = "out of memory";
    return false;
  }
  // zlib does not write to its input; its C interface needs the cast. Stored lengths above 4 GiB
  // exceed the limits.
  stream.next_in = const_cast<Bytef*>(section.stored.data());
  stream.avail_in = static_cast<uInt>(section.stored.size());
  int status = Z_OK;
  while (status == Z_OK && raw->size() <= header.raw_length) {
    const size_t before = raw->size();
    // One byte more than the header says shows that it is wrong.
    const size_t chunk = std::min<size_t>(kInflateChunk, header.raw_length + 1 - before);
    raw->resize(before + chunk);
    stream.next_out = raw->data() + before;
    stream.avail_out = static_cast<uInt>(chunk);
    // The last piece needs no window, whose copy costs as much as a small section.
    status = inflate(&stream, before + chunk > header.raw_length ? Z_FINISH : Z_NO_FLUSH);
    raw->resize(before + chunk - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || raw->size() != header.raw_length || stream.avail_in != 0) {
    *why = "its zlib stream is not what its header says";
    return false;
  }
  return true;
}

}  // namespace stillframe::dump
