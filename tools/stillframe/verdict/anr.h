// SPDX-License-Identifier: Apache-2.0
// What kind of ANR a dump was taken for, in Android's words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::verdict {

// Written out by `inspect --json`; the names are in AnrKindName().
enum class AnrKind : uint8_t {
  kUnknown,
  kInput,
  kBroadcast,
  kService,            // one of its calls: onCreate, onStartCommand, onBind, ...
  kForegroundService,  // startForeground() was not called, or a short service did not stop
  kProvider,
  kJob,
  kApplicationStart,
};

enum class AnrSource : uint8_t { kSystem, kWaitingMessage };

struct Anr {
  AnrKind kind = AnrKind::kUnknown;
  AnrSource source = AnrSource::kSystem;
  std::string reason;     // clean text: the system's, or what waits
  std::string component;  // clean text: "com.example/.SyncService", "" if it is not known
  std::string limit;      // "10 s in the foreground, 60 s in the background", "" if it is not known
};

std::string_view AnrKindName(AnrKind kind);

std::string_view AnrSourceName(AnrSource source);

}  // namespace stillframe::verdict
