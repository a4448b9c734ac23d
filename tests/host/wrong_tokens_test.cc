// SPDX-License-Identifier: Apache-2.0
// Guesses by address: how long each waits, what is forgotten, and how much is remembered.
#include "tools/stillframe/upload/wrong_tokens.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>
#include <vector>

namespace stillframe::host_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using upload::WrongTokens;

class WrongTokensTest : public testing::Test {
 protected:
  int64_t Count(const std::string& address) {
    sockaddr_in four = {};
    sockaddr_in6 six = {};
    four.sin_family = AF_INET;
    six.sin6_family = AF_INET6;
    if (inet_pton(AF_INET, address.c_str(), &four.sin_addr) == 1)
      return tokens_.Count(reinterpret_cast<const sockaddr*>(&four), now_).count();
    EXPECT_EQ(inet_pton(AF_INET6, address.c_str(), &six.sin6_addr), 1);
    return tokens_.Count(reinterpret_cast<const sockaddr*>(&six), now_).count();
  }
  std::vector<int64_t> Counts(const std::string& address, int number) {
    std::vector<int64_t> delays;
    for (int i = 0; i < number; ++i) delays.push_back(Count(address));
    return delays;
  }

  WrongTokens tokens_;
  WrongTokens::Clock::time_point now_{};
};

TEST_F(WrongTokensTest, EachWaitsTwiceAsLongUpToABound) {
  EXPECT_EQ(Counts("10.0.0.1", 11), (std::vector<int64_t>{0, 0, 0, 0, 0, 1, 2, 4, 8, 8, 8}));
  EXPECT_EQ(Count("10.0.0.2"), 0);
}

TEST_F(WrongTokensTest, OneIsForgottenAMinuteAndAllInTheEnd) {
  Counts("10.0.0.1", 6);
  now_ += seconds(59);
  EXPECT_EQ(Count("10.0.0.1"), 2);
  now_ += minutes(3);
  EXPECT_EQ(Count("10.0.0.1"), 0);
  Counts("10.0.0.1", 10'000);
  now_ += minutes(60);
  EXPECT_EQ(Count("10.0.0.1"), 1);
  now_ += minutes(6);
  EXPECT_EQ(Counts("10.0.0.1", 5), (std::vector<int64_t>{0, 0, 0, 0, 0}));
}

TEST_F(WrongTokensTest, AnAddressIsANetworkOfIPv6AndTheSameHoweverItComes) {
  Counts("2001:db8::1", 5);
  EXPECT_EQ(Count("2001:db8::2:ffff"), 1);
  EXPECT_EQ(Count("2001:db8:0:1::1"), 0);
  Counts("::ffff:10.0.0.1", 5);
  EXPECT_EQ(Count("10.0.0.1"), 1);
  EXPECT_EQ(Count("::1"), 0);
}

TEST_F(WrongTokensTest, SoManyAreRememberedAndNoMore) {
  const auto others = [this](size_t number) {
    for (size_t i = 0; i < number; ++i) {
      now_ += std::chrono::milliseconds(1);
      Count("2001:db8:" + std::to_string(i) + "::1");
    }
  };
  Counts("10.0.0.1", 5);
  others(WrongTokens::kMostAddresses - 1);
  EXPECT_EQ(Count("10.0.0.1"), 1);
  others(WrongTokens::kMostAddresses);
  EXPECT_EQ(Count("10.0.0.1"), 0) << "the one that was heard of longest ago";
}

}  // namespace
}  // namespace stillframe::host_test
