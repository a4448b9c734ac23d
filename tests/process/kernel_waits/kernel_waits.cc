// SPDX-License-Identifier: Apache-2.0
// Natives of KernelWaits.java: each waits in one system call until another thread ends that.
// Context: the main thread of the test
#include <fcntl.h>
#include <jni.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "tests/testbed/native/register_natives.h"

namespace {

constexpr int kWaitMs = 600;
constexpr int kPage = 4096;

void Check(bool is_so, const char* what) {
  if (is_so) return;
  perror(what);
  _exit(3);
}

// `wait` on this thread, which `end` on another one ends.
void EndedByAnother(const std::function<void()>& wait, const std::function<void()>& end) {
  std::thread ender([&end] {
    std::this_thread::sleep_for(std::chrono::milliseconds(kWaitMs));
    end();
  });
  wait();
  ender.join();
}

void Futex(JNIEnv*, jclass) {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock<std::mutex> lock(mutex);
  never.wait_for(lock, std::chrono::milliseconds(kWaitMs), [] { return false; });
}

void Sleep(JNIEnv*, jclass) {
  const timespec time = {0, kWaitMs * 1'000'000};
  nanosleep(&time, nullptr);
}

void Poll(JNIEnv*, jclass) { poll(nullptr, 0, kWaitMs); }

void Epoll(JNIEnv*, jclass) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  epoll_event event;
  epoll_wait(epoll, &event, 1, kWaitMs);
  close(epoll);
}

void Pipe(JNIEnv*, jclass) {
  int ends[2];
  char byte = 0;
  Check(pipe(ends) == 0, "pipe");
  EndedByAnother([&] { Check(read(ends[0], &byte, 1) == 1, "read"); },
                 [&] { Check(write(ends[1], &byte, 1) == 1, "write"); });
}

void Socket(JNIEnv*, jclass) {
  int ends[2];
  char byte = 0;
  Check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  EndedByAnother([&] { Check(recv(ends[0], &byte, 1, 0) == 1, "recv"); },
                 [&] { Check(send(ends[1], &byte, 1, 0) == 1, "send"); });
}

// One whose other end has a name.
void Peer(JNIEnv*, jclass) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const int length =
      snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "kernel_waits_%d", getpid());
  const auto bytes =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(length));
  const auto* any = reinterpret_cast<const sockaddr*>(&address);
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  Check(bind(server, any, bytes) == 0 && listen(server, 1) == 0, "bind");
  Check(connect(client, any, bytes) == 0, "connect");
  const int accepted = accept(server, nullptr, nullptr);
  char byte = 0;
  EndedByAnother([&] { Check(recv(client, &byte, 1, 0) == 1, "recv"); },
                 [&] { Check(send(accepted, &byte, 1, 0) == 1, "send"); });
  close(accepted);
  close(client);
  close(server);
}

std::string TemporaryName() {
  char name[] = "/tmp/kernel_waits_XXXXXX";
  const int file = mkstemp(name);
  Check(file >= 0, "mkstemp");
  close(file);
  return name;
}

void FileLock(JNIEnv*, jclass) {
  const std::string name = TemporaryName();
  const int first = open(name.c_str(), O_RDWR | O_CLOEXEC);
  const int second = open(name.c_str(), O_RDWR | O_CLOEXEC);
  unlink(name.c_str());
  Check(flock(first, LOCK_EX) == 0, "flock");
  EndedByAnother([&] { Check(flock(second, LOCK_EX) == 0, "flock"); },
                 [&] { flock(first, LOCK_UN); });
}

void Open(JNIEnv*, jclass) {
  const std::string name = TemporaryName();
  unlink(name.c_str());
  Check(mkfifo(name.c_str(), 0600) == 0, "mkfifo");
  EndedByAnother([&] { Check(open(name.c_str(), O_RDONLY | O_CLOEXEC) >= 0, "open"); },
                 [&] { Check(open(name.c_str(), O_WRONLY | O_CLOEXEC) >= 0, "open"); });
  unlink(name.c_str());
}

void Child(JNIEnv*, jclass) {
  const pid_t child = fork();
  if (child == 0) {
    usleep(kWaitMs * 1000);
    _exit(0);
  }
  int status = 0;
  Check(waitpid(child, &status, 0) == child, "waitpid");
}

void Signal(JNIEnv*, jclass) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGRTMIN + 9);
  const timespec time = {0, kWaitMs * 1'000'000};
  sigtimedwait(&signals, nullptr, &time);
}

// A page that another thread fills, as storage does. Access to it waits, in a system call too.
// Creating one may need a privilege.
class SlowPage {
 public:
  SlowPage() : faults_(static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC))) {
    uffdio_api api = {};
    api.api = UFFD_API;
    if (faults_ < 0 || ioctl(faults_, UFFDIO_API, &api) != 0) return;
    page_ = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uffdio_register range = {};
    range.range = {reinterpret_cast<uintptr_t>(page_), kPage};
    range.mode = UFFDIO_REGISTER_MODE_MISSING;
    Check(ioctl(faults_, UFFDIO_REGISTER, &range) == 0, "register");
  }

  ~SlowPage() {
    if (page_ != nullptr) munmap(page_, kPage);
    if (faults_ >= 0) close(faults_);
  }

  bool exists() const { return page_ != nullptr; }
  void* get() const { return page_; }

  void Fill() const {
    uffdio_zeropage zero = {};
    zero.range = {reinterpret_cast<uintptr_t>(page_), kPage};
    Check(ioctl(faults_, UFFDIO_ZEROPAGE, &zero) == 0, "zero");
  }

 private:
  int faults_;
  void* page_ = nullptr;
};

// Asks a terminal for its size, which goes to a slow page.
bool Ask(const char* path) {
  const int terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  Check(terminal >= 0, path);
  const SlowPage page;
  if (page.exists())
    EndedByAnother([&] { Check(ioctl(terminal, TIOCGWINSZ, page.get()) == 0, "ioctl"); },
                   [&] { page.Fill(); });
  close(terminal);
  return page.exists();
}

// "without" is said where something cannot be.
void Device(JNIEnv*, jclass) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  Check(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0, "posix_openpt");
  if (!Ask(ptsname(master))) puts("without device");
  close(master);
}

// The driver is missing here, so a terminal replaces it.
void Binder(JNIEnv*, jclass) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  Check(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0, "posix_openpt");
  const bool is_there = access("/dev/binder", F_OK) == 0 &&
                        mount(ptsname(master), "/dev/binder", nullptr, MS_BIND, nullptr) == 0;
  if (!is_there || !Ask("/dev/binder")) puts("without binder");
  if (is_there) umount("/dev/binder");
  close(master);
}

void PageFault(JNIEnv*, jclass) {
  const SlowPage page;
  if (page.exists())
    EndedByAnother([&] { static_cast<void>(*static_cast<volatile char*>(page.get())); },
                   [&] { page.Fill(); });
  else
    puts("without pageFault");
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using testbed::Native;
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  setvbuf(stdout, nullptr, _IOLBF, 0);
  const bool registered = testbed::RegisterNatives(
      env, "KernelWaits",
      {Native("futex", "()V", Futex), Native("sleep", "()V", Sleep), Native("poll", "()V", Poll),
       Native("epoll", "()V", Epoll), Native("pipe", "()V", Pipe), Native("socket", "()V", Socket),
       Native("peer", "()V", Peer), Native("fileLock", "()V", FileLock),
       Native("open", "()V", Open), Native("child", "()V", Child), Native("signal", "()V", Signal),
       Native("device", "()V", Device), Native("binder", "()V", Binder),
       Native("pageFault", "()V", PageFault)});
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
