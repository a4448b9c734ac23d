// SPDX-License-Identifier: Apache-2.0
#include "src/art/layout_choice.h"

#include <time.h>

#include <algorithm>
#include <vector>

#include "src/art/oat_version.h"
#include "src/art/runtime_probe.h"
#include "src/art/self_check.h"
#include "src/art/self_check_cache.h"
#include "src/os/duration.h"
#include "src/os/proc.h"
#include "src/walk/layout.h"

namespace stillframe::art {
namespace {

using model::Outcome;
using model::Status;

// Pauses between tries of the self-check; a second in total.
constexpr uint32_t kPausesMs[] = {10, 40, 150, 300, 500};

// Layouts that the runtime's version allows, `likely` first.
std::vector<const walk::Layout*> LayoutsToTry(uint32_t oat_version, const std::string& likely) {
  const walk::LayoutTable table = walk::KnownLayouts();
  std::vector<const walk::Layout*> layouts;
  for (uint32_t i = 0; i < table.count; ++i)
    if (MayFit(table.rows[i], oat_version)) layouts.push_back(&table.rows[i]);
  std::stable_partition(layouts.begin(), layouts.end(), [&likely](const walk::Layout* layout) {
    return likely == layout->release;
  });
  return layouts;
}

}  // namespace

void LayoutChoice::Start(const Vm& vm, const std::string& folder) {
  vm_ = vm;
  facts_.layout = walk::KnownLayouts().rows;
  build_id_ = RuntimeBuildId(vm.get());
  if (!build_id_.empty() && !OwnBuildId().empty()) folder_ = folder;
}

Outcome LayoutChoice::Choose(const AttachedThread& thread, jclass self_check) {
  const SelfCheckCache cache(folder_, build_id_ + " " STILLFRAME_VERSION " " + OwnBuildId() + " " +
                                          std::to_string(sizeof(void*)) + " " +
                                          RuntimeKind(thread.env(), self_check));
  SelfCheckResult kept;
  if (cache.Load(&kept) && kept.is_final()) {
    return {Status::kUnavailable, kept.text + " (found by earlier processes; delete " +
                                      cache.path() + " to check again)"};
  }
  Outcome outcome = CompareUntilSure(thread, self_check, kept.text);
  const SelfCheckResult result = {outcome.ok(), outcome.ok() ? facts_.layout->release : outcome.why,
                                  outcome.ok() ? 0 : kept.failures + 1};
  threads_absent_ = outcome.why;
  if (outcome.ok()) {
    threads_absent_ = threads_.Prove(facts_, vm_.get(), thread.env()).why;
    waits_.Find(facts_, threads_, thread.env());
  }
  if (!outcome.ok() || kept.text != result.text) cache.Store(result);
  return outcome;
}

Outcome LayoutChoice::CompareUntilSure(const AttachedThread& thread, jclass self_check,
                                       const std::string& likely) {
  bool may_pass = false;
  Outcome outcome = Compare(thread, self_check, likely, &may_pass);
  for (const uint32_t pause_ms : kPausesMs) {
    if (outcome.ok() || !may_pass) break;
    const timespec pause = os::TimespecOf(pause_ms * os::kNsPerMs);
    nanosleep(&pause, nullptr);
    outcome = Compare(thread, self_check, likely, &may_pass);
  }
  return outcome;
}

Outcome LayoutChoice::Compare(const AttachedThread& thread, jclass self_check,
                              const std::string& likely, bool* was_checked) {
  if (oat_version_ == 0) oat_version_ = FindOatVersion();
  // List layouts that reached the self-check first: their results say most about the failure.
  std::string compared;
  std::string other;
  for (const walk::Layout* layout : LayoutsToTry(oat_version_, likely)) {
    walk::RuntimeFacts facts;
    Outcome outcome = ProbeRuntime(*layout, vm_.get(), thread.env(), &facts);
    const bool has_facts = outcome.ok();
    if (has_facts) outcome = RunSelfCheck(thread.env(), self_check, &facts);
    if (outcome.ok()) {
      const os::AddressRange stack = os::MainStack();
      facts.stack_low = stack.begin;
      facts.stack_high = stack.end;
      facts_ = facts;
      return {};
    }
    (has_facts ? compared : other) +=
        std::string("; layout of ART ") + layout->release + ": " + outcome.why;
  }
  *was_checked = !compared.empty();
  const std::string tried = compared + other;
  return {Status::kUnavailable,
          "this build of ART (" + (build_id_.empty() ? "no build id" : build_id_) +
              ", oat version " + (oat_version_ == 0 ? "not known" : std::to_string(oat_version_)) +
              ") fits no known layout (" +
              (tried.empty() ? "none is of that version" : tried.substr(2)) +
              "); update Stillframe"};
}

}  // namespace stillframe::art
