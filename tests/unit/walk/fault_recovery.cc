// SPDX-License-Identifier: Apache-2.0
// The code under test reads with guarded loads: every case needs the recovery in place.
#include <gtest/gtest.h>
#include <signal.h>

#include "src/core/guarded_memory.h"

extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "handle_segv=0:handle_sigbus=0"; }

namespace stillframe::walk {
namespace {

class FaultRecovery : public testing::Environment {
 public:
  void SetUp() override {
    ASSERT_EQ(core::InstallFaultRecovery(sigaction), 0);
    ASSERT_TRUE(core::RecoveryWorks());
  }
};

[[maybe_unused]] const auto* const g_environment =
    testing::AddGlobalTestEnvironment(new FaultRecovery);

}  // namespace
}  // namespace stillframe::walk
