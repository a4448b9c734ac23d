// SPDX-License-Identifier: Apache-2.0
// Assembles the settings from all sources whenever one changes: the file, calls before the start, a
// document from a call, the environment at the start, calls since. The collector fetches a copy.
//
// Each error is one line of the log, once per source. An invalid document changes nothing.
// Context: any thread but a signal handler; Take, own, LeaveDesk, Watch, Tick: collector
#pragma once

#include <pthread.h>

#include <string>
#include <string_view>
#include <vector>

#include <stillframe/profiler.h>

#include "src/model/process.h"
#include "src/settings/config.h"
#include "src/settings/document.h"
#include "src/settings/file_watch.h"

namespace stillframe::settings {

class Configuration {
 public:
  // Reads all sources. Afterwards only settings that may change at any time do. Call once.
  void Start();

  // OK; BAD_ARGUMENT; TOO_LATE.
  stillframe_status Set(std::string_view name, std::string_view value);
  // Replaces the previous document. OK; BAD_ARGUMENT: invalid.
  stillframe_status SetDocument(std::string_view text);
  // The id decides on cohorts of documents. A negative version: unknown.
  void Identify(std::string_view install_id, int64_t version);

  // From now on settings that only an engineer at a desk needs are not in force.
  void LeaveDesk();
  // Reads the file again, and watches it from now on.
  void Watch();
  // Reads the file if it changed.
  void Tick();

  // Copies changes into own(); false if there are none.
  bool Take();
  // Set by Start, updated by Take.
  const Config& own() const { return own_; }

  // Whether this install is in the control group. Decided at the start, for the life of the
  // process.
  bool IsControl() const { return is_control_; }

  // As Identify had them; "" and a negative number: unknown.
  std::string InstallId();
  int64_t Version();

  // A copy of the newest settings.
  Config Read();
  bool IsEnabled();

 private:
  enum class Source { kNone, kAll, kFile, kDocument };

  void ForgetCallsAbout(const Document& document);
  void ReadFileAgain(bool is_done);
  bool ReadFile(bool is_done, std::vector<std::string>* complaints);
  // Reports errors of `source` only.
  void MergeSources(Source source, std::vector<std::string>* complaints);

  Config own_;
  bool is_control_ = false;  // set by Start
  FileWatch watch_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  // All below: under mutex_.
  Layers layers_;  // file and document: settings in force
  Document file_;
  Document document_;
  std::string install_id_;
  int64_t version_ = -1;
  std::string path_;        // of the file
  uint64_t file_hash_ = 0;  // of its text when last read
  std::string refused_;     // why the file was rejected; "": it was not
  Config config_;
  bool is_started_ = false;
  bool has_desk_ = true;
  bool is_file_newer_ = false;  // than the document
  bool is_changed_ = false;
};

}  // namespace stillframe::settings
