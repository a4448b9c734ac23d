// SPDX-License-Identifier: Apache-2.0
// Which of the known layouts fits this process's runtime, and all that was found out with it.
//
// An earlier process's result is kept in the folder of dumps: where no layout fitted in several of
// them, none is tried again for a while; where one did, it is tried first. Every layout of the
// runtime's oat version is probed and put to the self-check until one passes. What the check
// compares may be disturbed for a moment, by a collection or by memory that has run out: where a
// layout came as far as that, all are tried again, a few times.
// Context: collector, at start-up only; facts() is read by signal handlers from then on
#pragma once

#include <string>

#include "src/art/thread_list.h"
#include "src/art/vm.h"
#include "src/art/wait_reader.h"
#include "src/model/outcome.h"
#include "src/tap/tap.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::collector {

class LayoutChoice {
 public:
  // `threads`, `waits`: proved when Choose was successful, unless threads_absent() says why not.
  LayoutChoice(art::ThreadList* threads, art::WaitReader* waits)
      : threads_(*threads), waits_(*waits) {}

  // `folder` keeps the result; "": it is not kept.
  void Start(const art::Vm& vm, const std::string& folder);

  // Tries the layouts on `thread`, the calling one; `tap` has the class of the self-check and is
  // told which layout it is.
  model::Outcome Choose(const art::AttachedThread& thread, tap::Tap* tap);

  // Of this process's runtime, at this address for good; complete when Choose was successful.
  const walk::RuntimeFacts& facts() const { return facts_; }
  const std::string& build_id() const { return build_id_; }
  const std::string& threads_absent() const { return threads_absent_; }

 private:
  model::Outcome CompareUntilSure(const art::AttachedThread& thread, tap::Tap* tap,
                                  const std::string& likely);
  // `was_checked`: a layout fitted so far that only the self-check was against it.
  model::Outcome Compare(const art::AttachedThread& thread, tap::Tap* tap,
                         const std::string& likely, bool* was_checked);

  art::Vm vm_;
  std::string folder_;
  std::string build_id_;
  uint32_t oat_version_ = 0;  // of the boot image; 0: not known
  walk::RuntimeFacts facts_;
  art::ThreadList& threads_;
  std::string threads_absent_;
  art::WaitReader& waits_;
};

}  // namespace stillframe::collector
