// SPDX-License-Identifier: Apache-2.0
// Everything that can be set from outside, with its bounds.
// Context: start-up only
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/config/choices.h"
#include "src/config/omissions.h"
#include "src/model/process.h"

namespace stillframe::config {

struct Config {
  bool enabled = true;
  std::string dump_dir;  // "": nothing is dumped
  bool dump_at_exit = false;
  bool dump_on_sigquit = true;
  bool copy_traces = true;       // of the Signal Catcher, into the dump for its signal
  bool live = false;             // messages are told to a watcher, see include/stillframe/live.h
  std::string loopers = "main";  // also watched: "all", or names of threads separated by commas
  Omissions omit;                // from dumps
  TapChoice tap = TapChoice::kAuto;
  TimerChoice timer = TimerChoice::kCpu;
  PendingChoice pending = PendingChoice::kAuto;
  uint32_t slow_ms = 50;           // a message is slow, sampling starts
  uint32_t interval_us = 10'000;   // between samples
  uint32_t tree_min_ms = 1'000;    // trees of shorter messages are dropped
  uint32_t trees = 10;             // kept, newest
  uint32_t tree_budget_kib = 384;  // of all kept trees
  uint32_t history = 600;          // slow messages kept, newest
  uint32_t group_ms = 300;         // so much work makes a group; messages that long have their own
  uint32_t groups = 100;           // kept, newest
  uint32_t quick_ms = 30;          // consecutive shorter messages make one record; at most slow_ms
  uint32_t records = 500;          // kept, newest
  uint32_t idle_ms = 1'000;        // a pause that long is recorded
  uint32_t frozen_ms = 1'000;      // so is a time in which the process was not run
  uint32_t frozen_frame_ms = 700;  // a frame that late froze the screen
  uint32_t max_depth = 1'024;      // frames of one stack
  uint32_t ring_kib = 128;         // between handler and collector
  uint32_t wait_vm_ms = 30'000;    // then the profiler gives up
  uint32_t long_ms = 5'000;        // a message that runs this long is dumped; 0: none is
  uint32_t dump_gap_ms = 2'000;    // SIGQUITs so soon after a dump belong to it
  uint32_t dumps = 32;             // files kept in the folder, newest
};

// Reads STILLFRAME_<NAME> for each field. A value that is no number, out of bounds or unknown is
// not used: the default stays and one line is added to `complaints`.
Config FromEnvironment(std::vector<std::string>* complaints);

// The configuration as name and value, for the dump.
std::vector<model::NamedText> Describe(const Config& config);

}  // namespace stillframe::config
