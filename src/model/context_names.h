// SPDX-License-Identifier: Apache-2.0
// Names of context entries of a dump, where one side writes them and the other decides by them.
// There may be other entries. Context: any thread
#pragma once

#include <string_view>

namespace stillframe::model::context {

constexpr std::string_view kDevice = "device";
constexpr std::string_view kApiLevel = "api_level";  // number
constexpr std::string_view kHardware = "hardware";
constexpr std::string_view kCores = "cores";  // number, online

constexpr std::string_view kProcess = "process";
constexpr std::string_view kPackage = "package";
constexpr std::string_view kVersionName = "version_name";
constexpr std::string_view kVersionCode = "version_code";
constexpr std::string_view kDebugger = "debugger";                  // text: who is attached
constexpr std::string_view kMainThreadStack = "main_thread_stack";  // at the dump, innermost first

// Facts of src/context/identity.h.
constexpr std::string_view kIdentity = "identity";

// How the system says that the process ended: of a record, by its ApplicationExitInfo.
constexpr std::string_view kExit = "exit";
constexpr std::string_view kExitReason = "reason";
constexpr std::string_view kExitDescription = "description";
constexpr std::string_view kExitAfterMs = "after_ms";  // of the hang's last time

constexpr std::string_view kCohort = "cohort";
constexpr std::string_view kSalt = "salt";    // of the cohorts of settings documents
constexpr std::string_view kGroup = "group";  // "sampled": the control group writes no dump

constexpr std::string_view kCpu = "cpu";
constexpr std::string_view kWindowMs = "window_ms";  // of shares of CPU time and of faults
constexpr std::string_view kLoad1Milli = "load_1min_milli";
constexpr std::string_view kLoad5Milli = "load_5min_milli";
constexpr std::string_view kLoad15Milli = "load_15min_milli";
constexpr std::string_view kSystemBusyPermille = "system_busy_permille";      // of all cores
constexpr std::string_view kSystemIowaitPermille = "system_iowait_permille";  // of all cores
constexpr std::string_view kProcessBusyPermille = "process_busy_permille";    // of one core

// Imports only, of one core unless it says otherwise.
constexpr std::string_view kProcessKernelPermille = "process_kernel_permille";
constexpr std::string_view kBusiestOther = "busiest_other_process";  // text
constexpr std::string_view kBusiestOtherPermille = "busiest_other_permille";
constexpr std::string_view kOwnOther = "busiest_own_process";  // text: beside the one that hangs
constexpr std::string_view kOwnOtherPermille = "busiest_own_permille";
constexpr std::string_view kCoresEstimate = "cores_estimate";  // from shares of CPU time

// In "cpu", "memory" and "io": /proc/pressure's average over 10 s.
constexpr std::string_view kPressureSomePermille = "psi_some_avg10_permille";
constexpr std::string_view kPressureFullPermille = "psi_full_avg10_permille";

constexpr std::string_view kMemory = "memory";
constexpr std::string_view kSwapperPermille = "kswapd_permille";  // of one core
constexpr std::string_view kRssBytes = "rss_bytes";
// Imports only, about the process.
constexpr std::string_view kPeakRssBytes = "peak_rss_bytes";
constexpr std::string_view kAnonymousBytes = "anonymous_bytes";
constexpr std::string_view kSharedBytes = "shared_bytes";
constexpr std::string_view kSwappedBytes = "swapped_bytes";
constexpr std::string_view kAvailableBytes = "available_bytes";  // of the device
constexpr std::string_view kTotalBytes = "total_bytes";          // of the device
constexpr std::string_view kMinorFaults = "minor_faults";        // within the window
constexpr std::string_view kMajorFaults = "major_faults";        // within the window
constexpr std::string_view kJavaHeapUsedBytes = "java_heap_used_bytes";
constexpr std::string_view kJavaHeapMaxBytes = "java_heap_max_bytes";

constexpr std::string_view kIo = "io";
constexpr std::string_view kReadBytes = "read_bytes";        // within the window
constexpr std::string_view kWrittenBytes = "written_bytes";  // within the window
constexpr std::string_view kOpenFiles = "open_files";

constexpr std::string_view kGc = "gc";
constexpr std::string_view kCollections = "collections";
constexpr std::string_view kBlockingCollections = "blocking_collections";
constexpr std::string_view kCollectionTimeNs = "collection_time_ns";
constexpr std::string_view kBlockingTimeNs = "blocking_time_ns";

}  // namespace stillframe::model::context
