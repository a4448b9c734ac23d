// SPDX-License-Identifier: Apache-2.0
// Finds the layout that fits this process's runtime, with the facts that depend on it.
//
// The folder of dumps keeps the results of earlier processes. If no layout fitted in several of
// them, none is tried for a while; if one did, it is tried first. Every layout of the runtime's oat
// version is probed and self-checked until one passes. A garbage collection or lack of memory may
// disturb the check for a moment. So if a layout got as far as the check, all are retried a few
// times.
// Context: collector, at start-up only; facts() is read by signal handlers from then on
#pragma once

#include <string>

#include "src/art/thread_list.h"
#include "src/art/vm.h"
#include "src/art/wait_reader.h"
#include "src/model/outcome.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::art {

class LayoutChoice {
 public:
  // `threads`, `waits`: valid after a successful Choose, unless threads_absent() gives a reason.
  LayoutChoice(ThreadList* threads, WaitReader* waits) : threads_(*threads), waits_(*waits) {}

  // `folder` keeps the result; "": not kept. A result must not outlive the runtime or this library,
  // so that without a build id of both nothing is kept.
  void Start(const Vm& vm, const std::string& folder);

  // Tries the layouts on `thread`, the calling one. `self_check`: the class of the self-check.
  model::Outcome Choose(const AttachedThread& thread, jclass self_check);

  // Facts of this process's runtime, complete after a successful Choose. Their address never
  // changes.
  const walk::RuntimeFacts& facts() const { return facts_; }
  const std::string& build_id() const { return build_id_; }
  const std::string& threads_absent() const { return threads_absent_; }

 private:
  model::Outcome CompareUntilSure(const AttachedThread& thread, jclass self_check,
                                  const std::string& likely);
  // `was_checked`: a layout fitted except for the self-check.
  model::Outcome Compare(const AttachedThread& thread, jclass self_check, const std::string& likely,
                         bool* was_checked);

  Vm vm_;
  std::string folder_;
  std::string build_id_;
  uint32_t oat_version_ = 0;  // of the boot image; 0: unknown
  walk::RuntimeFacts facts_;
  ThreadList& threads_;
  std::string threads_absent_;
  WaitReader& waits_;
};

}  // namespace stillframe::art
