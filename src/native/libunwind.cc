// SPDX-License-Identifier: Apache-2.0
// What libunwind asks for when it unwinds another process, answered by this one.
#include "src/native/libunwind.h"

#include <new>

#include "src/native/libunwind_functions.h"

#define SF_TEXT_OF(name) #name
#define SF_TEXT(name) SF_TEXT_OF(name)

namespace stillframe::native {

using arch::UnwindRegisters;
using unwind::CodeModule;

struct Libunwind::State {
  ~State() {
    if (space != nullptr) functions.destroy_space(space);
  }
  static State& Of(void* argument) { return *static_cast<State*>(argument); }

  static int FindProcInfo(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t* info,
                          int needs_unwind_info, void* argument);
  static void PutUnwindInfo(unw_addr_space_t, unw_proc_info_t*, void*) {}
  static int FindDynamicList(unw_addr_space_t, unw_word_t*, void*) { return -UNW_ENOINFO; }
  static int AccessMemory(unw_addr_space_t, unw_word_t address, unw_word_t* word, int writes,
                          void*);
  static int AccessRegister(unw_addr_space_t, unw_regnum_t number, unw_word_t* word, int writes,
                            void* argument);
  static int AccessFloat(unw_addr_space_t, unw_regnum_t, unw_fpreg_t*, int, void*) {
    return -UNW_EBADREG;
  }
  static int Resume(unw_addr_space_t, unw_cursor_t*, void*) { return -UNW_EINVAL; }

  LibunwindFunctions functions;
  const unwind::CodeModules* modules = nullptr;
  unw_addr_space_t space = nullptr;
  unw_cursor_t cursor = {};
  UnwindRegisters first = {};
  UnwindRegisters now = {};
  bool is_started = false;
  bool was_described = false;
};

static_assert(sizeof(unw_word_t) == sizeof(uintptr_t));
static_assert(UNW_REG_SP == arch::kDwarfSp);

int Libunwind::State::FindProcInfo(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t* info,
                                   int needs_unwind_info, void* argument) {
  constexpr size_t kRowBytes = 8;  // of .eh_frame_hdr's table
  State& state = Of(argument);
  CodeModule module;
  if (!state.modules->Find(ip, &module) || module.header == 0) return -UNW_ENOINFO;
  unw_dyn_info_t table = {};
  table.format = UNW_INFO_FORMAT_REMOTE_TABLE;
  table.start_ip = module.begin;
  table.end_ip = module.end;
  table.u.rti.segbase = module.header;
  table.u.rti.table_data = module.index();
  table.u.rti.table_len = module.index_count * kRowBytes / sizeof(unw_word_t);
  const int result =
      state.functions.search_table(space, ip, &table, info, needs_unwind_info, argument);
  state.was_described = result >= 0;
  return result;
}

int Libunwind::State::AccessMemory(unw_addr_space_t, unw_word_t address, unw_word_t* word,
                                   int writes, void*) {
  return writes == 0 && arch::GuardedLoadWord(address, word) ? 0 : -UNW_EINVAL;
}

int Libunwind::State::AccessRegister(unw_addr_space_t, unw_regnum_t number, unw_word_t* word,
                                     int writes, void* argument) {
  const auto index = static_cast<uint32_t>(number);
  if (writes != 0 || index >= arch::kDwarfRegisters) return -UNW_EBADREG;
  *word = Of(argument).first.values[index];
  return 0;
}

const char* Libunwind::LibraryName() { return "libunwind-" SF_TEXT(UNW_TARGET) ".so.8"; }

Libunwind::Libunwind() = default;
Libunwind::~Libunwind() = default;

bool Libunwind::Open(const unwind::CodeModules& modules, const char* library) {
  std::unique_ptr<State> state(new (std::nothrow) State);
  if (state == nullptr || !FindLibunwind(library, &state->functions)) return false;
  unw_accessors_t accessors = {
      State::FindProcInfo,   State::PutUnwindInfo, State::FindDynamicList, State::AccessMemory,
      State::AccessRegister, State::AccessFloat,   State::Resume,          nullptr};
  state->space = state->functions.create_space(&accessors, 0);
  if (state->space == nullptr) return false;
  state->functions.set_caching(state->space, UNW_CACHE_NONE);
  state->modules = &modules;
  state_ = std::move(state);
  return true;
}

void Libunwind::Start(const UnwindRegisters& registers, bool is_call) {
  State& state = *state_;
  state.first = state.now = registers;
  // A cursor begins at code that runs: in the call is where its description counts.
  if (is_call) --state.first.values[arch::kDwarfPc];
  state.was_described = false;
  state.is_started = state.functions.init(&state.cursor, state.space, &state) == 0;
}

Libunwind::Step Libunwind::Next() {
  State& state = *state_;
  state.was_described = false;
  if (!state.is_started || state.functions.step(&state.cursor) <= 0) return Step::kEnded;
  for (uint32_t i = 0; i < arch::kDwarfRegisters; ++i) {
    unw_word_t word = 0;
    // On aarch64 its name for where a cursor is, is that of the link register.
    const uint32_t number = i == arch::kDwarfPc ? uint32_t{UNW_REG_IP} : i;
    // What the information calls lost is 0, as our own steps have it.
    if (state.functions.get_register(&state.cursor, static_cast<unw_regnum_t>(number), &word) != 0)
      word = 0;
    state.now.values[i] = word;
  }
  return state.was_described ? Step::kDescribed : Step::kGuessed;
}

bool Libunwind::was_described() const { return state_->was_described; }

const UnwindRegisters& Libunwind::registers() const { return state_->now; }

}  // namespace stillframe::native
