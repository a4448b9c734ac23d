// SPDX-License-Identifier: Apache-2.0
// Descriptors that other code closes and reuses.
#include "src/os/own_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace stillframe::os {
namespace {

int OpenFile() { return open("/proc/self/stat", O_RDONLY | O_CLOEXEC); }

// Closes `fd` and puts `other` in its place.
void TakeNumber(int other, int fd) {
  ASSERT_EQ(dup2(other, fd), fd);
  close(other);
}

TEST(OwnDescriptor, KnowsItsOwn) {
  OwnDescriptor file;
  EXPECT_FALSE(file.is_open());
  EXPECT_FALSE(file.IsOurs());
  EXPECT_FALSE(file.Take(-1));
  ASSERT_TRUE(file.Take(OpenFile()));
  EXPECT_TRUE(file.IsOurs());
  const int fd = file.fd();
  EXPECT_TRUE(file.Close());
  EXPECT_EQ(fcntl(fd, F_GETFD), -1) << "it is closed";
  EXPECT_FALSE(file.is_open());
}

TEST(OwnDescriptor, NoticesThatItIsClosedOrTaken) {
  for (const int kind : {0, 1, 2, 3}) {
    OwnDescriptor file;
    ASSERT_TRUE(file.Take(kind == 3 ? inotify_init1(IN_CLOEXEC) : OpenFile()));
    const int fd = file.fd();
    int ends[2];
    if (kind == 0) {
      close(fd);
    } else if (kind == 1 || kind == 3) {
      ASSERT_EQ(pipe(ends), 0);
      TakeNumber(ends[0], fd);
      close(ends[1]);
    } else {
      ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
      TakeNumber(ends[0], fd);
      close(ends[1]);
    }
    EXPECT_FALSE(file.IsOurs()) << kind;
    file.Close();
    EXPECT_EQ(fcntl(fd, F_GETFD) >= 0, kind != 0) << "another's is not closed: " << kind;
    if (kind != 0) close(fd);
  }
}

TEST(SignalOnInput, IsRefusedToAThreadThatItWouldKill) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGSTKFLT);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  OwnDescriptor file;
  ASSERT_TRUE(file.Take(OpenFile()));
  EXPECT_NE(file.SignalOnInput(SIGSTKFLT), 0);
  EXPECT_EQ(fcntl(file.fd(), F_GETFL) & O_ASYNC, 0);
  EXPECT_TRUE(file.IsOurs());
}

// They share one inode.
TEST(OwnDescriptor, IsToldFromOthersWithoutAFileByItsSignal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGSTKFLT);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  for (const int other :
       {eventfd(1, EFD_CLOEXEC), epoll_create1(EPOLL_CLOEXEC),
        timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), inotify_init1(IN_CLOEXEC)}) {
    OwnDescriptor watch;
    ASSERT_TRUE(watch.Take(inotify_init1(IN_CLOEXEC)));
    ASSERT_EQ(watch.SignalOnInput(SIGSTKFLT), 0);
    ASSERT_TRUE(watch.IsOurs());
    const int fd = watch.fd();
    TakeNumber(other, fd);
    EXPECT_FALSE(watch.IsOurs());
    watch.Close();
    EXPECT_GE(fcntl(fd, F_GETFD), 0) << "another's is not closed";
    close(fd);
  }
}

}  // namespace
}  // namespace stillframe::os
