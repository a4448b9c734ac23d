// SPDX-License-Identifier: Apache-2.0
#include "src/os/spare_descriptor.h"

#include <errno.h>
#include <fcntl.h>

#include "src/os/own_descriptor.h"

namespace stillframe::os {
namespace {

bool g_is_given_up = false;

OwnDescriptor* Spare() {
  static auto* spare = new OwnDescriptor;
  return spare;
}

}  // namespace

void KeepSpareDescriptor() {
  g_is_given_up = !Spare()->IsOurs() && !Spare()->Take(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

int OpenWithSpare(const char* path, int flags, mode_t mode) {
  const int fd = open(path, flags, mode);
  if (fd >= 0 || (errno != EMFILE && errno != ENFILE) || !Spare()->is_open()) return fd;
  Spare()->Close();
  g_is_given_up = true;
  return open(path, flags, mode);
}

void TakeBackSpareDescriptor() {
  if (g_is_given_up) KeepSpareDescriptor();
}

}  // namespace stillframe::os
