// SPDX-License-Identifier: Apache-2.0
// Content of a guard file: how processes with one configuration ended, and whether the next may
// sample.
//
// Two copies of the record are written alternately with a growing generation, so one is always
// complete. Behind them are two words that change while the process lives: its phase, and the mark
// of its death (src/core/death_mark.h). They are valid only with the generation of the record.
// Context: collector; SetPhase: any thread, under Guard's mutex
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "src/core/death_mark.h"

namespace stillframe::health {

// How much a process may do, from least to most.
enum class Level : uint32_t { kNothing = 0, kRecording, kSampling };

// Ends of processes with one build of ART, one build of Stillframe and one configuration.
struct Row {
  uint64_t key = 0;  // 0: empty
  uint64_t off_until_s = 0;
  uint64_t last_s = 0;  // last change, since the epoch
  uint32_t deaths = 0;  // by a fatal signal before healthy, or in our code
  uint32_t deaths_in_our_code = 0;
  uint32_t kills = 0;    // ends without a death mark, before healthy
  uint32_t strikes = 0;  // deaths since a process was healthy
  uint32_t times_off = 0;
  uint32_t last_signal = 0;  // of the last death, in DeathMark's format
};

enum class Phase : uint32_t { kNone = 0, kArmed, kHealthy, kEnded };

struct Record {
  static constexpr size_t kRows = 6;

  uint32_t generation = 0;
  uint32_t pid = 0;
  uint64_t armed_key = 0;  // row that this process's death counts for; 0: none
  std::array<Row, kRows> rows = {};

  // Null if there is none.
  const Row* Find(uint64_t key) const;
  // If no row is free, replaces the one with the oldest change.
  Row& FindOrAdd(uint64_t key, uint64_t now_s);
};

// Decoded file: the newest complete record, and the words if they belong to it.
struct Contents {
  Record record;
  Phase phase = Phase::kNone;
  uint64_t death = 0;  // low bits of the mark; 0: none
};

constexpr size_t kCopyBytes = 512;
constexpr size_t kPhaseOffset = 2 * kCopyBytes;
constexpr size_t kDeathOffset = kPhaseOffset + sizeof(uint64_t);
constexpr size_t kFileBytes = kDeathOffset + sizeof(uint64_t);

// False if no record is complete: damaged, or not ours. An empty file is an empty record.
bool Decode(std::string_view file, Contents* contents);

// kCopyBytes, written at CopyOffset.
std::string Encode(const Record& record);
constexpr size_t CopyOffset(uint32_t generation) { return generation % 2 * kCopyBytes; }
uint64_t PhaseWord(uint32_t generation, Phase phase);
uint64_t DeathWord(uint32_t generation);

struct Limits {
  uint32_t deaths = 2;  // strikes that disable
  uint64_t back_off_s = 86'400;
  static constexpr uint32_t kMostDoublings = 4;
};

// Counts how the process ended; once, after its end. `others`: strikes for the same key in files of
// other processes of the application, which are added.
void Settle(const Limits& limits, uint64_t now_s, uint64_t others, Contents* contents);

// After the clock was set back: limits how long each row is off to its back-off.
void ClampToClock(const Limits& limits, uint64_t now_s, Record* record);

// FNV-1a, never 0.
uint64_t KeyOf(std::string_view text);

// A guard file, locked by one process at a time. The kernel releases the lock however the process
// ends, and no child inherits it.
class GuardFile {
 public:
  GuardFile() = default;
  GuardFile(const GuardFile&) = delete;
  GuardFile& operator=(const GuardFile&) = delete;

  enum class Opened { kOurs, kInUse, kFailed };
  // Creates a missing file. A damaged one is treated as empty, which `*why` says. Our file stays
  // open for good.
  Opened Open(const std::string& path, std::string* why);
  bool is_open() const { return fd_ >= 0; }
  const Contents& contents() const { return contents_; }

  // Writes the next generation. Returns 0 or errno.
  int Write(Record record, Phase phase);
  int SetPhase(Phase phase) const;
  // Where to mark this process's death. The bounds of our code are not filled in.
  core::DeathFile ForDeath() const;

  // Reads another process's file; false if there is none. `*is_dead`: the file is not locked.
  // `*written_s`: last write, since the epoch.
  static bool Read(const std::string& path, uint64_t now_s, Contents* contents, bool* is_dead,
                   uint64_t* written_s);

 private:
  bool IsOurs() const;

  int fd_ = -1;
  uint64_t device_ = 0;
  uint64_t inode_ = 0;
  Contents contents_;
};

}  // namespace stillframe::health
