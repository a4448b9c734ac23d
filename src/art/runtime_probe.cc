// SPDX-License-Identifier: Apache-2.0
// Compares a layout with the structures that JNI's pointers lead to, and finds the runtime's own
// code.
#include "src/art/runtime_probe.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstring>

#include "arch/arch.h"
#include "src/elf/loaded_library.h"
#include "src/elf/loaded_modules.h"
#include "src/os/proc.h"
#include "src/unwind/frame_description.h"
#include "src/walk/method_check.h"

namespace stillframe::art {
namespace {

using arch::GuardedLoad64;

struct BuildIdSearch {
  uintptr_t inside;
  std::string id;
};

void ReadBuildIdNote(uintptr_t at, size_t size, std::string* id) {
  static constexpr char kDigits[] = "0123456789abcdef";
  size_t offset = 0;
  while (offset + sizeof(ElfW(Nhdr)) <= size) {
    ElfW(Nhdr) note;
    memcpy(&note, reinterpret_cast<const void*>(at + offset), sizeof note);
    const size_t name = offset + sizeof note;
    const size_t value = name + ((note.n_namesz + 3U) & ~3U);
    if (value + note.n_descsz > size) return;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(reinterpret_cast<const void*>(at + name), "GNU", 4) == 0) {
      for (size_t i = 0; i < note.n_descsz; ++i) {
        const auto byte = reinterpret_cast<const uint8_t*>(at + value)[i];
        id->push_back(kDigits[byte >> 4]);
        id->push_back(kDigits[byte & 15]);
      }
      return;
    }
    offset = value + ((note.n_descsz + 3U) & ~3U);
  }
}

int FindBuildId(dl_phdr_info* info, size_t, void* argument) {
  auto* search = static_cast<BuildIdSearch*>(argument);
  bool is_it = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    is_it |= header.p_type == PT_LOAD &&
             search->inside - (info->dlpi_addr + header.p_vaddr) < header.p_memsz;
  }
  if (!is_it) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_NOTE && search->id.empty())
      ReadBuildIdNote(info->dlpi_addr + header.p_vaddr, header.p_memsz, &search->id);
  }
  return 1;
}

// Where mterp runs, if that is certain; without it the innermost line is that of the last call.
void FindMterp(uintptr_t env_in_thread, JavaVM* vm, walk::RuntimeFacts* facts) {
  const walk::Layout& layout = *facts->layout;
  uintptr_t base = 0;
  Dl_info handlers;
  Dl_info runtime;
  if (layout.mterp_base_after_env == 0 ||
      !walk::LoadPointer(env_in_thread + layout.mterp_base_after_env, &base) || base % 128 != 0 ||
      dladdr(reinterpret_cast<const void*>(base), &handlers) == 0 ||
      dladdr(reinterpret_cast<const void*>(vm->functions->AttachCurrentThread), &runtime) == 0 ||
      handlers.dli_fbase != runtime.dli_fbase)
    return;
  facts->mterp_begin = base;
  facts->mterp_end = base + layout.mterp_code_bytes;
}

// Never destroyed: the handler reads it.
unwind::CodeModules& Modules() {
  static unwind::CodeModules modules;
  return modules;
}

walk::CodeIndex& SeenCode() {
  static walk::CodeIndex index;
  return index;
}

// Code in front of which a method header says its size. nterp's is some 60 KB; what stands before
// other entry points of the runtime is no header.
constexpr uint32_t kMinNterpBytes = 16 << 10;
constexpr uint32_t kMaxNterpBytes = 256 << 10;
constexpr uint32_t kHeaderSizeMask = 0x3fffffff;

// Since ART 15 nothing says the size (runtime/interpreter/mterp/*/main.S, OAT_ENTRY). The entry
// point's call frame information goes as far as the instructions' code; the few helpers after that
// stay unknown code.
uint32_t NterpBytes(const unwind::CodeModule& module, uintptr_t entry_point,
                    walk::MethodHeader header) {
  if (header == walk::MethodHeader::kPlainCodeInfoOffset) {
    unwind::FrameDescription description;
    return unwind::FindFrameDescription(module, entry_point, &description)
               ? static_cast<uint32_t>(description.code_end - entry_point)
               : 0;
  }
  uint32_t size = 0;
  return arch::GuardedLoad32(entry_point - sizeof size, &size) ? size & kHeaderSizeMask : 0;
}

