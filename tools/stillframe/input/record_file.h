// SPDX-License-Identifier: Apache-2.0
// Files of records and sessions, read. src/dump/jank_record.h and session_record.h define them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/process.h"

namespace stillframe::input {

// Larger files are not records.
constexpr size_t kMaxRecordBytes = 256 * 1024;

// By name: known facts of identity, and process, scene, group and machine. Clean texts.
using Facts = std::map<std::string, std::string>;

// A record of one hang or several equal ones.
struct HangFile {
  std::string id;  // "": none, as in a file that was put together by hand
  uint64_t revision = 0;
  bool is_debugged = false;
  bool is_running = false;
  std::string method;   // without the judge; "": none
  std::string message;  // target and callback, or the segment
  std::string thread;   // "thread NAME", or "another thread"; "": the main one
  Facts facts;
  std::vector<model::NamedText> absent;  // facts of identity, with the reason
  std::string dump;                      // of the longest; "": none, or not base64
  bool has_stack = false;                // in Matrix's form
  size_t facts_size = 0;                 // of its text; 0: none
  uint64_t count = 0;
  uint64_t total_ms = 0;
  uint64_t longest_ms = 0;
  uint64_t first_time_ms = 0;              // since the epoch
  uint64_t last_time_ms = 0;               // since the epoch
  std::map<uint64_t, uint64_t> histogram;  // count by lower bound in ms

  std::string system_traces;  // text; "": none
  // How the system says that the process ended, by name; see dump::JankRevision. Clean texts.
  std::map<std::string, std::string> exit;

  // Identity and exit as context of a dump.
  std::vector<model::ContextEntry> Context() const;
};

// One process.
struct SessionFile {
  std::string id;
  uint64_t revision = 0;
  uint64_t time_ms = 0;  // since the epoch
  Facts facts;
  uint64_t alive_ms = 0;
  uint64_t foreground_ms = 0;
  bool was_watched = false;
  uint64_t messages = 0;
  uint64_t hangs = 0;
  uint64_t hang_ms = 0;
  uint64_t frames = 0;
  uint64_t frames_missed = 0;
  bool is_killed = false;
  bool is_control = false;
  std::string unsampled;  // why there were no samples; "": there were, or it is a control
};

enum class FileKind : uint8_t { kNeither, kHang, kSession };

// Fills the one that the text is. kNeither: `*error` is one line. Members that are unknown or of
// the wrong type count as absent.
FileKind ReadRecordFile(std::string_view text, HangFile* hang, SessionFile* session,
                        std::string* error);

// A record as a document needs it.
struct RecordFacts {
  std::string dump;    // "": none
  std::string traces;  // text of the system's traces, only without a dump; "": none
  std::vector<model::ContextEntry> context;
};

// False if the text is not a record.
bool ReadFacts(std::string_view text, RecordFacts* facts);

}  // namespace stillframe::input
