// SPDX-License-Identifier: Apache-2.0
// A page of docs/reference that is generated from a table in the code: written with
// STILLFRAME_UPDATE_GOLDEN=1, otherwise compared.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace stillframe {

inline void ExpectReference(const std::string& name, const std::string& text) {
  const std::string path = STILLFRAME_REFERENCE_FOLDER "/" + name;
  if (getenv("STILLFRAME_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    GTEST_SKIP() << "wrote " << path;
  }
  std::ifstream file(path);
  std::ostringstream current;
  current << file.rdbuf();
  EXPECT_EQ(current.str(), text) << "write it anew: STILLFRAME_UPDATE_GOLDEN=1 build/bin/host_test "
                                    "--gtest_filter='*TheReferenceIsCurrent'";
}

}  // namespace stillframe
