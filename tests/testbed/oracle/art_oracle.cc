// SPDX-License-Identifier: Apache-2.0
#include "tests/testbed/oracle/art_oracle.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "tests/testbed/oracle/art_declarations.h"

namespace testbed {
namespace {

// Differences between releases; equal for 32 and 64 bit.
struct ReleaseLayout {
  int release;
  size_t vm_words;      // runtime/runtime.h: from thread_list_ to java_vm_
  size_t thread_id;     // runtime/thread.h, tls32_: thin_lock_thread_id
  size_t method_index;  // runtime/art_method.h: dex_method_index_
};

constexpr ReleaseLayout kLayouts[] = {
    {10, 4, 12, 12},  // 10.0.0_r36
    {11, 5, 12, 12},  // 11.0.0_r48: jni_id_manager_ is new
    {14, 6, 8, 8},    // 14.0.0_r15: small_lrt_allocator_ is new; debug_suspend_count and
                      // dex_code_item_offset_ are gone
};

// Written by ArtOracle::Open, which comes first.
const ReleaseLayout* layout = nullptr;

// The same in 10, 11 and 14.
constexpr size_t kVmRuntime = sizeof(void*);  // runtime/jni/java_vm_ext.h: {functions, runtime_}
constexpr size_t kEnvThread = sizeof(void*);  // runtime/jni/jni_env_ext.h: {functions, self_}
constexpr size_t kRuntimeWords = 1024;        // more than Runtime has before java_vm_
constexpr uint32_t kRuntimeMethodIndex =
    UINT32_MAX;  // libdexfile/dex/dex_file_types.h, kDexNoIndex

// As art-run says; 0 without art-run.
int ReleaseOf(JavaVM* vm) {
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) return 0;
  jclass system = env->FindClass("java/lang/System");
  jmethodID get =
      env->GetStaticMethodID(system, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;");
  auto release = static_cast<jstring>(
      env->CallStaticObjectMethod(system, get, env->NewStringUTF("testbed.art.release")));
  if (release == nullptr) return 0;
  const char* text = env->GetStringUTFChars(release, nullptr);
  const int number = std::atoi(text);
  env->ReleaseStringUTFChars(release, text);
  return number;
}

template <typename Value>
Value Load(const void* base, size_t offset) {
  Value value;
  memcpy(&value, static_cast<const unsigned char*>(base) + offset, sizeof value);
  return value;
}

class Collector : public art::StackVisitor {
 public:
  Collector(art::Thread* thread, std::vector<OracleFrame>* frames)
      : StackVisitor(thread, nullptr, StackWalkKind::kIncludeInlinedFrames, false),
        frames_(frames) {}

  bool VisitFrame() override {
    art::ArtMethod* method = GetMethod();
    if (method != nullptr && Load<uint32_t>(method, layout->method_index) != kRuntimeMethodIndex) {
      // By uintptr_t: the direct way to a wider type extends the sign.
      frames_->push_back({reinterpret_cast<uintptr_t>(method), GetDexPc(false)});
    }
    return true;
  }

 private:
  std::vector<OracleFrame>* frames_;
};

}  // namespace

bool ArtOracle::Open(JavaVM* vm) {
  const int release = ReleaseOf(vm);
  layout = std::find_if(std::begin(kLayouts), std::end(kLayouts),
                        [&](const ReleaseLayout& row) { return row.release == release; });
  if (layout == std::end(kLayouts)) return false;
  const void* runtime = Load<const void*>(vm, kVmRuntime);
  for (size_t word = layout->vm_words; word < kRuntimeWords; ++word) {
    if (Load<const void*>(runtime, word * sizeof(void*)) == vm) {
      thread_list_ = Load<void*>(runtime, (word - layout->vm_words) * sizeof(void*));
      return thread_list_ != nullptr;
    }
  }
  return false;
}

void* ArtOracle::ThreadOf(JNIEnv* env) { return Load<void*>(env, kEnvThread); }

uint32_t ArtOracle::IdOf(const void* thread) { return Load<uint32_t>(thread, layout->thread_id); }

std::vector<OracleFrame> ArtOracle::WalkByStackVisitor(void* thread) {
  std::vector<OracleFrame> frames;
  frames.reserve(64);
  Collector collector(static_cast<art::Thread*>(thread), &frames);
  collector.WalkStack<art::StackVisitor::CountTransitions::kNo>(false);
  return frames;
}

void* ArtOracle::SuspendById(uint32_t id) const {
  bool timed_out = false;
  return static_cast<art::ThreadList*>(thread_list_)
      ->SuspendThreadByThreadId(id, art::SuspendReason::kInternal, &timed_out);
}

void ArtOracle::Resume(void* thread) const {
  static_cast<art::ThreadList*>(thread_list_)
      ->Resume(static_cast<art::Thread*>(thread), art::SuspendReason::kInternal);
}

std::string ArtOracle::PrettyMethod(uint64_t method) {
  return art::ArtMethod::PrettyMethod(reinterpret_cast<art::ArtMethod*>(method), true);
}

}  // namespace testbed
