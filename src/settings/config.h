// SPDX-License-Identifier: Apache-2.0
// Everything that can be set from outside, with its bounds: one table behind environment, C API,
// Java, the agent's options and a file.
// Context: any thread but a signal handler
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/process.h"
#include "src/settings/choices.h"
#include "src/settings/duration.h"
#include "src/settings/omissions.h"

namespace stillframe::settings {

// The settings come first. The constants follow; only tests change them.
struct Config {
  bool enabled = true;
  std::string dump_dir;  // "": nothing is dumped
  std::string config;    // a file with a document of settings, which is watched; "": none
  bool dump_at_exit = false;
  bool dump_on_sigquit = true;
  bool copy_traces = true;       // of the Signal Catcher, into the dump for its signal
  bool janks = false;            // each long message leaves a record when it ends
  bool live = false;             // messages are told to a watcher, see include/stillframe/live.h
  bool native = false;           // native frames in dumps
  bool file_names = false;       // which file or peer a system call waits for comes into stacks
  bool sections = false;         // what watched threads write to the trace marker comes into dumps
  bool message_objects = false;  // what waiting messages carry comes into dumps
  // Native frames are found by libunwind too, named by libraries' files too.
  bool native_libunwind = false;
  bool native_files = false;
  std::string loopers = "main";  // also watched: "all", or names of threads separated by commas
  Omissions omit;                // from dumps
  TapChoice tap = TapChoice::kAuto;
  TimerChoice timer = TimerChoice::kCpu;
  // Of documents, those by which this is so, for people; no setting, and bounded.
  std::string rules;
  Milliseconds slow_ms{50};          // a message is slow, sampling starts
  Microseconds interval_us{10'000};  // between samples
  Milliseconds tree_min_ms{1'000};   // trees of shorter messages are dropped
  uint32_t trees = 10;               // kept, newest; 38.4 KiB of memory for each
  Milliseconds long_ms{5'000};       // a message that runs this long is dumped; 0: none is
  uint32_t dumps = 32;               // files kept in the folder, newest
  Milliseconds jank_ms{700};         // a message that long leaves a record, if `janks`
  uint32_t jank_kib_per_day = 512;   // of records written, of all processes
  uint32_t control_percent = 0;      // share of enrolled installs in the control group
  Seconds cpu_s_per_day{300};        // of ours, in all processes; then no samples; 0: no bound

  // The past as the articles have it: 300 ms a group, one record for what is quick.
  uint32_t history = 600;             // slow messages kept, newest
  Milliseconds group_ms{300};         // of work make a group; messages that long have their own
  uint32_t groups = 100;              // kept, newest
  Milliseconds quick_ms{30};          // consecutive shorter ones make a record; at most slow_ms
  uint32_t records = 500;             // kept, newest
  Milliseconds idle_ms{1'000};        // a pause that long is recorded
  Milliseconds frozen_ms{1'000};      // so is a time in which the process was not run
  Milliseconds frozen_frame_ms{700};  // a frame that late froze the screen, as Play counts it
  uint32_t max_depth = 1'024;         // frames of one stack; ART's own stacks end before that
  uint32_t ring_kib = 128;            // between handler and collector: ten of the deepest stacks
  Milliseconds wait_vm_ms{30'000};    // then there is no VM: a zygote's child has one in 3 s
  bool pending_by_dump = false;       // Looper.dump is read even where the queue has a list
  Milliseconds dump_gap_ms{2'000};    // within it a system asks twice for one ANR
  uint32_t jank_files = 64;           // records kept in the folder, of the most time: 128 KiB
  uint32_t guard_deaths = 2;          // one death may be chance
  Seconds guard_healthy_s{60};        // a process that lives this long is healthy
  Seconds guard_back_off_s{86'400};   // how long it stays off at first
  // A watchdog over its limit lowers the rate, then ends sampling.
  uint32_t watchdog_handler_percent = 25;  // of the sampled time, in the handler of SIGPROF
  Milliseconds watchdog_lag_ms{1'000};     // that the collector is late on average
  uint32_t watchdog_lost_percent = 25;     // of the samples, because the ring was full
  uint32_t watchdog_memory_kib = 32'768;   // ring, names, trees and histories
  Milliseconds watchdog_dump_ms{10'000};   // that a dump takes

  uint64_t TreeBytes() const { return trees * uint64_t{384} * 1024 / 10; }
};

// Whether releases before this one had it as a setting.
bool IsFormer(std::string_view name);
// Whether it may be set before the profiler starts only; false for what is no setting.
bool IsFixedAtStart(std::string_view name);
// Whether true and false may be its value; true for what is no setting.
bool MayBeTruth(std::string_view name);

// What a switch is set to: 0, 1, true or false, in any letters. False when it is none of these.
bool ReadSwitch(std::string_view value, bool* is_on);
// For a line of the log, however long and whatever it holds.
std::string Shown(std::string_view text);

enum class Result { kSet, kUnknown, kBadValue };
// Sets one by its name in the table ("slow_ms"). A value that is no number, out of bounds or
// unknown is not used: what was there stays, and one line is added to `complaints`.
Result Set(std::string_view name, std::string_view value, Config* config,
           std::vector<std::string>* complaints);

// "slow_ms=20,omit=queue,reason": what has no `=` belongs to the value before it.
std::vector<model::NamedText> ItemsOfOptions(std::string_view options);

// The file that `calls` or STILLFRAME_CONFIG name; "": none.
std::string FileToRead(const std::vector<model::NamedText>& calls);

// STILLFRAME_<NAME> of the environment, by these names. While nobody changes it.
std::vector<model::NamedText> ReadVariables();

// Each list is set after the one before it, as Set does it: the last one of a name counts. What
// calls and variables leave out, documents never bring back: of parts left out the sum counts, and
// what names, contents and folders depend on a document may switch off, never on.
struct Layers {
  std::vector<model::NamedText> file;       // what of it holds
  std::vector<model::NamedText> calls;      // of the API, before the start
  std::vector<model::NamedText> document;   // that a call handed over, likewise
  std::vector<model::NamedText> variables;  // as ReadVariables gives them
  std::vector<model::NamedText> changes;    // calls since the start
};
// Where the lines about each list go. None may be null.
struct Complaints {
  std::vector<std::string>* file;
  std::vector<std::string>* calls;  // and variables
  std::vector<std::string>* document;
};
Config Assemble(const Layers& layers, const Complaints& complaints);

// Gives `*config` what `in_force` has for each setting that is fixed at the start, with a line for
// each of `asked` that would have been another.
void KeepFixed(const Config& in_force, const std::vector<model::NamedText>& asked, Config* config,
               std::vector<std::string>* complaints);

// A row of the table, for documents about it.
struct SettingFacts {
  const char* name;
  const char* unit;
  bool is_fixed_at_start;
  bool is_local;            // a document may at most switch it off
  const char* by_document;  // what a document may: "set it", "narrow it", ...
  std::string value;        // the default, as text
  const char* what;         // a sentence
  // "number", "switch", "choice", "words" or "text".
  const char* kind;
  uint32_t least = 0;
  uint32_t most = 0;
  std::vector<std::string> names;  // of a choice, of words, or what a switch may be instead of 1
};
std::vector<SettingFacts> Table();

// What the configuration changes in this process, in a text: without folder and file, and what the
// guard does.
std::string Fingerprint(const Config& config);

// The settings as name and value, for the dump.
std::vector<model::NamedText> Describe(const Config& config);

// Resets what only an engineer at a desk needs: the wall clock's timer, texts of message objects,
// the live socket. Returns the names of those that were set, with commas.
std::string DropDeskSettings(Config* config);

}  // namespace stillframe::settings
