// SPDX-License-Identifier: Apache-2.0
// Any bytes as the day's usage line: the record is for today, and is read again as written.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "src/jank/day_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using stillframe::jank::Day;
  using stillframe::jank::DayFile;
  constexpr int64_t kToday = 20'000;
  static const std::string folder = [] {
    char name[] = "/tmp/day-file-XXXXXX";
    return std::string(mkdtemp(name));
  }();
  const std::string path = folder + "/stillframe-jank.day";
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  chmod(path.c_str(), 0600);
  DayFile file;
  if (file.Open(folder) != DayFile::Opened::kOurs) abort();
  Day day;
  if (!file.Read(kToday, &day)) return 0;
  if (day.day != kToday || !file.Write(day)) abort();
  Day again;
  if (!file.Read(kToday, &again) || again.day != day.day || again.writes != day.writes ||
      again.bytes != day.bytes || again.cpu_ms != day.cpu_ms)
    abort();
  return 0;
}
