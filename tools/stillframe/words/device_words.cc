// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/words/device_words.h"

#include <fmt/format.h>

#include "tools/stillframe/index/figures.h"

namespace stillframe::words {

namespace {

namespace evidence = judge::evidence;
using fmt::format;
using judge::Cause;
using judge::Find;
using judge::Kind;
using judge::Verdict;

constexpr const char* kFetchTraces =
    "Get the traces of this ANR: a file of /data/anr, a bug report or Play Console's text.";

std::string Percent(uint64_t permille) {
  return permille % 10 == 0 ? format("{}%", permille / 10)
                            : format("{}.{}%", permille / 10, permille % 10);
}

// ": memory pressure 42.1%, kswapd0 88%"; "": none is high.
std::string HighFigures(const Verdict& verdict, bool with_cpus = false) {
  std::string text;
  const auto add = [&text](const std::string& figure) {
    text += (text.empty() ? ": " : ", ") + figure;
  };
  if (const auto* fact = Find<evidence::MemoryPressure>(verdict))
    add("memory pressure " + Percent(fact->pressure.some_permille));
  if (const auto* fact = Find<evidence::StoragePressure>(verdict))
    add("I/O pressure " + Percent(fact->pressure.some_permille));
  if (const auto* fact = Find<evidence::Swapper>(verdict))
    add("kswapd0 " + Percent(fact->permille));
  if (const auto* fact = Find<evidence::DiskWait>(verdict))
    add("iowait " + Percent(fact->permille));
  if (const auto* fact = Find<evidence::MajorFaults>(verdict))
    add(index::Grouped(fact->major_faults) + " major faults");
  if (!with_cpus) return text;
  if (const auto* fact = Find<evidence::CpuPressure>(verdict))
    add("CPU pressure " + Percent(fact->permille));
  constexpr uint64_t kBusyPermille = 900;
  if (const auto* fact = Find<evidence::SystemBusy>(verdict);
      fact != nullptr && fact->permille >= kBusyPermille)
    add("all CPUs " + Percent(fact->permille));
  return text;
}

// "Main waited for a page or for storage in app.A.take (state D)"
std::string WhereMainWas(const Verdict& verdict) {
  const std::string in = verdict.culprit ? " in {method}" : "";
  return verdict.is_log     ? "The system's log shows it"
         : verdict.is_stuck ? "Main waited for a page or for storage" + in + " (state D)"
         : in.empty()       ? "Main was not to blame"
                            : "Main was" + in;
}

Form FormOfShortage(const Verdict& verdict) {
  Form form = {"The device was short of memory", WhereMainWas(verdict) + HighFigures(verdict),
               "Look at other ANRs first; use less memory on small devices."};
  if (verdict.kind == Kind::kInputOutput)
    form.headline = verdict.is_log || !verdict.culprit
                        ? "The device's storage was overloaded"
                        : "Storage was overloaded: main waited for it in {name}";
  else if (verdict.is_storage_slow)
    form.headline = "The device was short of memory and I/O";
  if (verdict.kind == Kind::kInputOutput)
    form.step = "Look at other ANRs first; read and write less on the main thread.";
  return form;
}

Form FormOfStarved(const Verdict& verdict) {
  const bool has_waited = Find<evidence::WaitedForCpu>(verdict) != nullptr;
  if (!verdict.process.empty()) {
    // "dex2oat64 (312.0% of a CPU)"
    const size_t open = verdict.process.rfind(" (");
    const std::string name = verdict.process.substr(0, open);
    const std::string share =
        open == std::string::npos
            ? "most of the CPU time"
            : verdict.process.substr(open + 2, verdict.process.size() - open - 3);
    const auto* own = Find<evidence::OwnShare>(verdict);
    const bool is_own = verdict.cause == Cause::kWork;
    Form form = {is_own ? "Another process of this app took the CPU: {name}"
                        : "Another process took the CPU: {name}",
                 format("{} used {}{}", name, share,
                        own == nullptr ? ""
                                       : format(", this {} {}", is_own ? "process" : "app",
                                                Percent(own->permille))),
                 is_own ? "Give that process less work, or do it later."
                        : "Look at other ANRs first: the app is not to blame."};
    form.name = name;
    form.name_kind = NameKind::kThread;
    return form;
  }
  if (verdict.is_rival_known) {
    const auto* rival = Find<evidence::Rival>(verdict);
    return {"Thread {rival} used the CPU",
            verdict.is_log && rival != nullptr
                ? format("Of this app's threads, {{rival}} used the CPU most: {} of one{}",
                         index::Share(rival->time.ns, rival->time.of_ns),
                         verdict.threads.size() > 1 ? " at most" : "")
                : "Thread {rival} used more of the CPU than main",
            "Give thread {rival} less work or a lower priority."};
  }
  if (verdict.is_log)
    return {"The CPUs were overloaded", "The system's log shows it" + HighFigures(verdict, true),
            "Look at other ANRs first: the app hardly used the CPUs."};
  if (has_waited)
    return {"The main thread got too little CPU", "Main waited longer for a CPU than it ran",
            "Look at other ANRs first: other threads and processes used the CPUs."};
  return {"The main thread got no CPU: other processes used the CPUs",
          "Main was ready to run, but other processes used nearly all CPU time",
          "Look at other ANRs first: the code where main was is not to blame."};
}

// Without the sum of all CPUs, no process of others may have used a whole one.
bool IsDeviceKnown(const Verdict& verdict) {
  const auto* busiest = Find<evidence::BusiestOther>(verdict);
  return Find<evidence::SystemBusy>(verdict) != nullptr ||
         (busiest != nullptr && busiest->permille < 1000);
}

// Nothing of the device explains the ANR.
Form FormOfLog(const Verdict& verdict) {
  const auto* own = Find<evidence::OwnShare>(verdict);
  const std::string used = own == nullptr ? "" : Percent(own->permille) + " of a CPU";
  const std::string high = HighFigures(verdict, true);
  const bool is_device = verdict.cause == Cause::kWait || verdict.cause == Cause::kOutside;
  if (verdict.is_rival_known) {
    const auto* rival = Find<evidence::Rival>(verdict);
    return {"Thread {rival} used the CPU more than main",
            format("It used {} of a CPU; the log does not show if main waited for it",
                   index::Share(rival->time.ns, rival->time.of_ns)),
            kFetchTraces};
  }
  if (is_device && !high.empty())
    return {"The device may be to blame" + high,
            "The app had " + used + "; the log does not show where main was", kFetchTraces};
  if (is_device && !IsDeviceKnown(verdict))
    return {"The log does not show if the device is to blame",
            "The app had " + used + "; the log lacks the sum of all CPUs", kFetchTraces};
  switch (verdict.cause) {
    case Cause::kWork:
      if (verdict.is_main_busy)
        return {"The main thread used the CPU: it was computing",
                "The device was not to blame; the log does not show in which method", kFetchTraces};
      return {"The app itself used the CPU",
              "It used " + used + "; the log does not show which thread", kFetchTraces};
    case Cause::kWait:
      return {"The device is not to blame: main was likely blocked or waiting",
              "The app used " + used + " only, and the log shows no shortage", kFetchTraces};
    case Cause::kOutside:
      return {"The device is not to blame: the cause is in the app",
              "The app had " + used +
                  ", and the log shows no shortage; main was blocked, waiting or busy",
              kFetchTraces};
    default:
      return {"The log does not say why the app did not answer",
              "The log has no figures of the app", kFetchTraces};
  }
}

}  // namespace

std::optional<Form> FormOfDevice(const Verdict& verdict) {
  if (!verdict.is_at_dump) return std::nullopt;
  switch (verdict.kind) {
    case Kind::kShortOfMemory: return FormOfShortage(verdict);
    case Kind::kInputOutput:
      return verdict.is_storage_slow ? std::optional(FormOfShortage(verdict)) : std::nullopt;
    case Kind::kStarved: return FormOfStarved(verdict);
    default: return verdict.is_log ? std::optional(FormOfLog(verdict)) : std::nullopt;
  }
}

}  // namespace stillframe::words
