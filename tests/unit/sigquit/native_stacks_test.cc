// SPDX-License-Identifier: Apache-2.0
// One thread is not asked for its native stack, all others are.
#include "src/sigquit/native_stacks.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <vector>

namespace stillframe::sigquit {
namespace {

using Tgkill = int (*)(int process, int thread, int signal);

std::vector<int> g_asked;

int Ask(int process, int thread, int signal) {
  g_asked = {process, thread, signal};
  return 0;
}

TEST(NativeStacks, OneThreadIsNotThereToBeAsked) {
  const auto replaced =
      reinterpret_cast<Tgkill>(UnaskedThread(reinterpret_cast<uintptr_t>(&Ask), 17));
  EXPECT_EQ(replaced(5, 18, 33), 0);
  EXPECT_EQ(g_asked, (std::vector{5, 18, 33}));
  g_asked.clear();
  EXPECT_EQ(replaced(5, 17, 33), -1);
  EXPECT_EQ(errno, ESRCH);
  EXPECT_TRUE(g_asked.empty());
}

}  // namespace
}  // namespace stillframe::sigquit
