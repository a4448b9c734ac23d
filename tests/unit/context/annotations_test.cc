// SPDX-License-Identifier: Apache-2.0
// Annotations by the application: bounded, replaced, removed.
#include "src/context/annotations.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace stillframe::context {
namespace {

TEST(Annotations, ALaterValueReplacesAnEarlierOne) {
  AnnotationStore store;
  EXPECT_TRUE(store.Set("battery", "40 %", 1));
  EXPECT_TRUE(store.Set("network", "wifi", 2));
  EXPECT_TRUE(store.Set("battery", "39 %", 3));
  model::Annotations read = store.Read();
  ASSERT_EQ(read.entries.size(), 2U);
  EXPECT_EQ(read.entries[0].name, "network");
  EXPECT_EQ(read.entries[1].value, "39 %");
  EXPECT_EQ(read.entries[1].set_ns, 3U);
  EXPECT_TRUE(store.Set("battery", nullptr, 4));
  EXPECT_EQ(store.Read().entries.size(), 1U);
  EXPECT_FALSE(store.Set("", "x", 5));
  EXPECT_FALSE(store.Set(nullptr, "x", 5));
}

TEST(Annotations, AreBoundedInNumberAndLength) {
  AnnotationStore store;
  for (int i = 0; i < 100; ++i) store.Set(("name " + std::to_string(i)).c_str(), "v", 1);
  const model::Annotations read = store.Read();
  ASSERT_EQ(read.entries.size(), AnnotationStore::kMaxEntries);
  EXPECT_EQ(read.entries.back().name, "name 99");
  // 3 bytes a character: 256 is not a multiple of it.
  std::string umbrellas;
  for (int i = 0; i < 200; ++i) umbrellas += "\xE2\x98\x82";
  store.Set("long", umbrellas.c_str(), 1);
  EXPECT_EQ(store.Read().entries.back().value.size(), 255U);
}

TEST(Annotations, ASceneKeepsItsStartUntilItChanges) {
  AnnotationStore store;
  store.SetScene("Cart", 10);
  store.SetScene("Cart", 20);
  EXPECT_EQ(store.Read().scene, "Cart");
  EXPECT_EQ(store.Read().scene_since_ns, 10U);
  store.SetScene(nullptr, 30);
  EXPECT_EQ(store.Read().scene, "");
}

TEST(Annotations, AreSetAndReadBySeveralThreadsAtOnce) {
  AnnotationStore store;
  std::thread other([&store] {
    for (int i = 0; i < 2'000; ++i) store.Set("a", i % 3 == 0 ? nullptr : "1", 1);
  });
  for (int i = 0; i < 2'000; ++i) {
    store.SetScene(i % 2 == 0 ? "x" : "y", 1);
    EXPECT_LE(store.Read().entries.size(), 1U);
  }
  other.join();
}

}  // namespace
}  // namespace stillframe::context
