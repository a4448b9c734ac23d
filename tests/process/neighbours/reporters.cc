// SPDX-License-Identifier: Apache-2.0
// The signal handling of native crash reporters: signals, mask, flags and stack, and how they
// forward. Each writes one line to descriptor 1 per crash that it sees. Sources:
//
// | name     | source, commit                                                            |
// |----------|---------------------------------------------------------------------------|
// | breakpad | google/breakpad src/client/linux/handler/exception_handler.cc, a58cdbd8   |
// | crashpad | chromium/crashpad util/posix/signals.cc, 032f1aec                         |
// | sentry   | getsentry/sentry-native src/backends/sentry_backend_inproc.c, 0181afdb    |
// | bugsnag  | bugsnag-android .../jni/handlers/signal_handler.c, 0b5f3f04               |
// | xcrash   | iqiyi/xCrash src/native/common/xcc_signal.c, 03e88867                     |
//
// "system" is debuggerd, which is installed before the runtime. Context: natives of
// Reporters.java, a constructor, signal handlers
#include <dlfcn.h>
#include <fcntl.h>
#include <jni.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

constexpr int kMostSignals = 8;

enum class End {
  kDefaultAndSend,   // default action, past the chain; the sent signal is sent again
  kRestoreAndRaise,  // restore; raise the signal if it does not fault again
  kRestoreAndCall,   // restore, and call the restored handler
  kRestoreAndQueue,  // restore; queue a sent signal, or SIGABRT, with its original data
};

struct Reporter {
  const char* name;
  std::array<int, kMostSignals> signals;
  size_t stack_bytes;
  bool masks_all;
  End end;
  bool is_installed = false;
  std::array<struct sigaction, kMostSignals> before = {};
};

std::array<Reporter, 6> g_reporters = {{
    {"breakpad",
     {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTRAP},
     16'384,
     true,
     End::kDefaultAndSend},
    {"crashpad",
     {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP},
     0,
     false,
     End::kRestoreAndRaise},
    {"sentry",
     {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV},
     65'536,
     false,
     End::kRestoreAndCall},
    {"bugsnag",
     {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV},
     16'384,
     false,
     End::kRestoreAndCall},
    {"xcrash",
     {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS, SIGSTKFLT},
     32'768,
     false,
     End::kRestoreAndQueue},
    {"system",
     {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS},
     0,
     true,
     End::kDefaultAndSend},
}};

using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);
Sigaction g_kernel = nullptr;

void SetDefault(Sigaction set, int signal) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  set(signal, &action, nullptr);
}

void Restore(Reporter* reporter) {
  for (size_t i = 0; i < reporter->signals.size() && reporter->signals[i] != 0; ++i)
    sigaction(reporter->signals[i], &reporter->before[i], nullptr);
  reporter->is_installed = false;
}

// The address only of a fault: of a sent signal the field is the sender.
void Report(const Reporter& reporter, const siginfo_t& info) {
  char line[128];
  const bool is_sent = info.si_code <= 0;
  const int length =
      snprintf(line, sizeof line, "%s saw %d code %d %s %lx\n", reporter.name, info.si_signo,
               info.si_code, is_sent ? "own" : "at",
               is_sent ? static_cast<unsigned long>(info.si_pid == getpid())
                       : static_cast<unsigned long>(reinterpret_cast<uintptr_t>(info.si_addr)));
  if (write(STDOUT_FILENO, line, static_cast<size_t>(length)) != length) abort();
}

void CallBefore(const Reporter& reporter, int signal, siginfo_t* info, void* context) {
  for (size_t i = 0; i < reporter.signals.size(); ++i) {
    if (reporter.signals[i] != signal) continue;
    const struct sigaction& before = reporter.before[i];
    if ((before.sa_flags & SA_SIGINFO) != 0)
      before.sa_sigaction(signal, info, context);
    else if (before.sa_handler == SIG_DFL)
      raise(signal);
    else if (before.sa_handler != SIG_IGN)
      before.sa_handler(signal);
  }
}

