// SPDX-License-Identifier: Apache-2.0
// The dump file, format 1: its division into sections. src/dump/fields.h has their contents.
// Context: any thread
//
// A file is a FileHeader, then sections without gaps: a SectionHeader and `stored_length` bytes of
// payload each, without padding. The last section is kEnd; a file without it was truncated.
// Fixed-size integers are little endian. Checksums are zlib's CRC-32. With kSectionDeflated the
// payload is a zlib stream (RFC 1950) of `raw_length` bytes; otherwise both lengths are equal.
//
// A reader skips unknown section kinds. A new minor version adds sections and appends fields to
// records, so a reader skips the unknown rest of a record. A new major version is not readable, and
// minor versions before 6 precede the first release. A section with a wrong checksum is left out,
// and the others remain valid. After a damaged section header, kSectionMarker and the header
// checksum locate the next section.
//
// Payloads are made of
//   varint   unsigned LEB128, at most 10 bytes
//   zigzag   a signed integer n as varint of (n << 1) ^ (n >> 63)
//   string   varint length, then so many bytes: UTF-8 as the runtime had it, not checked
//   record   varint length of the following fields in bytes, then the fields
//
//   list     varint count, then so many records
//   optional varint count, 0 or 1, then the record
//
// docs/reference/fields.md lists the fields of each section in the order of its payload. The fields
// of kIdentity and of kTrigger are one record, and so are those of kJank before its lists. The
// other sections store their fields without a record around them. An empty section is left out.
// After a context entry's state follows a zigzag number (state number) or a string: the text, or
// the reason when the entry is absent.
//
// clang-format off
//   kFrames         varint string count; per string a string;
//                   varint method count; per method a record of varints: index of class name, method name,
//                   signature, source file in the strings plus one (0 is the empty string);
//                   varint frame count; per frame a record: varint id minus the id before it (the first: the
//                   id; ids rise), varint index of its method, zigzag line, varint kind
//                   Kind 5 is compiled code that does not tell whether the method runs or one inlined into it.
//                   Kind 6 is native code: class is the library's file, method the symbol or the address,
//                   signature build id, "+" and address as the library's file counts it, in hex
//   kTree           one section per tree; see below. A file without trees may be without kFrames
//   kThreadTree     one section per tree of a thread in kOtherThreads, as kTree. Its token is of no message
//   kEnd            varint number of sections before it
//
// Times are CLOCK_MONOTONIC unless they say otherwise; a looper is an index into kLoopers. The values of
// triggers, flags, kinds, stages, segments, frame kinds and thread states are in src/model/values.h,
// src/model/thread_stacks.h and src/model/frame.h; an unknown one is kept or read as "unknown".
//
// A tree's payload is a record and then columns:
//   record          varint token, interval scale, samples added, truncated stacks, number of samples, of nodes
//                   without the root, of frames; version of the samples' columns (1). A tree whose
//                   samples are of a newer version is not readable
//   frames          per frame, by rising id: varint id minus the id before it (the first: the id), as in kFrames
//   nodes           in preorder, without the virtual root; the depth of the root is 0 and it covers all samples;
//                   four columns, one after another:
//     rise          per node: varint depth of the node before it + 1 - depth of this one
//     frame         per node: varint index into the tree's frames
//     gap           per node: varint offset minus the end (offset + count) of the sibling before it; without
//                   one, minus the parent's offset
//     rest          per node: varint parent's end minus this node's end
//   samples         in order, four columns:
//     wall          per sample: varint wall us minus the sample's before it (the first: since the start)
//     weight        per sample: zigzag weight us minus the wall column's value
//     cpu           per sample: zigzag (CPU us minus the sample's before it) minus the wall column's value
//     state         per sample: one byte
// clang-format on
#pragma once

#include <cstdint>

namespace stillframe::dump {

// "\x89SFD\r\n\x1a\n": a text-mode transfer, a strip to seven bits and a "type" on a terminal all
// break or end it early.
constexpr uint8_t kMagic[8] = {0x89, 'S', 'F', 'D', '\r', '\n', 0x1a, '\n'};
constexpr uint16_t kFormatMajor = 1;
constexpr uint16_t kFormatMinor = 7;    // 7: threads that were followed
constexpr uint32_t kSampleVersion = 1;  // of a tree's sample columns

// The same in all versions.
struct FileHeader {
  uint8_t magic[8];
  uint16_t major;
  uint16_t minor;
  uint32_t crc;  // over the 12 bytes before
};
static_assert(sizeof(FileHeader) == 16);

// Never renumber.
enum class SectionKind : uint32_t {
  kIdentity = 1,
  kTrigger = 2,
  kConfiguration = 3,
  kCounters = 4,
  kFrames = 5,
  kHistory = 6,
  kRunning = 7,
  kPending = 8,
  kTree = 9,
  kLoopers = 10,
  kGroups = 11,
  kRecords = 12,
  kJank = 13,
  kContext = 14,
  kThreads = 15,
  kAnnotations = 16,
  kSignalCatcher = 17,
  kThreadStacks = 18,
  kModules = 19,
  kTraceSections = 20,
  kOtherThreads = 21,
  kThreadTree = 22,
  kEnd = 0xFFFF,
};

// The highest kind of this version except kEnd.
constexpr uint32_t kLastSectionKind = 22;

constexpr uint32_t kSectionMarker = 0x43455389;  // 0x89 'S' 'E' 'C'
constexpr uint32_t kSectionDeflated = 1U << 0;

struct SectionHeader {
  uint32_t marker;
  uint32_t kind;   // SectionKind, or one of a later version
  uint32_t flags;  // kSectionDeflated; a reader skips a section with a flag that it does not know
  uint32_t index;  // 0 for the first section, then 1, ...
  uint64_t stored_length;
  uint64_t raw_length;
  uint32_t payload_crc;  // over the stored bytes
  uint32_t header_crc;   // over the 36 bytes before
};
static_assert(sizeof(SectionHeader) == 40);

}  // namespace stillframe::dump
