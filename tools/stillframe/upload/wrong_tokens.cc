// SPDX-License-Identifier: Apache-2.0
// A count for each network.
#include "tools/stillframe/upload/wrong_tokens.h"

#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace stillframe::upload {

// IPv4 addresses, however they come, are 0::/64's, which nobody has.
WrongTokens::Network WrongTokens::NetworkOf(const sockaddr* address) {
  Network network = {};
  constexpr size_t kBytesOfFour = 4;
  if (address->sa_family == AF_INET) {
    sockaddr_in four;
    std::memcpy(&four, address, sizeof four);
    std::memcpy(network.data() + kBytesOfFour, &four.sin_addr, kBytesOfFour);
  } else if (address->sa_family == AF_INET6) {
    sockaddr_in6 six;
    std::memcpy(&six, address, sizeof six);
    const uint8_t* bytes = six.sin6_addr.s6_addr;
    if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr))
      std::memcpy(network.data() + kBytesOfFour, bytes + 12, kBytesOfFour);
    else
      std::memcpy(network.data(), bytes, network.size());
  }
  return network;
}

void WrongTokens::MakeRoom() {
  if (addresses_.size() < kMostAddresses) return;
  addresses_.erase(
      std::min_element(addresses_.begin(), addresses_.end(),
                       [](const auto& a, const auto& b) { return a.second.last < b.second.last; }));
}

std::chrono::seconds WrongTokens::Count(const sockaddr* address, Clock::time_point now) {
  const Network network = NetworkOf(address);
  auto found = addresses_.find(network);
  if (found == addresses_.end()) {
    MakeRoom();
    found = addresses_.try_emplace(network, Seen{0, now}).first;
  }
  Seen& seen = found->second;
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(now - seen.last).count();
  seen.count -= static_cast<uint32_t>(std::min<int64_t>(seen.count, std::max<int64_t>(minutes, 0)));
  seen.count = std::min(seen.count + 1, kMost);
  seen.last = now;
  if (seen.count <= kFree) return std::chrono::seconds(0);
  const uint32_t doublings = std::min(seen.count - kFree - 1, 3U);
  return std::min(kMostDelay, std::chrono::seconds(1U << doublings));
}

}  // namespace stillframe::upload