void FindNterp(uintptr_t entry_point, walk::RuntimeFacts* facts) {
  const unwind::CodeModule* module = facts->modules->Find(entry_point);
  if (module == nullptr) return;
  const uint32_t size = NterpBytes(*module, entry_point, facts->layout->method_header);
  if (size < kMinNterpBytes || size > kMaxNterpBytes || module->end - entry_point < size) return;
  facts->nterp_begin = entry_point;
  facts->nterp_end = entry_point + size;
}

uintptr_t EntryPointOf(const walk::Layout& layout, jmethodID id) {
  uintptr_t entry_point = 0;
  const auto method = reinterpret_cast<uintptr_t>(id);
  if (!walk::WalkIsMethod(layout, method) ||
      !walk::LoadPointer(method + layout.method_entry_point, &entry_point))
    return 0;
  return arch::CodeAddress(entry_point);
}

// A method of the runtime's own: of no class, with an index that no dex file has (ART 10, 11 and 14
// runtime/art_method.h, kRuntimeMethodDexMethodIndex).
bool IsRuntimeMethod(const walk::Layout& layout, uintptr_t method) {
  uint32_t declaring_class = 0;
  uint32_t dex_index = 0;
  return method != 0 && method % layout.method_alignment == 0 &&
         arch::GuardedLoad32(method + layout.method_declaring_class, &declaring_class) &&
         declaring_class == 0 &&
         arch::GuardedLoad32(method + layout.method_dex_index, &dex_index) &&
         dex_index == UINT32_MAX;
}

// By dalvik.system.VMRuntime (AOSP 8 to 16, libcore/libart); nothing where it does not say so.
std::string Debuggable(JNIEnv* env) {
  env->PushLocalFrame(4);
  jclass type = env->FindClass("dalvik/system/VMRuntime");
  const jmethodID get =
      type == nullptr ? nullptr
                      : env->GetStaticMethodID(type, "getRuntime", "()Ldalvik/system/VMRuntime;");
  const jmethodID ask =
      get == nullptr ? nullptr : env->GetMethodID(type, "isJavaDebuggable", "()Z");
  jobject runtime = ask == nullptr ? nullptr : env->CallStaticObjectMethod(type, get);
  const bool is_debuggable = runtime != nullptr && env->CallBooleanMethod(runtime, ask) == JNI_TRUE;
  const bool threw = env->ExceptionCheck();
  env->ExceptionClear();
  env->PopLocalFrame(nullptr);
  return is_debuggable && !threw ? "+debuggable" : "";
}

using GetCreatedJavaVms = jint (*)(JavaVM**, jsize, jsize*);

GetCreatedJavaVms FindGetCreatedJavaVms() {
  static std::atomic<GetCreatedJavaVms> found{nullptr};
  constexpr char kName[] = "JNI_GetCreatedJavaVMs";
  GetCreatedJavaVms function = found.load(std::memory_order_acquire);
  if (function == nullptr)
    function = reinterpret_cast<GetCreatedJavaVms>(dlsym(RTLD_DEFAULT, kName));
  // The library may be in a namespace that dlsym does not see. Looked for when a runtime has
  // started, so that a process that waits for one does not read its maps all the time.
  if (function == nullptr && os::FindThreadByName("Signal Catcher") != 0) {
    // Android's name, that of its debug build, Debian's.
    for (const char* library : {"/libart.so", "/libartd.so", "/libart.so.0"}) {
      function = reinterpret_cast<GetCreatedJavaVms>(
          elf::FindLoadedSymbol(library, kName, elf::SymbolKind::kCode));
      if (function != nullptr) break;
    }
  }
  found.store(function, std::memory_order_release);
  return function;
}

JavaVM* FindVm() {
  const GetCreatedJavaVms get_vms = FindGetCreatedJavaVms();
  if (get_vms == nullptr) return nullptr;
  JavaVM* vm = nullptr;
  jsize count = 0;
  return get_vms(&vm, 1, &count) == JNI_OK && count != 0 ? vm : nullptr;
}

}  // namespace

