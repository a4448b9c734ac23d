// SPDX-License-Identifier: Apache-2.0
// Who has shown wrong tokens, by address, and how long the answer to the next one waits.
//
// Problem: whoever can connect may guess, as fast as answers come. Rule: the first few are answered
// at once, each further one after twice as long; one is forgotten a minute. A right token never
// waits, whatever comes from its address. At most kMostAddresses are remembered, of IPv6 networks
// of 64 bits; of more the one that was heard of longest ago is forgotten. Surviving risk: who has
// more addresses than that guesses as fast as from a new one each time.
#pragma once

#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>

namespace stillframe::upload {

class WrongTokens {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMostAddresses = 1'024;
  static constexpr std::chrono::seconds kMostDelay{8};

  // One more from there. Returns how long its answer is to wait.
  std::chrono::seconds Count(const sockaddr* address, Clock::time_point now);

 private:
  static constexpr uint32_t kFree = 5;
  static constexpr uint32_t kMost = kFree + 60;  // forgotten within an hour or so

  struct Seen {
    uint32_t count = 0;
    Clock::time_point last;
  };
  using Network = std::array<uint8_t, 8>;

  static Network NetworkOf(const sockaddr* address);
  void MakeRoom();

  std::map<Network, Seen> addresses_;
};

}  // namespace stillframe::upload
