// SPDX-License-Identifier: Apache-2.0
#include "src/context/device_class.h"

#include <sys/resource.h>
#include <unistd.h>

#include <string>

#include "src/os/file_text.h"

namespace stillframe::context {

const char* LevelOf(uint64_t memory_bytes, long cpus) {
  const uint64_t gib = memory_bytes >> 30;
  if (gib >= 4) return "BEST";
  if (gib >= 3) return "HIGH";
  if (gib >= 2) return cpus >= 4 ? "HIGH" : cpus >= 2 ? "MIDDLE" : "LOW";
  if (gib >= 1) return cpus >= 4 ? "MIDDLE" : "LOW";
  return "BAD";
}

DeviceClass ReadDeviceClass() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  const uint64_t bytes = pages > 0 && page_bytes > 0
                             ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes)
                             : 0;
  return {LevelOf(bytes, sysconf(_SC_NPROCESSORS_CONF)), bytes};
}

bool IsInForeground() {
  std::string score;
  constexpr size_t kDigits = 16;
  return os::ReadFileText("/proc/self/oom_score_adj", kDigits, &score) == 0 && score == "0\n";
}

int NiceOfProcess() { return getpriority(PRIO_PROCESS, static_cast<id_t>(getpid())); }

}  // namespace stillframe::context
