// SPDX-License-Identifier: Apache-2.0
// Makes the profiler's guarded loads fault at their own addresses, on x86_64. Preloaded.
//
// A breakpoint at a load shows that the SIGPROF handler reached it. Then an instruction that faults
// like the load replaces it (hlt: SIGSEGV, at the same address). With FAULTY_READS "lost", the
// handler is led to a fault that is not in the table instead. First all loads that the handler
// reaches are found ("reached"), then each is made to fault ("failed"). Then the application is
// asked to end. Loads by other threads are stepped over.
// Context: a thread of its own, and handlers
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <utility>
#include <vector>

#include "tests/process/faults/preloaded.h"

namespace {

constexpr unsigned char kBreakpoint = 0xcc;
constexpr unsigned char kHalt = 0xf4;
constexpr long long kSingleStep = 0x100;  // of the flags
constexpr int kLost = 3;
constexpr long kMostMs = 20'000;  // a machine with much else to do

enum class Wanted : int { kNothing, kFind, kFail, kLose };

struct Row {
  unsigned char* place = nullptr;
  unsigned char was = 0;
  std::atomic<Wanted> wanted{Wanted::kNothing};
  std::atomic<unsigned> met{0};  // by the handler
};

// Written before the handler is installed.
Row* g_rows = nullptr;
size_t g_count = 0;
uintptr_t g_nowhere = 0;  // an instruction that faults
std::atomic<int> g_lost{0};
// The load that this thread is stepping over.
[[gnu::tls_model("initial-exec")]] thread_local Row* t_stepped = nullptr;

void Put(Row* row, unsigned char byte) { *static_cast<volatile unsigned char*>(row->place) = byte; }

Row* RowAt(uintptr_t pc) {
  const auto place = reinterpret_cast<unsigned char*>(pc);
  Row* row = std::lower_bound(g_rows, g_rows + g_count, place,
                              [](const Row& a, unsigned char* b) { return a.place < b; });
  return row != g_rows + g_count && row->place == place ? row : nullptr;
}

void OnTrap(int, siginfo_t*, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (Row* stepped = t_stepped; stepped != nullptr) {
    t_stepped = nullptr;
    registers[REG_EFL] &= ~kSingleStep;
    if (stepped->wanted.load() != Wanted::kNothing) Put(stepped, kBreakpoint);
    return;
  }
  Row* row = RowAt(static_cast<uintptr_t>(registers[REG_RIP]) - 1);
  if (row == nullptr) return;  // a breakpoint of another component
  registers[REG_RIP] -= 1;
  const bool is_handler = gettid() == getpid() &&
                          sigismember(&static_cast<ucontext_t*>(context)->uc_sigmask, SIGPROF) == 1;
  const Wanted wanted = row->wanted.load();
  if (wanted == Wanted::kNothing) return Put(row, row->was);
  if (!is_handler) {
    Put(row, row->was);
    t_stepped = row;
    registers[REG_EFL] |= kSingleStep;
    return;
  }
  row->met.fetch_add(1);
  row->wanted.store(Wanted::kNothing);
  Put(row, row->was);
  if (wanted == Wanted::kFail) Put(row, kHalt);  // until Restore
  if (wanted == Wanted::kLose) {
    g_lost.fetch_add(1);
    registers[REG_RIP] = static_cast<greg_t>(g_nowhere);
  }
}

void Request(Row* row, Wanted wanted) {
  row->wanted.store(wanted);
  Put(row, kBreakpoint);
}

void Restore(Row* row) {
  row->wanted.store(Wanted::kNothing);
  Put(row, row->was);
}

// The section sf_guarded_loads of the file: {load - row, recovery - row} each.
bool ReadRows(const faults::Library& library) {
  const int fd = open(library.path, O_RDONLY | O_CLOEXEC);
  struct stat facts = {};
  if (fd < 0 || fstat(fd, &facts) != 0) return false;
  void* memory = mmap(nullptr, static_cast<size_t>(facts.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (memory == MAP_FAILED) return false;
  const auto* file = static_cast<const unsigned char*>(memory);
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file + header->e_shoff);
  const char* names = reinterpret_cast<const char*>(file + sections[header->e_shstrndx].sh_offset);
  for (size_t i = 0; i < header->e_shnum; ++i) {
    if (strcmp(names + sections[i].sh_name, "sf_guarded_loads") != 0) continue;
    g_count = sections[i].sh_size / 8;
    g_rows = new Row[g_count];
    std::vector<unsigned char*> places;
    for (size_t row = 0; row < g_count; ++row) {
      const uintptr_t at = library.base + sections[i].sh_addr + row * 8;
      const auto offset = static_cast<intptr_t>(*reinterpret_cast<const int32_t*>(at));
      places.push_back(reinterpret_cast<unsigned char*>(at + static_cast<uintptr_t>(offset)));
    }
    std::sort(places.begin(), places.end());
    g_count = static_cast<size_t>(std::unique(places.begin(), places.end()) - places.begin());
    for (size_t row = 0; row < g_count; ++row) {
      g_rows[row].place = places[row];
      g_rows[row].was = *places[row];
    }
  }
  return g_count > 0;
}

// Not synchronized: nothing else may change these pages.
bool MakeWritable(const faults::Library& library) {
  const uintptr_t begin = library.code_begin & ~uintptr_t{4095};
  return mprotect(reinterpret_cast<void*>(begin), library.code_end - begin,
                  PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

bool Install() {
  void* page =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  *static_cast<unsigned char*>(page) = kHalt;
  g_nowhere = reinterpret_cast<uintptr_t>(page);
  struct sigaction action = {};
  action.sa_sigaction = OnTrap;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  return sigaction(SIGTRAP, &action, nullptr) == 0;
}

size_t CountMet() {
  size_t met = 0;
  for (size_t i = 0; i < g_count; ++i) met += g_rows[i].met.load() > 0 ? 1U : 0U;
  return met;
}

// Loads that the handler reaches while nothing disturbs it: until no further one was met for a
// while.
std::vector<Row*> FindReached() {
  constexpr long kStepMs = 50;
  const long quiet_ms = faults::NumberOf("FAULTY_READS_QUIET_MS", 700);
  for (size_t i = 0; i < g_count; ++i) Request(&g_rows[i], Wanted::kFind);
  size_t met = 0;
  for (long ms = 0, since_ms = 0; ms < kMostMs && (met == 0 || since_ms < quiet_ms);
       ms += kStepMs, since_ms += kStepMs) {
    usleep(kStepMs * 1'000);
    if (const size_t now = CountMet(); now != std::exchange(met, now)) since_ms = 0;
  }
  std::vector<Row*> reached;
  for (size_t i = 0; i < g_count; ++i) {
    Restore(&g_rows[i]);
    if (g_rows[i].met.exchange(0) > 0) reached.push_back(&g_rows[i]);
  }
  return reached;
}

// All of them at once: each sample fails at the first one it meets, which is sound from then on.
// Until each has failed, or none did for a while.
size_t FailEach(const std::vector<Row*>& reached) {
  constexpr long kStepMs = 2;
  const long quiet_ms = 3 * faults::NumberOf("FAULTY_READS_QUIET_MS", 700);
  for (Row* row : reached) Request(row, Wanted::kFail);
  std::vector<Row*> waiting = reached;
  for (long ms = 0, since_ms = 0; ms < kMostMs && since_ms < quiet_ms && !waiting.empty();
       ms += kStepMs, since_ms += kStepMs) {
    usleep(kStepMs * 1'000);
    const size_t before = waiting.size();
    const auto has_failed = [](const Row* row) { return row->met.load() > 0; };
    for (Row* row : waiting)
      if (has_failed(row)) Restore(row);
    waiting.erase(std::remove_if(waiting.begin(), waiting.end(), has_failed), waiting.end());
    if (waiting.size() != before) since_ms = 0;
  }
  for (Row* row : waiting) Restore(row);
  return reached.size() - waiting.size();
}

void LoseSome(std::vector<Row*> reached) {
  std::mt19937 random(static_cast<unsigned>(faults::NumberOf("FAULTY_READS_SEED", 1)));
  std::shuffle(reached.begin(), reached.end(), random);
  for (Row* row : reached) {
    const int before = g_lost.load();
    if (before == kLost) break;
    Request(row, Wanted::kLose);
    for (int ms = 0; ms < 400 && g_lost.load() == before; ++ms) usleep(1'000);
    Restore(row);
  }
}

void* Disturb(void*) {
  const faults::Library library = faults::FindProfiler();
  if (library.path == nullptr || !faults::AwaitSampler() || !ReadRows(library) ||
      !MakeWritable(library) || !Install()) {
    faults::SayDone("no loads to disturb");
    return nullptr;
  }
  const std::vector<Row*> reached = FindReached();
  char said[128];
  if (strcmp(getenv("FAULTY_READS"), "lost") == 0) {
    LoseSome(reached);
    snprintf(said, sizeof said, "loads %zu reached %zu lost %d", g_count, reached.size(),
             g_lost.load());
  } else {
    const size_t failed = FailEach(reached);
    snprintf(said, sizeof said, "loads %zu reached %zu failed %zu", g_count, reached.size(),
             failed);
  }
  usleep(300'000);  // and all is well again
  faults::SayDone(said);
  return nullptr;
}

[[gnu::constructor]] void Begin() {
  if (getenv("FAULTY_READS") != nullptr) faults::StartThread(Disturb);
}

}  // namespace
