// SPDX-License-Identifier: Apache-2.0
// The socket of a watcher, with real peers.
#include "src/live/live_socket.h"

#include <gtest/gtest.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <string>

namespace stillframe::live {
namespace {

class LiveSocketTest : public testing::Test {
 protected:
  // A pid of nobody's, so that tests may run beside each other.
  void SetUp() override { ASSERT_EQ(socket_.Open(pid_), 0); }

  int Connect() const {
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const std::string name = kSocketPrefix + std::to_string(pid_);
    memcpy(address.sun_path + 1, name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    return connect(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 ? fd : -1;
  }
  static std::string Receive(int fd) {
    char bytes[kMaxPacketBytes + 1];
    const ssize_t size = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    return {bytes, static_cast<size_t>(size < 0 ? 0 : size)};
  }
  static Packet PacketIn(const std::string& bytes) {
    Packet packet;
    memcpy(&packet, bytes.data(), sizeof packet);
    return packet;
  }

  uint32_t pid_ = 100'000'000U + static_cast<uint32_t>(getpid());
  LiveSocket socket_;
};

TEST_F(LiveSocketTest, SendsNothingWithoutAWatcher) {
  EXPECT_FALSE(socket_.Accept());
  socket_.Send({}, {.name = "main"});
  EXPECT_FALSE(socket_.has_watcher());
  EXPECT_EQ(socket_.dropped(), 0U);
}

TEST_F(LiveSocketTest, PacketsArriveWithTheirNames) {
  const int watcher = Connect();
  ASSERT_TRUE(socket_.Accept());
  Packet packet;
  packet.token = 17;
  packet.kind = Kind::kMessage;
  socket_.Send(packet, {"main", std::string(200, 't'), "c", std::string(5'000, 's')});
  const std::string bytes = Receive(watcher);
  ASSERT_EQ(bytes.size(), sizeof(Packet) + 4 + kMaxNameBytes + 1 + kMaxStackBytes);
  EXPECT_EQ(PacketIn(bytes).stack_bytes, kMaxStackBytes);
  EXPECT_EQ(PacketIn(bytes).magic, kMagic);
  EXPECT_EQ(PacketIn(bytes).token, 17U);
  EXPECT_EQ(bytes.substr(sizeof(Packet), 4), "main");
  EXPECT_EQ(bytes.substr(sizeof(Packet) + 4 + kMaxNameBytes, 3), "css");
  close(watcher);
}

TEST_F(LiveSocketTest, CountsPacketsThatAFullSocketDrops) {
  const int watcher = Connect();
  ASSERT_TRUE(socket_.Accept());
  while (socket_.dropped() < 10) socket_.Send({}, {.name = "main"});
  EXPECT_TRUE(socket_.has_watcher());
  while (!Receive(watcher).empty()) {
  }
  socket_.Send({}, {.name = "main"});
  EXPECT_EQ(PacketIn(Receive(watcher)).dropped, 10U);
  close(watcher);
}

TEST_F(LiveSocketTest, RefusesASecondWatcher) {
  const int first = Connect();
  ASSERT_TRUE(socket_.Accept());
  const int second = Connect();
  EXPECT_FALSE(socket_.Accept());
  char byte = 0;
  EXPECT_EQ(recv(second, &byte, 1, 0), 0) << "it finds the connection closed";
  // It leaves something unread, and nothing is sent since.
  socket_.Send({}, {.name = "main"});
  close(first);
  const int third = Connect();
  EXPECT_TRUE(socket_.Accept());
  socket_.Send({}, {.name = "main"});
  EXPECT_EQ(PacketIn(Receive(third)).magic, kMagic);
  close(second);
  close(third);
}

TEST_F(LiveSocketTest, NobodyConnectsToAClosedSocket) {
  socket_.Close();
  EXPECT_EQ(socket_.listener(), -1);
  EXPECT_FALSE(socket_.Accept());
  EXPECT_EQ(Connect(), -1);
}

TEST_F(LiveSocketTest, OpenFailsWhenTheNameIsTaken) {
  LiveSocket other;
  EXPECT_EQ(other.Open(pid_), EADDRINUSE);
  EXPECT_EQ(other.listener(), -1);
}

}  // namespace
}  // namespace stillframe::live
