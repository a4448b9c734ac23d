// SPDX-License-Identifier: Apache-2.0
// Texts of /proc/self/task/TID/syscall, and a thread that really waits.
#include "src/native/kernel_call.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include "src/os/proc.h"

namespace stillframe::native {
namespace {

TEST(KernelCallTest, ACallHasItsNameAndItsDescriptor) {
  const std::string arguments = " 0x2a 0x7ffe1000 0x80 0x0 0x0 0x0 0x7ffe0000 0x7f00\n";
  const KernelCall read = ParseKernelCall(std::to_string(SYS_read) + arguments);
  EXPECT_EQ(read.name, "read");
  EXPECT_EQ(read.descriptor, 42);
  const KernelCall futex = ParseKernelCall(std::to_string(SYS_futex) + arguments);
  EXPECT_EQ(futex.name, "futex");
  EXPECT_EQ(futex.descriptor, -1);
  EXPECT_EQ(ParseKernelCall("9999" + arguments).name, "system call 9999");
  EXPECT_EQ(ParseKernelCall("-1 0x7ffe0000 0x7f00\n").name, "page fault");
}

TEST(KernelCallTest, APageFaultHasItsPlace) {
  const KernelCall fault = ParseKernelCall("-1 0x7ffe0010 0x7f00ab\n");
  EXPECT_EQ(fault.sp, 0x7ffe0010U);
  EXPECT_EQ(fault.pc, 0x7f00abU);
  for (const char* text :
       {"", "running\n", "-1 ", "-1 0x7ffe0010\n", "0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8\n"})
    EXPECT_EQ(ParseKernelCall(text).pc, 0U) << text;
}

TEST(KernelCallTest, WhatIsNoCallHasNoName) {
  for (const char* text : {"", "running\n", "0", "x 1 2", "- 1"})
    EXPECT_EQ(ParseKernelCall(text).name, "") << text;
  EXPECT_EQ(ParseKernelCall(std::to_string(SYS_read) + " \n").descriptor, -1);
}

TEST(KernelCallTest, FilesAreToldByKindAndNotByName) {
  const std::pair<const char*, const char*> cases[] = {{"/data/data/app/secret.db", "file"},
                                                       {"/dev/binder", "/dev/binder"},
                                                       {"socket:[4711]", "socket"},
                                                       {"pipe:[12]", "pipe"},
                                                       {"anon_inode:[eventpoll]", "eventpoll"},
                                                       {"anon_inode:sync_file", "sync_file"},
                                                       {"/memfd:secret (deleted)", "memory file"},
                                                       {"/dmabuf:", "file"},
                                                       {"", ""},
                                                       {"net:[4026531840]", ""}};
  for (const auto& [link, kind] : cases) EXPECT_EQ(FileKind(link), kind) << link;
}

TEST(KernelCallTest, ASocketsPeerIsNamed) {
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(server, 1), 0);
  socklen_t bytes = sizeof address;
  ASSERT_EQ(getsockname(server, reinterpret_cast<sockaddr*>(&address), &bytes), 0);
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(PeerOf(client), "");
  ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(PeerOf(client), "127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
  close(client);
  close(server);
  EXPECT_EQ(PeerOf(client), "");
}

TEST(KernelCallTest, AUnixSocketsPeerIsNamedByItsPath) {
  for (const bool is_abstract : {false, true}) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const std::string name = "/tmp/kernel_call_test_" + std::to_string(getpid());
    memcpy(address.sun_path + is_abstract, name.data(), name.size());
    const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() +
                                              (is_abstract ? 1 : 0));
    const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(bind(server, reinterpret_cast<sockaddr*>(&address), bytes), 0);
    ASSERT_EQ(listen(server, 1), 0);
    ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), bytes), 0);
    EXPECT_EQ(PeerOf(client), (is_abstract ? "@" : "") + name);
    close(client);
    close(server);
    unlink(name.c_str());
  }
}

TEST(KernelCallTest, AThreadThatReadsFromAPipeSaysSo) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::atomic<int32_t> tid{0};
  std::thread reader([&] {
    tid = static_cast<int32_t>(syscall(SYS_gettid));
    char byte = 0;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
  });
  while (tid == 0 || os::SchedulerState(tid) != 'S') std::this_thread::yield();
  EXPECT_EQ(ReadKernelCall(tid), "read pipe");
  EXPECT_EQ(write(ends[1], "x", 1), 1);
  reader.join();
  EXPECT_EQ(ReadKernelCall(0x7ffffff0), "");
}

}  // namespace
}  // namespace stillframe::native
