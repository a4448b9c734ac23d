// SPDX-License-Identifier: Apache-2.0
// The socket of a watcher, with real peers.
#include "src/collector/live_socket.h"

#include <gtest/gtest.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/counted.h"

namespace stillframe::live {
namespace {

class LiveSocketTest : public testing::Test {
 protected:
  // A pid that is not in use, so that tests can run in parallel.
  void SetUp() override { ASSERT_EQ(socket_.Open(pid_, false), 0); }

  int Connect() const {
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const std::string name = kSocketPrefix + std::to_string(pid_);
    memcpy(address.sun_path + 1, name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    return connect(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 ? fd : -1;
  }
  // The bytes that have arrived, at most `most`.
  static std::string Receive(int fd, size_t most = kMaxPacketBytes) {
    char bytes[kMaxPacketBytes];
    const ssize_t size = recv(fd, bytes, std::min(most, sizeof bytes), MSG_DONTWAIT);
    return {bytes, static_cast<size_t>(size < 0 ? 0 : size)};
  }
  static std::string ReceiveAll(int fd) {
    std::string bytes;
    for (std::string part = Receive(fd); !part.empty(); part = Receive(fd)) bytes += part;
    return bytes;
  }
  // The packets of a stream, which must hold nothing else; an empty one at its end if it breaks
  // off.
  static std::vector<Packet> PacketsIn(std::string_view bytes) {
    std::vector<Packet> packets;
    while (!bytes.empty()) {
      packets.push_back(bytes.size() < sizeof(Packet) ? Packet{.magic = 0} : PacketIn(bytes));
      const Packet& packet = packets.back();
      const size_t size = sizeof packet + packet.stack_bytes + packet.name_bytes[0] +
                          packet.name_bytes[1] + packet.name_bytes[2];
      EXPECT_EQ(packet.magic, kMagic);
      if (packet.magic != kMagic || size > bytes.size()) return packets;
      bytes.remove_prefix(size);
    }
    return packets;
  }
  static Packet PacketIn(std::string_view bytes) {
    Packet packet;
    memcpy(&packet, bytes.data(), sizeof packet);
    return packet;
  }

  uint32_t pid_ = 100'000'000U + static_cast<uint32_t>(getpid());
  Counted counted_;
  LiveSocket socket_;
};

TEST_F(LiveSocketTest, SendsNothingWithoutAWatcher) {
  EXPECT_FALSE(socket_.Accept());
  socket_.Send({}, {.name = "main"});
  EXPECT_FALSE(socket_.has_watcher());
  EXPECT_EQ(counted_.Of(Counter::kLiveDropped), 0U);
}

TEST_F(LiveSocketTest, PacketsArriveWithTheirNames) {
  const int watcher = Connect();
  ASSERT_TRUE(socket_.Accept());
  Packet packet;
  packet.token = Token{17};
  packet.kind = Kind::kMessage;
  socket_.Send(packet, {"main", std::string(200, 't'), "c", std::string(5'000, 's')});
  const std::string bytes = Receive(watcher);
  ASSERT_EQ(bytes.size(), sizeof(Packet) + 4 + kMaxNameBytes + 1 + kMaxStackBytes);
  EXPECT_EQ(PacketIn(bytes).stack_bytes, kMaxStackBytes);
  EXPECT_EQ(PacketIn(bytes).magic, kMagic);
  EXPECT_EQ(PacketIn(bytes).token, Token{17});
  EXPECT_EQ(bytes.substr(sizeof(Packet), 4), "main");
  EXPECT_EQ(bytes.substr(sizeof(Packet) + 4 + kMaxNameBytes, 3), "css");
  close(watcher);
}

TEST_F(LiveSocketTest, CountsPacketsThatAFullSocketDrops) {
  const int watcher = Connect();
  ASSERT_TRUE(socket_.Accept());
  while (counted_.Of(Counter::kLiveDropped) < 10) socket_.Send({}, {.name = "main"});
  EXPECT_TRUE(socket_.has_watcher());
  ReceiveAll(watcher);
  socket_.Send({}, {.name = "main"});  // data left of an older one may come before it
  EXPECT_EQ(PacketsIn(ReceiveAll(watcher)).back().dropped, 10U);
  close(watcher);
}

// The kernel takes a packet that is longer than half of its buffer by parts.
TEST_F(LiveSocketTest, AFullStreamKeepsItsPacketsWhole) {
  const int watcher = Connect();
  const int lowest_free = dup(watcher);
  close(lowest_free);
  ASSERT_TRUE(socket_.Accept());
  const int least = 1;
  ASSERT_EQ(setsockopt(lowest_free, SOL_SOCKET, SO_SNDBUF, &least, sizeof least), 0);
  const std::string name(kMaxNameBytes, 'n');
  const std::string stack(kMaxStackBytes, 's');
  std::string came;
  uint64_t sent = 0;
  // The reader reads slightly less than is sent, in steps that split packets at every place.
  for (size_t step = 1; sent < 3'000; step = step * 7 % 4'001) {
    Packet packet;
    packet.token = Token{++sent};
    packet.kind = Kind::kMessage;
    socket_.Send(packet, {name, name, name, std::string_view(stack).substr(0, sent % 2'000)});
    came += Receive(watcher, step / 3 + 1);
  }
  came += ReceiveAll(watcher);
  Packet last;
  last.token = Token{sent + 1};
  socket_.Send(last, {});
  came += ReceiveAll(watcher);
  const std::vector<Packet> packets = PacketsIn(came);
  EXPECT_GT(counted_.Of(Counter::kLiveDropped), 100U);
  EXPECT_EQ(packets.size() + counted_.Of(Counter::kLiveDropped), sent + 1);
  EXPECT_EQ(packets.back().token, Token{sent + 1});
  EXPECT_EQ(packets.back().dropped, counted_.Of(Counter::kLiveDropped));
  EXPECT_TRUE(std::is_sorted(packets.begin(), packets.end(),
                             [](const Packet& a, const Packet& b) { return a.token < b.token; }));
  close(watcher);
}

TEST_F(LiveSocketTest, RefusesASecondWatcher) {
  const int first = Connect();
  ASSERT_TRUE(socket_.Accept());
  const int second = Connect();
  EXPECT_FALSE(socket_.Accept());
  char byte = 0;
  EXPECT_EQ(recv(second, &byte, 1, 0), 0) << "it finds the connection closed";
  // The watcher leaves data unread, and nothing more is sent.
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
  EXPECT_FALSE(socket_.Accept());
  EXPECT_EQ(Connect(), -1);
}

TEST_F(LiveSocketTest, OpenFailsWhenTheNameIsTaken) {
  LiveSocket other;
  EXPECT_EQ(other.Open(pid_, false), EADDRINUSE);
  EXPECT_FALSE(other.Accept());
}

TEST(LiveUsers, AreTheOwnOneRootAndAdbsShellForADebuggableProcess) {
  constexpr uid_t kApplication = 10'077;
  for (const bool is_debuggable : {false, true}) {
    EXPECT_TRUE(MayWatch(kApplication, kApplication, is_debuggable));
    EXPECT_TRUE(MayWatch(0, kApplication, is_debuggable));
    EXPECT_EQ(MayWatch(kShellUser, kApplication, is_debuggable), is_debuggable);
    EXPECT_FALSE(MayWatch(10'078, kApplication, is_debuggable));
    EXPECT_FALSE(MayWatch(1'000, kApplication, is_debuggable));
  }
}

class LiveUserTest : public LiveSocketTest {
 protected:
  // Whether a child of that user is taken as the watcher.
  bool TakesWatcherOf(uid_t user) {
    int gone[2];
    EXPECT_EQ(pipe(gone), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(gone[1]);
      if (setuid(user) != 0 || Connect() < 0) _exit(1);
      char byte;
      _exit(read(gone[0], &byte, 1) == 0 ? 0 : 1);  // until the parent has looked
    }
    close(gone[0]);
    bool is_taken = false;
    for (int i = 0; i < 200 && !is_taken; ++i) {
      is_taken = socket_.Accept();
      usleep(1'000);
    }
    close(gone[1]);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    return is_taken;
  }
};

TEST_F(LiveUserTest, AreAskedOfTheKernel) {
  if (getuid() != 0) GTEST_SKIP() << "only root can be another user";
  EXPECT_FALSE(TakesWatcherOf(kShellUser));
  socket_.Close();
  ASSERT_EQ(socket_.Open(pid_, true), 0);
  EXPECT_FALSE(TakesWatcherOf(kShellUser + 1));
  EXPECT_TRUE(TakesWatcherOf(kShellUser));
}

}  // namespace
}  // namespace stillframe::live
