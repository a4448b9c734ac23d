// SPDX-License-Identifier: Apache-2.0
// The settings, between whoever changes them and the collector.
//
// They are put together anew whenever one of their sources changes: the file, calls before the
// start, the document that a call handed over, the environment as it was at the start, calls since.
// The collector fetches a copy. What is wrong is told in one line of the log each, once for each
// source; a document that is none changes nothing.
// Context: any thread but a signal handler; Take, own, Know, Watch, Tick: collector
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
#include "src/settings/rules.h"

namespace stillframe::settings {

class Configuration {
 public:
  // Reads all there is; from here on only settings that may change at any time do. Once.
  void Start();

  // OK; BAD_ARGUMENT; TOO_LATE.
  stillframe_status Set(std::string_view name, std::string_view value);
  // Takes the place of the document before. OK; BAD_ARGUMENT: it is none.
  stillframe_status SetDocument(std::string_view text);
  // Who this is, for rules. kFactUnknown: no version.
  void Identify(std::string_view install_id, int64_t version);

  // There is a VM, of which this is known.
  // `has_desk`: settings that only an engineer at a desk needs are in force.
  void Know(const std::string& art_build, bool is_debuggable, bool has_desk);
  // From here on the file is watched; it is read again.
  void Watch();
  // Reads the file where it has changed, and applies rules that begin or end by now. Returns how
  // long until the next one does, in nanoseconds; UINT64_MAX: never.
  uint64_t Tick();

  // Makes what was changed since the collector's own; false when nothing was.
  bool Take();
  // Set by Start, changed by Take.
  const Config& own() const { return own_; }

  // By what is known at the start, this install is of the control group. Until the process ends.
  bool IsControl() const { return is_control_; }

  // A copy of what is wanted.
  Config Read();
  bool IsEnabled();

 private:
  enum class Source { kNone, kAll, kFile, kDocument };

  void ForgetCallsAbout(const Document& document);
  void ReadFileAgain(bool is_done);
  bool ReadFile(bool is_done, std::vector<std::string>* complaints);
  // Complains of `source` alone.
  void PutTogether(Source source, std::vector<std::string>* complaints);

  Config own_;
  bool is_control_ = false;  // set by Start
  FileWatch watch_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  // All below: under mutex_.
  Layers layers_;  // file and document: what of them holds
  Document file_;
  Document document_;
  Facts facts_;
  std::string path_;        // of the file
  uint64_t file_hash_ = 0;  // of its text as it was read last
  std::string refused_;     // why, if it was
  int64_t next_s_ = kNever;
  Config config_;
  bool is_started_ = false;
  bool has_desk_ = true;
  bool is_file_newer_ = false;  // than the document
  bool is_changed_ = false;
};

}  // namespace stillframe::settings
