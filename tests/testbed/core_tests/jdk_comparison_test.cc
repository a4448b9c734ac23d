// SPDX-License-Identifier: Apache-2.0
// The same Java programs on the JDK and on each ART over our core library must print the same.
#include <gtest/gtest.h>

#include "beds.h"
#include "program.h"

namespace stillframe::testbed {
namespace {

class JdkComparison : public testing::TestWithParam<const char*> {};

TEST_P(JdkComparison, PrintsTheSame) {
  const std::string main_class = std::string("core_tests.") + GetParam();
  // The JDK's helpful messages of NullPointerException are younger than Java 8.
  const Finished expected =
      Program({TESTBED_JAVA, "-ea", "-Xmx64m", "-XX:-ShowCodeDetailsInExceptionMessages", "-cp",
               TESTBED_JDK_CLASSES, main_class},
              TESTBED_SCRATCH)
          .Finish();
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  for (const Bed& bed : kBeds) {
    SCOPED_TRACE(bed.Name());
    const Finished actual = Program({TESTBED_ART_RUN, "--art", bed.release, "--interpreter",
                                     bed.interpreter, "-cp", TESTBED_CORE_TESTS_JAR, main_class},
                                    TESTBED_SCRATCH)
                                .Finish();
    EXPECT_EQ(actual.exit_code, 0) << actual.err;
    EXPECT_EQ(actual.out, expected.out);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, JdkComparison,
                         testing::Values("Containers", "Failures", "Threads", "Library"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace stillframe::testbed
