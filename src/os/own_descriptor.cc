// SPDX-License-Identifier: Apache-2.0
// fstat, and the kernel's notification of input (fcntl(2), F_SETSIG).
#include "src/os/own_descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stillframe::os {

bool OwnDescriptor::Take(int fd) {
  // The descriptor may have been closed already, and `fd` may have its number.
  if (fd != fd_) Close();
  fd_ = -1;
  struct stat facts = {};
  if (fd < 0 || fstat(fd, &facts) != 0) return false;
  fd_ = fd;
  device_ = facts.st_dev;
  inode_ = facts.st_ino;
  type_ = facts.st_mode & S_IFMT;
  signal_ = 0;
  return true;
}

bool OwnDescriptor::IsOurs() const {
  struct stat now = {};
  return fd_ >= 0 && fstat(fd_, &now) == 0 && now.st_dev == device_ && now.st_ino == inode_ &&
         (now.st_mode & S_IFMT) == type_ && (signal_ == 0 || fcntl(fd_, F_GETSIG) == signal_);
}

bool OwnDescriptor::Close() {
  const bool is_closed = !IsOurs() || close(fd_) == 0 || errno == EINTR;
  fd_ = -1;
  return is_closed;
}

int OwnDescriptor::SignalOnInput(int signal) {
  sigset_t mask;
  if (const int error = pthread_sigmask(SIG_SETMASK, nullptr, &mask)) return error;
  if (sigismember(&mask, signal) != 1) return EPERM;
  const f_owner_ex owner = {F_OWNER_TID, gettid()};
  const int flags = fcntl(fd_, F_GETFL);
  if (flags < 0 || fcntl(fd_, F_SETOWN_EX, &owner) != 0 || fcntl(fd_, F_SETSIG, signal) != 0 ||
      fcntl(fd_, F_SETFL, flags | O_ASYNC) != 0)
    return errno;
  signal_ = signal;
  return 0;
}

}  // namespace stillframe::os
