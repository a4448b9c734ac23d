// SPDX-License-Identifier: Apache-2.0
#include "src/os/time_text.h"

#include <stdio.h>
#include <time.h>

namespace stillframe::os {

std::string TimeText(uint64_t seconds) {
  const auto time = static_cast<time_t>(seconds);
  tm date = {};
  gmtime_r(&time, &date);
  char text[48];
  snprintf(text, sizeof text, "%04d-%02d-%02d %02d:%02d:%02d UTC", date.tm_year + 1900,
           date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec);
  return text;
}

}  // namespace stillframe::os
