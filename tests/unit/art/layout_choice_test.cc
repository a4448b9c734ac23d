// SPDX-License-Identifier: Apache-2.0
// Messages and cached results when no layout fits: the memory behind this VM and environment is not
// ART's. Tests in real ART check that the right layout is chosen.
#include "src/art/layout_choice.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "src/art/runtime_probe.h"
#include "src/art/self_check_cache.h"
#include "src/walk/layout.h"

namespace stillframe::art {
namespace {

class LayoutChoiceTest : public testing::Test {
 protected:
  LayoutChoiceTest() {
    std::string folder = testing::TempDir() + "layouts-XXXXXX";
    folder_ = mkdtemp(folder.data());
    // The build is found by this function's address.
    vm_functions_.AttachCurrentThread = [](JavaVM*, auto**, void*) -> jint { return JNI_ERR; };
    functions_.PushLocalFrame = [](JNIEnv*, jint) -> jint { return JNI_OK; };
    functions_.PopLocalFrame = [](JNIEnv*, jobject) -> jobject { return nullptr; };
    functions_.FindClass = [](JNIEnv*, const char*) -> jclass { return nullptr; };
    functions_.GetMethodID = [](JNIEnv*, jclass, const char*, const char*) -> jmethodID {
      return nullptr;
    };
    functions_.ExceptionCheck = [](JNIEnv*) -> jboolean { return JNI_FALSE; };
    functions_.ExceptionClear = [](JNIEnv*) {};
  }
  ~LayoutChoiceTest() override { std::filesystem::remove_all(folder_); }

  // As another process would.
  model::Outcome ChooseOnce(const std::string& folder) {
    LayoutChoice choice(&threads_, &waits_);
    choice.Start(Vm(&vm_), folder);
    EXPECT_NE(choice.build_id(), "") << "the linker gave this program none";
    return choice.Choose(AttachedThread(&env_.env), nullptr);
  }
  std::string Kept() const {
    std::ifstream file(folder_ + "/stillframe-verdict");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  ThreadList threads_;
  WaitReader waits_;
  std::string folder_;
  JNINativeInterface_ functions_ = {};
  JNIInvokeInterface_ vm_functions_ = {};
  JavaVM vm_ = {&vm_functions_};
  struct {
    JNIEnv env;
    uintptr_t behind[64];
  } env_ = {{&functions_}, {}};
};

TEST_F(LayoutChoiceTest, WhereNoLayoutFitsEachSaysWhatDidNot) {
  const model::Outcome outcome = ChooseOnce("");
  EXPECT_EQ(outcome.status, model::Status::kUnavailable);
  EXPECT_NE(outcome.why.find("fits no known layout"), std::string::npos) << outcome.why;
  const walk::LayoutTable table = walk::KnownLayouts();
  for (uint32_t i = 0; i < table.count; ++i) {
    const std::string tried = std::string("layout of ART ") + table.rows[i].release +
                              ": no JNIEnv* in the thread structure";
    EXPECT_NE(outcome.why.find(tried), std::string::npos) << tried << " in " << outcome.why;
  }
}

TEST_F(LayoutChoiceTest, WithoutAFolderTheNextProcessTriesAgain) {
  EXPECT_EQ(ChooseOnce("").why, ChooseOnce("").why);
  EXPECT_EQ(Kept(), "");
}

TEST_F(LayoutChoiceTest, ABadResultOfSeveralProcessesIsKeptAndNamesItsFile) {
  const std::string first = ChooseOnce(folder_).why;
  EXPECT_EQ(first.find("earlier process"), std::string::npos) << first;
  for (uint32_t process = 1; process < SelfCheckResult::kEnough; ++process)
    EXPECT_EQ(ChooseOnce(folder_).why, first) << "one process may have been unlucky";
  EXPECT_EQ(ChooseOnce(folder_).why, first + " (found by earlier processes; delete " + folder_ +
                                         "/stillframe-verdict to check again)");
  std::filesystem::remove(folder_ + "/stillframe-verdict");
  EXPECT_EQ(ChooseOnce(folder_).why, first);
}

TEST_F(LayoutChoiceTest, TheLayoutThatFittedBeforeIsTriedFirstAndForgottenWhenItFails) {
  LayoutChoice build(&threads_, &waits_);
  build.Start(Vm(&vm_), "");
  const SelfCheckCache cache(folder_, build.build_id() + " " STILLFRAME_VERSION " " + OwnBuildId() +
                                          " " + std::to_string(sizeof(void*)) + " " +
                                          RuntimeKind(&env_.env, nullptr));
  const walk::LayoutTable table = walk::KnownLayouts();
  ASSERT_GT(table.count, 1U);
  const std::string release = table.rows[table.count - 1].release;
  cache.Store({true, release, 0});
  const std::string why = ChooseOnce(folder_).why;
  const size_t first = why.find("layout of ART ");
  EXPECT_EQ(first, why.find("layout of ART " + release + ":")) << why;
  SelfCheckResult kept;
  ASSERT_TRUE(cache.Load(&kept)) << Kept();
  EXPECT_FALSE(kept.is_good) << Kept();
}

}  // namespace
}  // namespace stillframe::art
