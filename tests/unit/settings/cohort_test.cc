// SPDX-License-Identifier: Apache-2.0
// Known answers of the hash and of places; enrolment over a million ids.
#include "src/settings/cohort.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "src/settings/sha256.h"

namespace stillframe::settings {
namespace {

using Digest = std::array<uint32_t, 8>;

Digest HashOf(std::string_view message) {
  Sha256 hash;
  hash.Add(message);
  return hash.Finish();
}

// Answers of FIPS 180-4's examples, and of Python's hashlib.
TEST(Sha256, GivesThePublishedAnswers) {
  EXPECT_EQ(HashOf("abc"), (Digest{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3,
                                   0x96177a9c, 0xb410ff61, 0xf20015ad}));
  EXPECT_EQ(HashOf(""), (Digest{0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924, 0x27ae41e4,
                                0x649b934c, 0xa495991b, 0x7852b855}));
  EXPECT_EQ(HashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            (Digest{0x248d6a61, 0xd20638b8, 0xe5c02693, 0x0c3e6039, 0xa33ce459, 0x64ff2167,
                    0xf6ecedd4, 0x19db06c1}));
  EXPECT_EQ(HashOf(std::string(1'000'000, 'a')),
            (Digest{0xcdc76e5c, 0x9914fb92, 0x81a1c7e2, 0x84d73e67, 0xf1809a48, 0xa497200e,
                    0x046d39cc, 0xc7112cd0}));
}

TEST(Sha256, TakesAMessageInParts) {
  const std::string message(200, 'x');
  for (size_t cut = 0; cut <= message.size(); ++cut) {
    Sha256 hash;
    hash.Add(std::string_view(message).substr(0, cut));
    hash.Add(std::string_view(message).substr(cut));
    ASSERT_EQ(hash.Finish(), HashOf(message)) << cut;
  }
}

// By Python: int.from_bytes(sha256(salt + b"\0" + id).digest()[:8], "big") * 1000000 >> 64. These
// never change: installs would fall out of their experiments.
TEST(Cohort, PlacesStayAsTheyWere) {
  EXPECT_EQ(PlaceOf("", ""), 430'481U);
  EXPECT_EQ(PlaceOf("install-1", "janks"), 780'427U);
  EXPECT_EQ(PlaceOf("install-1", "startup"), 206'664U);
  EXPECT_EQ(PlaceOf("c0ffee00-1234-5678-9abc-def012345678", "janks-2026"), 839'181U);
  EXPECT_EQ(PlaceOf(std::string(200, 'x'), "long"), 945'029U);
}

TEST(Cohort, SaltAndIdDoNotRunTogether) { EXPECT_NE(PlaceOf("bc", "a"), PlaceOf("c", "ab")); }

TEST(Cohort, PercentagesBecomePlaces) {
  EXPECT_EQ(PlacesOf(0), 0U);
  EXPECT_EQ(PlacesOf(0.1), 1'000U);
  EXPECT_EQ(PlacesOf(0.0001), 1U);
  EXPECT_EQ(PlacesOf(29), 290'000U);
  EXPECT_EQ(PlacesOf(100), kPlaces);
  for (const double wrong : {-0.1, 100.1, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()})
    EXPECT_GT(PlacesOf(wrong), kPlaces) << wrong;
}

class MillionIds : public testing::Test {
 protected:
#ifdef __SANITIZE_ADDRESS__  // which hashes twenty times slower, and does not look at how ids are
                             // spread
  static constexpr uint32_t kIds = 50'000;
#else
  static constexpr uint32_t kIds = 1'000'000;
#endif
  static constexpr size_t kBins = 1'000;

  static std::vector<uint32_t> Places(std::string_view prefix, std::string_view salt) {
    std::vector<uint32_t> places(kIds);
    for (uint32_t i = 0; i < kIds; ++i)
      places[i] = PlaceOf(std::string(prefix) + std::to_string(i), salt);
    return places;
  }

  static double ChiSquared(const std::vector<uint32_t>& counts) {
    const double expected = double{kIds} / static_cast<double>(counts.size());
    double sum = 0;
    for (const uint32_t count : counts) sum += (count - expected) * (count - expected) / expected;
    return sum;
  }

  // The chi-squared bound for 999 degrees of freedom; a fair hash exceeds it once in a million
  // cases.
  static constexpr double kMostChiSquared = 1'226;
};

TEST_F(MillionIds, AreSpreadEvenly) {
  for (const char* prefix : {"install-", "9f1b2c3d-0000-4000-8000-00000", ""}) {
    std::vector<uint32_t> counts(kBins);
    for (const uint32_t place : Places(prefix, "janks")) {
      ASSERT_LT(place, kPlaces);
      ++counts[place / (kPlaces / kBins)];
    }
    EXPECT_LT(ChiSquared(counts), kMostChiSquared) << prefix;
  }
}

TEST_F(MillionIds, ExperimentsHaveNothingToDoWithEachOther) {
  const std::vector<uint32_t> one = Places("install-", "experiment-1");
  const std::vector<uint32_t> other = Places("install-", "experiment-2");
  // Each of 10 x 100 combinations of places should be met equally often.
  std::vector<uint32_t> counts(kBins);
  double product = 0;
  const double middle = kPlaces / 2.0;
  for (uint32_t i = 0; i < kIds; ++i) {
    ++counts[one[i] / (kPlaces / 10) * 100 + other[i] / (kPlaces / 100)];
    product += (one[i] - middle) * (other[i] - middle);
  }
  EXPECT_LT(ChiSquared(counts), kMostChiSquared);
  const double variance = double{kPlaces} * kPlaces / 12;
  EXPECT_LT(std::abs(product / kIds / variance), 5 / std::sqrt(kIds));  // five standard deviations
}

// An unfair hash must fail: this tests the measure itself.
TEST_F(MillionIds, AWeakHashWouldBeFound) {
  std::vector<uint32_t> counts(kBins);
  for (uint32_t i = 0; i < kIds; ++i) ++counts[i * 31 % 900];
  EXPECT_GT(ChiSquared(counts), kMostChiSquared);
}

TEST_F(MillionIds, WhoIsInStaysInWhileThePercentageGrows) {
  const std::vector<uint32_t> places = Places("install-", "janks");
  std::vector<bool> was_in(kIds, false);
  for (const double percent : {0.0, 0.1, 1.0, 5.0, 29.0, 50.0, 100.0}) {
    uint32_t in = 0;
    for (uint32_t i = 0; i < kIds; ++i) {
      const bool is_in = places[i] < PlacesOf(percent);
      ASSERT_TRUE(is_in || !was_in[i]) << i << " at " << percent;
      was_in[i] = is_in;
      in += is_in ? 1 : 0;
    }
    const double share = percent / 100;
    // Five standard deviations of so many coins.
    EXPECT_NEAR(in, share * kIds, 5 * std::sqrt(share * (1 - share) * kIds)) << percent;
  }
}

// By the default salt of the control group.
TEST_F(MillionIds, TheControlGroupIsAShareOfEachExperimentWhateverItsSalt) {
  uint32_t enrolled = 0;
  uint32_t controls = 0;
  uint32_t of_all = 0;
  for (uint32_t i = 0; i < kIds; ++i) {
    const std::string id = "install-" + std::to_string(i);
    const bool is_control = IsControl(id, "control", 20);
    ASSERT_TRUE(!is_control || IsControl(id, "control", 21)) << "who is in stays in";
    const bool is_in = PlaceOf(id, "janks") < PlacesOf(10);
    enrolled += is_in ? 1 : 0;
    controls += is_in && is_control ? 1 : 0;
    of_all += is_control ? 1 : 0;
  }
  // Five standard deviations of so many coins.
  EXPECT_NEAR(controls, 0.2 * enrolled, 5 * std::sqrt(0.16 * enrolled));
  EXPECT_NEAR(of_all, 0.2 * kIds, 5 * std::sqrt(0.16 * kIds));
}

TEST(ControlGroup, WithoutAnIdOnlyWhereAllAreInIt) {
  EXPECT_FALSE(IsControl("", "control", 0));
  EXPECT_FALSE(IsControl("", "control", 99));
  EXPECT_TRUE(IsControl("", "control", 100));
  EXPECT_FALSE(IsControl("install-1", "control", 0));
  // By the place that Python gives install-1 under this salt.
  EXPECT_FALSE(IsControl("install-1", "startup", 20));
  EXPECT_TRUE(IsControl("install-1", "startup", 21));
}

}  // namespace
}  // namespace stillframe::settings