void ProbeCode(jmethodID interpreted, jmethodID native, walk::RuntimeFacts* facts) {
  const walk::Layout& layout = *facts->layout;
  elf::AddLoadedModules(&Modules());
  facts->modules = &Modules();
  facts->code_index = &SeenCode();
  if (layout.nterp_outs_alignment != 0) FindNterp(EntryPointOf(layout, interpreted), facts);
  const uintptr_t stub = EntryPointOf(layout, native);
  const unwind::CodeModule* module = Modules().Find(stub);
  unwind::FrameDescription description;
  if (module != nullptr && unwind::FindFrameDescription(*module, stub, &description)) {
    facts->generic_jni_begin = description.code_begin;
    facts->generic_jni_end = description.code_end;
  }
}

bool HasVm() { return FindVm() != nullptr; }

JavaVM* FindStartedVm() {
  JavaVM* vm = FindVm();
  return vm != nullptr && os::FindThreadByName("Signal Catcher") != 0 ? vm : nullptr;
}

uintptr_t RuntimeThreadOf(const walk::Layout& layout, JNIEnv* env) {
  uintptr_t thread = 0;
  return walk::LoadPointer(reinterpret_cast<uintptr_t>(env) + layout.env_self, &thread) ? thread
                                                                                        : 0;
}

bool ProbeRuntime(const walk::Layout& layout, JavaVM* vm, JNIEnv* env, walk::RuntimeFacts* facts,
                  std::string* why) {
  facts->layout = &layout;
  const uintptr_t thread = RuntimeThreadOf(layout, env);
  for (uint32_t at = layout.env_search_from; at < layout.env_search_to && thread != 0;
       at += sizeof(uintptr_t)) {
    uintptr_t word = 0;
    if (walk::LoadPointer(thread + at, &word) && word == reinterpret_cast<uintptr_t>(env)) {
      facts->managed_stack = at - layout.managed_stack_before_env;
      FindMterp(thread + at, vm, facts);
      break;
    }
  }
  if (facts->managed_stack == 0) {
    *why = "no JNIEnv* in the thread structure";
    return false;
  }
  uintptr_t runtime = 0;
  if (!walk::LoadPointer(reinterpret_cast<uintptr_t>(vm) + layout.vm_runtime, &runtime)) {
    *why = "no runtime behind the JavaVM*";
    return false;
  }
  if (layout.callee_save_count > walk::kCalleeSaveMethods) {
    *why = "more callee-save methods than there are";
    return false;
  }
  for (uint32_t i = 0; i < layout.callee_save_count; ++i) {
    uint64_t method = 0;
    if (!GuardedLoad64(runtime + layout.callee_save_methods + i * 8, &method) ||
        !IsRuntimeMethod(layout, static_cast<uintptr_t>(method))) {
      *why = "no callee-save methods at the front of the runtime structure";
      return false;
    }
    facts->callee_save[i] = static_cast<uintptr_t>(method);
  }
  return true;
}

std::string RuntimeKind(JNIEnv* env, jclass self_check) {
  const jmethodID id = env->GetMethodID(self_check, "<init>", "()V");
  env->ExceptionClear();
  // AOSP 11, runtime/jni/jni_id_manager.h: bit 0 tells an index.
  if ((reinterpret_cast<uintptr_t>(id) & 1U) != 0) return "index-ids" + Debuggable(env);
  std::string kind = "pointer-ids";
  const walk::LayoutTable table = walk::KnownLayouts();
  for (uint32_t i = 0; i < table.count; ++i) {
    const uintptr_t entry = EntryPointOf(table.rows[i], id);
    Dl_info module;
    if (entry == 0 || dladdr(reinterpret_cast<const void*>(entry), &module) == 0) continue;
    kind += "+" + std::to_string(entry - reinterpret_cast<uintptr_t>(module.dli_fbase));
    break;
  }
  return kind + Debuggable(env);
}

std::string RuntimeBuildId(JavaVM* vm) {
  BuildIdSearch search{reinterpret_cast<uintptr_t>(vm->functions->AttachCurrentThread), {}};
  dl_iterate_phdr(FindBuildId, &search);
  return search.id;
}

}  // namespace stillframe::art
