// SPDX-License-Identifier: Apache-2.0
// The dump file, format 1.5: enough to write a reader for it without the rest of the sources.
// Context: any thread
//
// A file is a FileHeader and then sections one after another, each a SectionHeader and
// `stored_length` bytes of payload, without padding. The last section is kEnd; a file without it
// was truncated. Fixed-size integers are little endian. Checksums are zlib's CRC-32. A section says
// by kSectionDeflated that its payload is a zlib stream (RFC 1950) of `raw_length` bytes; otherwise
// both lengths are equal.
//
// A reader skips section kinds that it does not know. A new minor version adds sections and appends
// fields to records, so a reader takes what it knows and skips the rest of a record; a new major
// version is not readable. A section whose checksum is wrong is left out, and the others stand.
// Where a section's header is damaged, the next one is found by kSectionMarker and its own
// checksum.
//
// Payloads are made of
//   varint   unsigned LEB128, at most 10 bytes
//   zigzag   a signed integer n as varint of (n << 1) ^ (n >> 63)
//   string   varint length, then so many bytes: UTF-8 as the runtime had it, not checked
//   record   varint length of the following fields in bytes, then the fields
//
// clang-format off
//   kIdentity       record: string process name, varint pid, varint uid, string ABI, string ART release,
//                   string ART build id (hex), string profiler version, string sampler state ("on", or why it
//                   is off), string tap, varint process start ns
//   kTrigger        record: varint trigger, varint sequence, varint taken monotonic ns,
//                   varint taken realtime ns (Unix time); since 1.1 string detail, string confirmation;
//                   since 1.2 string system's reason, string system's component
//   kConfiguration  varint count; per entry a record: string name, string value
//   kCounters       varint count; per counter a record: string name with its unit, varint value
//   kHistory        varint messages lost, varint count; per message, oldest first, a message record
//   kRunning        varint count (0 or 1); a message record
//   kPending        string source, string reason for absence, varint count; per message, first in the queue
//                   first, a record: zigzag delay ms, zigzag what, varint bits (1 asynchronous, 2 barrier),
//                   string target, string callback; since 1.1 zigzag age ms (-1 is unknown), string system
//                   name; since 1.2 string component that it is about, then varint count (0 or 1) and what it carries,
//                   a record: zigzag arg1, zigzag arg2, string class of obj, string text of obj. After the list, since 1.1, varint messages in the queue (0 is unknown), varint 1
//                   if there may be more
//   kFrames         varint string count; per string a string;
//                   varint method count; per method a record of varints: index of class name, method name,
//                   signature, source file in the strings plus one (0 is the empty string);
//                   varint frame count; per frame a record: varint id minus the id before it (the first: the
//                   id; ids rise), varint index of its method, zigzag line, varint kind
//                   Kind 5 is compiled code that does not tell whether the method runs or one inlined into it.
//                   Since 1.3 kind 6 is native code: class is the library's file, method the symbol or the address,
//                   signature build id, "+" and address as the library's file counts it, in hex
//   kTree           one section per tree; see below. A file without trees may be without kFrames
//   kEnd            varint number of sections before it
//
// Since 1.1; a section that has nothing to say is left out:
//   kLoopers        varint count; per watched Looper, the main one first, a record: string thread, varint tid,
//                   string tap, varint messages; then varint count (0 or 1) and its running message, if it is
//                   not the main Looper, as a message record
//   kGroups         varint groups lost, varint count; per group, oldest first, a record: varint looper,
//                   varint kind, varint start ns, varint span ns, varint wall ns, zigzag CPU ns, varint
//                   messages, varint count of tokens, per token a varint
//   kRecords        varint records lost, varint count; per record, oldest first, a record: varint looper,
//                   varint kind, varint start ns, varint span ns, varint wall ns, zigzag CPU ns, varint
//                   messages, varint token, zigzag what, string target, string callback, string system name;
//                   since 1.2 varint segment
//   kJank           record: string reason for absence, varint refresh interval ns, varint frames drawn,
//                   varint intervals missed, varint watched ns, varint frames of which only the start is
//                   known, not when they were due; then varint count, per frozen frame a record:
//                   varint token, varint start ns, varint duration ns, varint stage, string scene; then varint
//                   count, per scene a record: string scene, varint shown ns, varint frozen ns, varint frames,
//                   varint intervals missed
//   kContext        varint count; per entry a record: string group, string name with its unit, varint state
//                   (0 absent, 1 text, 2 number), then string reason, string text or zigzag number
//   kThreads        string reason for absence, varint threads of the process, varint count; per thread, the
//                   busiest first, a record: varint tid, string name, varint state (a letter of
//                   /proc/PID/stat), zigzag user ms, zigzag system ms, varint interval ms (0: since the thread
//                   began), zigzag nice, zigzag run-queue wait ms
//   kAnnotations    string scene, varint scene since ns, varint count; per annotation a record: string name,
//                   string value, varint set at ns
//   kSignalCatcher  string source, string reason for absence, varint bytes before it was shortened,
//                   string text
//
// Since 1.2, left out likewise:
//   kThreadStacks   string reason for absence, varint threads that the runtime knew, varint begin ns, varint
//                   duration ns, varint count; per thread, the main one first, then those that it waits for, a
//                   record: varint tid, string name, varint source of the stack, string reason for its absence,
//                   varint thread state, varint CPU clock ns, varint kind of wait, string class of the object
//                   waited for (since 1.4, of kind 7, the class itself), varint number of that object (0 is none), varint tid of the thread that can end
//                   the wait (0 is not known), varint count of frames, per frame, innermost first, a varint: its
//                   id, as in kFrames; since 1.3, behind the frames, string reason for the absence of native
//                   frames, varint 1 if the outermost of these were not found, varint count; per native frame,
//                   innermost first, a record: varint index of its library in kModules plus one (0 is none), varint
//                   address as the library's file counts it (of the instruction; of a caller the byte before the
//                   return address), string symbol, string place ("file:line"), varint 1 if it is inlined into the
//                   next one
//
// Since 1.3, left out likewise:
//   kModules        varint count; per library that was loaded a record: string path, string build id (hex), varint
//                   begin, varint end, varint bias: address in the process minus address as the file counts it
//
// Since 1.5, left out likewise:
//   kTraceSections  string reason for absence, varint count; per watched Looper a record: varint looper, varint events
//                   lost, varint count; per event that its thread wrote to the trace marker, oldest first, a record:
//                   varint at ns, varint kind (1 begins and 2 ends a section, 3 begins and 4 ends an asynchronous one,
//                   5 counter, 6 instant), zigzag value (of a counter; by which an asynchronous end finds its beginning),
//                   string name, string track ("" is none)
//
//   message record  varint token, varint start ns, zigzag wait ns, zigzag wall ns, zigzag CPU ns (-1 is
//                   unknown), varint samples, varint flags, zigzag what, string target, string callback; since
//                   1.1 varint looper, zigzag run-queue wait ns, zigzag blocked ns, string system name, varint
//                   frame stage, varint tid of the lock's owner (0 is none), string its name; since 1.2 varint
//                   segment (0: it is a message); since 1.4 varint count; per stretch in which it was blocked on
//                   monitors that one thread held, in the order of their beginnings, a record: varint from us,
//                   varint until us (both since the message's start), varint us of it that it was blocked, varint tid
//                   of the owner, string its name, string class of the object ("" is not known). Stretches of
//                   different owners may overlap
//
// Times are CLOCK_MONOTONIC unless they say otherwise; a looper is an index into kLoopers. The values of
// triggers, flags, kinds, stages, segments, frame kinds and thread states are in src/model/values.h,
// src/model/thread_stacks.h and src/trace/frame.h; an unknown one is kept or read as "unknown".
//
// A tree's payload is a record and then columns:
//   record          varint token, interval scale, samples added, truncated stacks, number of samples, of nodes
//                   without the root, of frames; since 1.2 version of the samples' columns (1). A tree whose
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
constexpr uint16_t kFormatMinor = 5;
constexpr uint32_t kSampleVersion = 1;  // of the columns of samples in a tree

// The same in all versions.
struct FileHeader {
  uint8_t magic[8];
  uint16_t major;
  uint16_t minor;
  uint32_t crc;  // of the 12 bytes before
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
  kEnd = 0xFFFF,
};

// The last kind of this version that is not kEnd.
constexpr uint32_t kLastSectionKind = 20;

constexpr uint32_t kSectionMarker = 0x43455389;  // 0x89 'S' 'E' 'C'
constexpr uint32_t kSectionDeflated = 1U << 0;

struct SectionHeader {
  uint32_t marker;
  uint32_t kind;   // SectionKind, or one of a later version
  uint32_t flags;  // kSectionDeflated; a reader skips a section with a flag that it does not know
  uint32_t index;  // 0 for the first section, then 1, ...
  uint64_t stored_length;
  uint64_t raw_length;
  uint32_t payload_crc;  // of the stored bytes
  uint32_t header_crc;   // of the 36 bytes before
};
static_assert(sizeof(SectionHeader) == 40);

}  // namespace stillframe::dump