void OnCrash(Reporter* reporter, int signal, siginfo_t* info, void* context) {
  Report(*reporter, *info);
  const bool is_sent = info->si_code <= 0;
  switch (reporter->end) {
    case End::kDefaultAndSend:
      SetDefault(g_kernel, signal);
      if (is_sent || signal == SIGABRT) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
      return;
    case End::kRestoreAndRaise:
      Restore(reporter);
      if (is_sent || signal == SIGTRAP) raise(signal);
      return;
    case End::kRestoreAndCall:
      Restore(reporter);
      CallBefore(*reporter, signal, info, context);
      return;
    case End::kRestoreAndQueue:
      Restore(reporter);
      if (is_sent || signal == SIGABRT)
        syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, info);
      return;
  }
}

// A handler has no argument of its own.
template <size_t i>
void Handle(int signal, siginfo_t* info, void* context) {
  OnCrash(&g_reporters[i], signal, info, context);
}

constexpr void (*kHandlers[])(int, siginfo_t*, void*) = {Handle<0>, Handle<1>, Handle<2>,
                                                         Handle<3>, Handle<4>, Handle<5>};

Reporter* Find(std::string_view name) {
  for (Reporter& reporter : g_reporters)
    if (name == reporter.name) return &reporter;
  fprintf(stderr, "no reporter is called %s\n", name.data());
  _exit(98);
}

void Install(std::string_view name) {
  Reporter* reporter = Find(name);
  if (reporter->is_installed) return;
  if (reporter->stack_bytes != 0) {
    stack_t stack = {};
    // On a host the runtime describes itself on it, which needs more than a phone's debuggerd.
    constexpr size_t kOfRuntime = 256 << 10;
    stack.ss_size = reporter->stack_bytes + kOfRuntime;
    stack.ss_sp = calloc(1, stack.ss_size);
    sigaltstack(&stack, nullptr);
  }
  struct sigaction action = {};
  action.sa_sigaction = kHandlers[reporter - g_reporters.data()];
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : reporter->signals)
    if (reporter->masks_all && signal != 0) sigaddset(&action.sa_mask, signal);
  for (size_t i = 0; i < reporter->signals.size() && reporter->signals[i] != 0; ++i)
    sigaction(reporter->signals[i], &action, &reporter->before[i]);
  reporter->is_installed = true;
}

// Preloaded, it is there before runtime and profiler.
[[gnu::constructor]] void InstallBefore() {
  g_kernel = reinterpret_cast<Sigaction>(dlsym(dlopen("libc.so.6", RTLD_NOW), "sigaction"));
  const char* names = getenv("REPORTERS");
  if (names == nullptr) return;
  std::string_view rest = names;
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    Install(std::string(rest.substr(0, comma)).c_str());
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
}

// A page of a file that has become shorter.
volatile char* TruncatedPage() {
  const int file = static_cast<int>(syscall(SYS_memfd_create, "truncated", 0));
  if (file < 0 || ftruncate(file, 4096) != 0) _exit(97);
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0);
  if (page == MAP_FAILED || ftruncate(file, 0) != 0) _exit(97);
  return static_cast<volatile char*>(page);
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_Reporters_install(JNIEnv* env, jclass, jstring name) {
  const char* text = env->GetStringUTFChars(name, nullptr);
  Install(text);
  env->ReleaseStringUTFChars(name, text);
}

JNIEXPORT void JNICALL Java_Reporters_remove(JNIEnv* env, jclass, jstring name) {
  const char* text = env->GetStringUTFChars(name, nullptr);
  Restore(Find(text));
  env->ReleaseStringUTFChars(name, text);
}

// As ART does after each JNI_OnLoad of an application for Android 5 and before.
JNIEXPORT void JNICALL Java_Reporters_ensureFrontOfChain(JNIEnv*, jclass) {
  using Ensure = void (*)(int);
  const auto ensure = reinterpret_cast<Ensure>(dlsym(RTLD_DEFAULT, "EnsureFrontOfChain"));
  if (ensure == nullptr) _exit(96);
  ensure(SIGSEGV);
}

// "segv", "bus" or "abrt", for real.
JNIEXPORT void JNICALL Java_Reporters_crash(JNIEnv* env, jclass, jstring how) {
  const std::string_view text = env->GetStringUTFChars(how, nullptr);
  if (text == "abrt") abort();
  volatile char* at = text == "bus" ? TruncatedPage() : reinterpret_cast<volatile char*>(16);
  printf("fault at %lx\n", static_cast<unsigned long>(reinterpret_cast<uintptr_t>(at)));
  fflush(stdout);
  static_cast<void>(*at);
}

}  // extern "C"
