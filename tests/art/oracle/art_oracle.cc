#include "tests/art/oracle/art_oracle.h"

#include <cstring>

#include "tests/art/oracle/art_declarations.h"

namespace testbed {
namespace {

// ART 11.0.0_r48, 64 bit.
constexpr size_t kVmRuntime = 8;           // runtime/jni/java_vm_ext.h: {functions, runtime_}
constexpr size_t kEnvThread = 8;           // runtime/jni/jni_env_ext.h: {functions, self_}
constexpr size_t kThreadListBeforeVm = 5;  // runtime/runtime.h: thread_list_ ... java_vm_, in words
constexpr size_t kRuntimeWords = 1024;     // more than Runtime has before java_vm_
constexpr size_t kThreadId =
    12;  // runtime/thread.h, tls32_: state, 2 suspend counts, thin_lock_thread_id
constexpr size_t kMethodDexIndex = 12;  // runtime/art_method.h
constexpr uint32_t kRuntimeMethodIndex =
    UINT32_MAX;  // libdexfile/dex/dex_file_types.h, kDexNoIndex

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
    if (method != nullptr && Load<uint32_t>(method, kMethodDexIndex) != kRuntimeMethodIndex) {
      frames_->push_back({reinterpret_cast<uint64_t>(method), GetDexPc(false)});
    }
    return true;
  }

 private:
  std::vector<OracleFrame>* frames_;
};

}  // namespace

bool ArtOracle::Open(JavaVM* vm) {
  const void* runtime = Load<const void*>(vm, kVmRuntime);
  for (size_t word = kThreadListBeforeVm; word < kRuntimeWords; ++word) {
    if (Load<const void*>(runtime, word * sizeof(void*)) == vm) {
      thread_list_ = Load<void*>(runtime, (word - kThreadListBeforeVm) * sizeof(void*));
      return thread_list_ != nullptr;
    }
  }
  return false;
}

void* ArtOracle::ThreadOf(JNIEnv* env) { return Load<void*>(env, kEnvThread); }

uint32_t ArtOracle::IdOf(const void* thread) { return Load<uint32_t>(thread, kThreadId); }

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
