// SPDX-License-Identifier: Apache-2.0
#include "src/native/libunwind.h"

#if defined(STILLFRAME_LIBUNWIND)
#if defined(__x86_64__)
#include <libunwind-x86_64.h>
#elif defined(__aarch64__)
#include <libunwind-aarch64.h>
#endif

#include <new>

#include "src/native/optional_library.h"

// Exported by libunwind for callers with their own library tables, but in none of its headers.
extern "C" int UNW_ARCH_OBJ(dwarf_search_unwind_table)(unw_addr_space_t space, unw_word_t ip,
                                                       unw_dyn_info_t* table, unw_proc_info_t* info,
                                                       int needs_unwind_info, void* argument);

namespace stillframe::native {
namespace {

using arch::UnwindRegisters;
using unwind::CodeModule;

// RTLD_LOCAL: its symbols stay private, so the application's exceptions keep their unwinder.
// RTLD_DEEPBIND: it calls its own functions, because Debian's ART 10 has Android's libunwind in the
// process with equal names. Sanitizers refuse RTLD_DEEPBIND.
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr int kOwnFirst = RTLD_DEEPBIND;
#else
constexpr int kOwnFirst = 0;
#endif

struct Functions {
  decltype(&unw_create_addr_space) create_space = nullptr;
  decltype(&unw_destroy_addr_space) destroy_space = nullptr;
  decltype(&unw_set_caching_policy) set_caching = nullptr;
  decltype(&unw_init_remote) init = nullptr;
  decltype(&unw_step) step = nullptr;
  decltype(&unw_get_reg) get_register = nullptr;
  decltype(&UNW_ARCH_OBJ(dwarf_search_unwind_table)) search_table = nullptr;
};

class Cursor final : public Libunwind {
 public:
  explicit Cursor(const unwind::CodeModules& modules) : modules_(modules) {}
  ~Cursor() override {
    if (space_ != nullptr) functions_.destroy_space(space_);
  }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  bool Open(const char* file);
  void Start(const UnwindRegisters& registers, bool is_call) override;
  bool Next(UnwindRegisters* outer) override;

 private:
  static Cursor& Of(void* argument) { return *static_cast<Cursor*>(argument); }
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

  const unwind::CodeModules& modules_;
  Functions functions_;
  unw_addr_space_t space_ = nullptr;
  unw_cursor_t cursor_ = {};
  UnwindRegisters first_ = {};
  bool is_started_ = false;
  bool was_described_ = false;
};

static_assert(sizeof(unw_word_t) == sizeof(uintptr_t));
static_assert(UNW_REG_SP == arch::kDwarfSp);

int Cursor::FindProcInfo(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t* info,
                         int needs_unwind_info, void* argument) {
  constexpr size_t kRowBytes = 8;  // a row of .eh_frame_hdr's table
  Cursor& cursor = Of(argument);
  CodeModule module;
  if (!cursor.modules_.Find(ip, &module) || module.header == 0) return -UNW_ENOINFO;
  unw_dyn_info_t table = {};
  table.format = UNW_INFO_FORMAT_REMOTE_TABLE;
  table.start_ip = module.begin;
  table.end_ip = module.end;
  table.u.rti.segbase = module.header;
  table.u.rti.table_data = module.index();
  table.u.rti.table_len = module.index_count * kRowBytes / sizeof(unw_word_t);
  const int result =
      cursor.functions_.search_table(space, ip, &table, info, needs_unwind_info, argument);
  cursor.was_described_ = result >= 0;
  return result;
}

int Cursor::AccessMemory(unw_addr_space_t, unw_word_t address, unw_word_t* word, int writes,
                         void*) {
  return writes == 0 && arch::GuardedLoadWord(address, word) ? 0 : -UNW_EINVAL;
}

int Cursor::AccessRegister(unw_addr_space_t, unw_regnum_t number, unw_word_t* word, int writes,
                           void* argument) {
  const auto index = static_cast<uint32_t>(number);
  if (writes != 0 || index >= arch::kDwarfRegisters) return -UNW_EBADREG;
  *word = Of(argument).first_.values[index];
  return 0;
}

bool Cursor::Open(const char* file) {
  OptionalLibrary library(file, RTLD_LOCAL | kOwnFirst);
  functions_ = {SF_FUNCTION(library, unw_create_addr_space),
                SF_FUNCTION(library, unw_destroy_addr_space),
                SF_FUNCTION(library, unw_set_caching_policy),
                SF_FUNCTION(library, unw_init_remote),
                SF_FUNCTION(library, unw_step),
                SF_FUNCTION(library, unw_get_reg),
                SF_FUNCTION(library, UNW_ARCH_OBJ(dwarf_search_unwind_table))};
  if (!library.has_all()) return false;
  unw_accessors_t accessors = {FindProcInfo,   PutUnwindInfo, FindDynamicList, AccessMemory,
                               AccessRegister, AccessFloat,   Resume,          nullptr};
  space_ = functions_.create_space(&accessors, 0);
  if (space_ == nullptr) return false;
  functions_.set_caching(space_, UNW_CACHE_NONE);
  return true;
}

void Cursor::Start(const UnwindRegisters& registers, bool is_call) {
  first_ = registers;
  // A cursor starts at running code: move pc back into the call, where its description applies.
  if (is_call) --first_.values[arch::kDwarfPc];
  is_started_ = functions_.init(&cursor_, space_, this) == 0;
}

bool Cursor::Next(UnwindRegisters* outer) {
  was_described_ = false;
  if (!is_started_ || functions_.step(&cursor_) <= 0 || !was_described_) return false;
  for (uint32_t i = 0; i < arch::kDwarfRegisters; ++i) {
    unw_word_t word = 0;
    // On aarch64 libunwind's name for the current pc is that of the link register.
    const uint32_t number = i == arch::kDwarfPc ? uint32_t{UNW_REG_IP} : i;
    // Lost registers are 0, as in our own steps.
    if (functions_.get_register(&cursor_, static_cast<unw_regnum_t>(number), &word) != 0) word = 0;
    outer->values[i] = word;
  }
  return true;
}

}  // namespace

std::unique_ptr<Libunwind> OpenLibunwind(const unwind::CodeModules& modules, const char* library) {
  std::unique_ptr<Cursor> cursor(new (std::nothrow) Cursor(modules));
  if (library == nullptr) library = "libunwind-" SF_TEXT(UNW_TARGET) ".so.8";
  if (cursor == nullptr || !cursor->Open(library)) return nullptr;
  return cursor;
}

}  // namespace stillframe::native
#else
namespace stillframe::native {

std::unique_ptr<Libunwind> OpenLibunwind(const unwind::CodeModules&, const char*) {
  return nullptr;
}

}  // namespace stillframe::native
#endif
