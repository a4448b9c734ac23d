// SPDX-License-Identifier: Apache-2.0
#include "tests/testbed/native/poller.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace testbed {
namespace {

int RequireDescriptor(int fd, const char* what) {
  if (fd < 0) {
    std::perror(what);
    std::abort();
  }
  return fd;
}

}  // namespace

Poller::Poller()
    : wake_fd_(RequireDescriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd")),
      epoll_fd_(RequireDescriptor(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = wake_fd_;
  RequireDescriptor(epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, wake_fd_, &event), "epoll_ctl");
}

Poller::~Poller() {
  close(epoll_fd_);
  close(wake_fd_);
}

void Poller::PollOnce(int timeout_ms) {
  epoll_event event{};
  polling_.store(true, std::memory_order_relaxed);
  const int ready = epoll_wait(epoll_fd_, &event, 1, timeout_ms);
  polling_.store(false, std::memory_order_relaxed);
  if (ready > 0) ConsumeWakeUps();
}

void Poller::Wake() {
  const std::uint64_t one = 1;
  while (write(wake_fd_, &one, sizeof(one)) < 0 && errno == EINTR) {
  }
}

void Poller::ConsumeWakeUps() {
  std::uint64_t count;
  while (read(wake_fd_, &count, sizeof(count)) < 0 && errno == EINTR) {
  }
}

}  // namespace testbed
