// SPDX-License-Identifier: Apache-2.0
// All settings with their bounds. One table serves environment, C API, Java, agent options and
// file.
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

// Settings first, then constants, which only tests change.
struct Config {
  bool enabled = true;
  std::string dump_dir;  // "": no dumps
  std::string config;    // path of a settings document, watched; "": none
  bool dump_at_exit = false;
  bool dump_on_sigquit = true;
  bool copy_traces = true;       // the Signal Catcher's, into the dump for its signal
  bool janks = false;            // each long message leaves a record when it ends
  bool live = false;             // messages go to a watcher, see include/stillframe/live.h
  bool native = false;           // native frames in dumps
  bool file_names = false;       // stacks name the file or peer that a system call waits for
  bool sections = false;         // dumps have the trace marker's sections of watched threads
  bool message_objects = false;  // dumps have the objects of waiting messages
  // libunwind unwinds native frames too; files of libraries name them too.
  bool native_libunwind = false;
  bool native_files = false;
  std::string loopers = "main";  // watched: "all", or thread names separated by commas
  Omissions omit;                // from dumps
  TapChoice tap = TapChoice::kAuto;
  TimerChoice timer = TimerChoice::kCpu;
  // Salts of the documents' cohorts that this install is in; not a setting.
  std::string cohort;
  Milliseconds slow_ms{50};          // a message this long is slow and sampled
  Microseconds interval_us{10'000};  // between samples
  Milliseconds tree_min_ms{1'000};   // trees of shorter messages are dropped
  uint32_t trees = 10;               // kept, newest; 38.4 KiB of memory each
  Milliseconds long_ms{5'000};       // a message this long is dumped; 0: none is
  uint32_t dumps = 32;               // files kept in the folder, newest
  Milliseconds jank_ms{700};         // a message this long leaves a record, if `janks`
  uint32_t jank_kib_per_day = 512;   // records written by all processes
  uint32_t control_percent = 0;      // share of enrolled installs in the control group
  Seconds cpu_s_per_day{300};        // our CPU time in all processes, then no samples; 0: no limit

  // History in groups of 300 ms of work; consecutive quick messages share a record.
  uint32_t history = 600;             // slow messages kept, newest
  Milliseconds group_ms{300};         // work of a group; messages this long have their own
  uint32_t groups = 100;              // kept, newest
  Milliseconds quick_ms{30};          // consecutive shorter ones share a record; at most slow_ms
  uint32_t records = 500;             // kept, newest
  Milliseconds idle_ms{1'000};        // a pause this long is recorded
  Milliseconds frozen_ms{1'000};      // the process did not run for this long: recorded
  Milliseconds frozen_frame_ms{700};  // a frame this late froze the screen, as Play counts it
  uint32_t max_depth = 1'024;         // frames of a stack; ART's own stacks are smaller
  uint32_t ring_kib = 128;            // between handler and collector: ten of the deepest stacks
  Milliseconds wait_vm_ms{30'000};    // then assume no VM: a zygote's child has one within 3 s
  bool pending_by_dump = false;       // read Looper.dump even if the queue has a list
  Milliseconds dump_gap_ms{2'000};    // within it SIGQUIT may be sent twice for one ANR
  uint32_t jank_files = 64;           // records kept in the folder, those of most time: 128 KiB
  uint32_t guard_deaths = 2;          // one death may be chance
  Seconds guard_healthy_s{60};        // a process that lives this long is healthy
  Seconds guard_back_off_s{86'400};   // first period of being off
  // A watchdog above its limit lowers the rate, then ends sampling.
  uint32_t watchdog_handler_percent = 25;  // of the sampled time, in the SIGPROF handler
  Milliseconds watchdog_lag_ms{1'000};     // mean delay of the collector
  uint32_t watchdog_lost_percent = 25;     // of the samples, lost to a full ring
  uint32_t watchdog_memory_kib = 32'768;   // ring, names, trees and histories
  Milliseconds watchdog_dump_ms{10'000};   // duration of a dump

  uint64_t TreeBytes() const { return trees * uint64_t{384} * 1024 / 10; }
};

// Whether there is such a setting.
bool IsSetting(std::string_view name);
// Whether it may be set only before the profiler starts; false if there is no such setting.
bool IsFixedAtStart(std::string_view name);
// Whether it takes true and false; true if there is no such setting.
bool IsBoolean(std::string_view name);

// Parses 0, 1, true or false, in any case. False for other values.
bool ReadSwitch(std::string_view value, bool* is_on);
// Shortens and cleans `text` for one line of the log.
std::string Shown(std::string_view text);

enum class Result { kSet, kUnknown, kBadValue };
// Sets one setting by its name in the table ("slow_ms"). An invalid value changes nothing, and adds
// one line to `complaints`.
Result Set(std::string_view name, std::string_view value, Config* config,
           std::vector<std::string>* complaints);

// "slow_ms=20,omit=queue,reason": a part without `=` belongs to the value before it.
std::vector<model::NamedText> ParseOptions(std::string_view options);

// The file named by `calls` or STILLFRAME_CONFIG; "": none.
std::string FileToRead(const std::vector<model::NamedText>& calls);

// STILLFRAME_<NAME> variables. The environment must not change meanwhile.
std::vector<model::NamedText> ReadVariables();

// Applied in this order, each as by Set; the last value of a name counts. Privacy settings differ.
// Omissions add up: documents never bring back what calls and variables leave out. Names, contents
// and folders: a document may switch them off, never on.
struct Layers {
  std::vector<model::NamedText> file;       // its settings in force
  std::vector<model::NamedText> calls;      // of the API, before the start
  std::vector<model::NamedText> document;   // passed by a call; its settings in force
  std::vector<model::NamedText> variables;  // as ReadVariables gives them
  std::vector<model::NamedText> changes;    // calls since the start
};
// One list of lines per source. None may be null.
struct Complaints {
  std::vector<std::string>* file;
  std::vector<std::string>* calls;  // and variables
  std::vector<std::string>* document;
};
Config Assemble(const Layers& layers, const Complaints& complaints);

// Restores from `in_force` each setting that is fixed at the start. Adds a line for each of `asked`
// that would have changed one.
void KeepFixed(const Config& in_force, const std::vector<model::NamedText>& asked, Config* config,
               std::vector<std::string>* complaints);

// A row of the table, for documentation.
struct SettingFacts {
  const char* name;
  const char* unit;
  bool is_fixed_at_start;
  bool is_local;            // a document may only switch it off
  const char* by_document;  // "set it", "narrow it", ...
  std::string value;        // the default, as text
  const char* what;         // a sentence
  // "number", "switch", "choice", "words" or "text".
  const char* kind;
  uint32_t least = 0;
  uint32_t most = 0;
  std::vector<std::string> names;  // of a choice or of words, or what a switch accepts besides 1
};
std::vector<SettingFacts> Table();

// All settings as text, except dump_dir, config and guard_*: identifies a configuration for the
// guard.
std::string Fingerprint(const Config& config);

// The settings as name and value, for the dump.
std::vector<model::NamedText> Describe(const Config& config);

// Resets what only an engineer at a desk needs: the wall-clock timer, texts of message objects, the
// live socket. Returns the names that were set, separated by commas.
std::string DropDeskSettings(Config* config);

}  // namespace stillframe::settings
