// SPDX-License-Identifier: Apache-2.0
#include "src/art/runtime_probe.h"

#include <dlfcn.h>
#include <jni.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "arch/arch.h"
#include "src/art/field_offset.h"
#include "src/art/framework_members.h"
#include "src/art/signal_catcher.h"
#include "src/core/clock.h"
#include "src/elf/loaded_library.h"
#include "src/elf/loaded_modules.h"
#include "src/names/dex_file.h"
#include "src/names/pointer_vector.h"
#include "src/os/duration.h"
#include "src/os/proc.h"
#include "src/unwind/frame_description.h"
#include "src/walk/method_check.h"
#include "src/walk/runtime_facts.h"
#include "src/walk/warm_facts.h"

namespace stillframe::art {
namespace {

using arch::GuardedLoad64;

// Finds the dex files of the boot class path. Code compiled ahead of time names inlined platform
// methods by their numbers (ART 13 and later).

constexpr uintptr_t kWord = sizeof(uintptr_t);
// Search limits in art::Runtime and in its class linker, whose first member is the vector.
constexpr uintptr_t kRuntimeWords = 512;
constexpr uintptr_t kLinkerWords = 4;
constexpr uintptr_t kMaxFiles = 512;

// Never destroyed: name resolution reads it until the process ends.
std::vector<uintptr_t>& BootDexFiles() {
  static auto& files = *new std::vector<uintptr_t>;
  return files;
}

bool IsDexFile(const walk::Layout& layout, uintptr_t file) {
  names::DexPlace place;
  return names::LoadDexPlace(layout, file, &place) &&
         names::DexFileReader(place.begin, place.size, place.data).IsDex();
}

// Reads the vector at `at`. True if all its elements are dex files and `first` is the first.
bool ReadFiles(const walk::Layout& layout, uintptr_t at, uintptr_t first,
               std::vector<uintptr_t>* files) {
  return names::ReadPointerVector(at, kMaxFiles, files) && files->front() == first &&
         std::ranges::all_of(
             *files, [&](uintptr_t file) { return IsDexFile(layout, file); });
}

uintptr_t DexFileOfObject(JNIEnv* env, const walk::Layout& layout) {
  jclass object = env->FindClass(framework::kObject);
  const jmethodID id = object == nullptr ? nullptr : IdOf(env, object, framework::kNewObject);
  env->ExceptionClear();
  if (id == nullptr) return 0;
  const uintptr_t method = MethodOf(env, object, id);
  env->DeleteLocalRef(object);
  uintptr_t file = 0;
  return walk::LoadDexFilePointer(layout, method, &file) ? file : 0;
}

// `runtime`: the art::Runtime*. Without a result, or on releases without such numbers, `facts` is
// unchanged.
// Context: start-up, a thread that is attached to the VM
void ProbeBootClassPath(JNIEnv* env, uintptr_t runtime, walk::RuntimeFacts* facts) {
  const walk::Layout& layout = *facts->layout;
  if (layout.code_info != walk::CodeInfoForm::k14) return;
  const uintptr_t first = DexFileOfObject(env, layout);
  std::vector<uintptr_t>& files = BootDexFiles();
  for (uintptr_t i = 0; first != 0 && files.empty() && i < kRuntimeWords; ++i) {
    uintptr_t linker = 0;
    std::vector<uintptr_t> found;
    if (!walk::LoadPointer(runtime + i * kWord, &linker) || linker % kWord != 0) continue;
    for (uintptr_t word = 0; linker != 0 && word < kLinkerWords; ++word) {
      if (!ReadFiles(layout, linker + word * kWord, first, &found)) continue;
      files = found;
      break;
    }
  }
  facts->boot_dex_files = files.data();
  facts->boot_dex_file_count = static_cast<uint32_t>(files.size());
}

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

// Finds mterp's code if certain. Without it the innermost line is that of the last call.
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

walk::WarmFacts& Warm() {
  static walk::WarmFacts warm;
  return warm;
}

walk::CodeIndex& SeenCode() {
  static walk::CodeIndex index;
  return index;
}

// Size limits for nterp, whose method header gives its size, about 60 KB. Other entry points of the
// runtime have no header; the words before them are arbitrary.
constexpr uint32_t kMinNterpBytes = 16 << 10;
constexpr uint32_t kMaxNterpBytes = 256 << 10;
constexpr uint32_t kHeaderSizeMask = 0x3fffffff;

// From ART 15 on no header gives the size (runtime/interpreter/mterp/*/main.S, OAT_ENTRY). The
// entry point's call frame information covers the instruction handlers; the few helpers after them
// remain unknown code.
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

bool IsNterp(const unwind::CodeModule& module, uintptr_t entry_point, walk::MethodHeader header,
             uint32_t* size) {
  *size = NterpBytes(module, entry_point, header);
  return *size >= kMinNterpBytes && *size <= kMaxNterpBytes && module.end - entry_point >= *size;
}

// Finds nterp where no method enters it, because methods are traced from the process's start on. It
// is the runtime's only long function with a method header (ART 11 runtime/instrumentation.cc,
// InstallStubsForMethod). 0: not found.
uintptr_t NterpByHeader(const unwind::CodeModule& module, walk::MethodHeader header) {
  if (module.header == 0 || header == walk::MethodHeader::kPlainCodeInfoOffset) return 0;
  const auto begin_of = [&](uint32_t row) {
    uint32_t begin = 0;
    return arch::GuardedLoad32(module.index() + row * 8, &begin)
               ? module.header + static_cast<uintptr_t>(static_cast<int32_t>(begin))
               : 0;
  };
  uintptr_t begin = begin_of(0);
  for (uint32_t row = 1; row < module.index_count; ++row) {
    const uintptr_t next = begin_of(row);
    const uintptr_t described = next - begin;
    uint32_t size = 0;
    // The size includes helpers that are described separately.
    if (described >= kMinNterpBytes && IsNterp(module, begin, header, &size) && size >= described &&
        size - described < described / 8)
      return begin;
    begin = next;
  }
  return 0;
}

void FindNterp(uintptr_t entry_point, walk::RuntimeFacts* facts) {
  unwind::CodeModule module;
  if (!facts->modules->Find(entry_point, &module)) return;
  const walk::MethodHeader header = facts->layout->method_header;
  uint32_t size = 0;
  if (!IsNterp(module, entry_point, header, &size)) entry_point = NterpByHeader(module, header);
  if (entry_point == 0 || !IsNterp(module, entry_point, header, &size)) return;
  facts->nterp_begin = entry_point;
  facts->nterp_end = entry_point + size;
}

uintptr_t EntryPointOf(const walk::Layout& layout, uintptr_t method) {
  uintptr_t entry_point = 0;
  if (!walk::WalkIsMethod(layout, method) ||
      !walk::LoadPointer(method + layout.method_entry_point, &entry_point))
    return 0;
  return arch::CodeAddress(entry_point);
}

// Whether this is one of the runtime's own methods: without a class, and with an index that no dex
// file has (ART 10, 11 and 14 runtime/art_method.h, kRuntimeMethodDexMethodIndex).
bool IsRuntimeMethod(const walk::Layout& layout, uintptr_t method) {
  uint32_t declaring_class = 0;
  uint32_t dex_index = 0;
  return method != 0 && method % layout.method_alignment == 0 &&
         arch::GuardedLoad32(method + layout.method_declaring_class, &declaring_class) &&
         declaring_class == 0 &&
         arch::GuardedLoad32(method + layout.method_dex_index, &dex_index) &&
         dex_index == UINT32_MAX;
}

std::string Debuggable(JNIEnv* env) { return IsDebuggable(env) ? "+debuggable" : ""; }

using GetCreatedJavaVms = jint (*)(JavaVM**, jsize, jsize*);

// Retries for the library of a runtime that has started. Each pause doubles; the sum is 127 ms.
constexpr uint32_t kMostMisses = 7;
std::atomic<uint32_t> g_misses{0};
std::atomic<uint64_t> g_next_look_ns{0};

// libart's function, which may be called at any time. libnativehelper's, which dlsym may find
// first, aborts before the process has chosen a runtime (Android 11,
// libnativehelper/JniInvocation.c). Searched only after a runtime has started, so that a waiting
// process does not keep reading its maps.
GetCreatedJavaVms FindGetCreatedJavaVms() {
  static std::atomic<GetCreatedJavaVms> found{nullptr};
  GetCreatedJavaVms function = found.load(std::memory_order_acquire);
  if (function != nullptr || FindSignalCatcher() == 0) return function;
  const uint64_t now_ns = core::MonotonicNs();
  if (HasForeignRuntime() || now_ns < g_next_look_ns.load(std::memory_order_relaxed))
    return nullptr;
  const std::string maps = elf::ReadOwnMaps();
  // Android's name, its debug build's, Debian's.
  for (const char* library : {"/libart.so", "/libartd.so", "/libart.so.0"}) {
    if (maps.find(library) == std::string::npos) continue;
    function = reinterpret_cast<GetCreatedJavaVms>(
        elf::FindSymbolInMaps(maps, library, "JNI_GetCreatedJavaVMs", elf::SymbolKind::kCode));
    if (function != nullptr) break;
  }
  found.store(function, std::memory_order_release);
  if (function == nullptr)
    g_next_look_ns.store(
        now_ns + (os::kNsPerMs << g_misses.fetch_add(1, std::memory_order_relaxed)),
        std::memory_order_relaxed);
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

// If the id is an index, reflection gives the method.
uintptr_t MethodOf(JNIEnv* env, jclass type, jmethodID id) {
  if (const uintptr_t pointer = PointerOfId(id); pointer != 0 || id == nullptr) return pointer;
  jclass executable = env->FindClass(framework::kExecutable);
  jfieldID art_method =
      executable != nullptr ? IdOf(env, executable, framework::kArtMethod) : nullptr;
  jobject reflected = art_method != nullptr ? env->ToReflectedMethod(type, id, JNI_FALSE) : nullptr;
  const jlong method = reflected != nullptr ? env->GetLongField(reflected, art_method) : 0;
  env->ExceptionClear();
  env->DeleteLocalRef(reflected);
  env->DeleteLocalRef(executable);
  return static_cast<uintptr_t>(method);
}

void ProbeCode(uintptr_t interpreted, uintptr_t native, walk::RuntimeFacts* facts) {
  const walk::Layout& layout = *facts->layout;
  elf::OpenLoadedModules(&Modules());
  facts->modules = &Modules();
  facts->code_index = &SeenCode();
  facts->warm = &Warm();
  if (layout.nterp_outs_alignment != 0) FindNterp(EntryPointOf(layout, interpreted), facts);
  ProbeGenericJni(EntryPointOf(layout, native), facts);
}

void ProbeGenericJni(uintptr_t inside, walk::RuntimeFacts* facts) {
  unwind::CodeModule module;
  unwind::FrameDescription description;
  if (Modules().Find(inside, &module) &&
      unwind::FindFrameDescription(module, inside, &description)) {
    facts->runtime_begin = module.begin;
    facts->runtime_end = module.end;
    facts->generic_jni_begin = description.code_begin;
    facts->generic_jni_end = description.code_end;
  }
}

bool HasVm() { return FindVm() != nullptr; }

bool HasForeignRuntime() { return g_misses.load(std::memory_order_relaxed) >= kMostMisses; }

JavaVM* FindStartedVm() {
  JavaVM* vm = FindVm();
  return vm != nullptr && os::FindThreadByName("Signal Catcher") != 0 ? vm : nullptr;
}

uintptr_t RuntimeThreadOf(const walk::Layout& layout, JNIEnv* env) {
  uintptr_t thread = 0;
  return walk::LoadPointer(reinterpret_cast<uintptr_t>(env) + layout.env_self, &thread) ? thread
                                                                                        : 0;
}

model::Outcome ProbeRuntime(const walk::Layout& layout, JavaVM* vm, JNIEnv* env,
                            walk::RuntimeFacts* facts) {
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
  if (facts->managed_stack == 0)
    return {model::Status::kUnavailable, "no JNIEnv* in the thread structure"};
  uintptr_t runtime = 0;
  if (!walk::LoadPointer(reinterpret_cast<uintptr_t>(vm) + layout.vm_runtime, &runtime))
    return {model::Status::kUnavailable, "no runtime behind the JavaVM*"};
  if (layout.callee_save_count > walk::kCalleeSaveMethods)
    return {model::Status::kUnavailable, "more callee-save methods than there are"};
  for (uint32_t i = 0; i < layout.callee_save_count; ++i) {
    uint64_t method = 0;
    if (!GuardedLoad64(runtime + layout.callee_save_methods + i * 8, &method) ||
        !IsRuntimeMethod(layout, static_cast<uintptr_t>(method))) {
      return {model::Status::kUnavailable,
              "no callee-save methods at the front of the runtime structure"};
    }
    facts->callee_save[i] = static_cast<uintptr_t>(method);
  }
  ProbeBootClassPath(env, runtime, facts);
  return {};
}

bool IsDebuggable(JNIEnv* env) {
  env->PushLocalFrame(4);
  jclass type = framework::ClassOrNull(env, framework::kVmRuntime);
  const jmethodID get = framework::IdOrNull(env, type, framework::kGetVmRuntime);
  const jmethodID ask = framework::IdOrNull(env, type, framework::kJavaDebuggable);
  const bool can_ask = get != nullptr && ask != nullptr;
  jobject runtime = can_ask ? env->CallStaticObjectMethod(type, get) : nullptr;
  const bool is_debuggable = runtime != nullptr && env->CallBooleanMethod(runtime, ask) == JNI_TRUE;
  const bool threw = env->ExceptionCheck();
  env->ExceptionClear();
  env->PopLocalFrame(nullptr);
  return is_debuggable && !threw;
}

std::string RuntimeKind(JNIEnv* env, jclass self_check) {
  const jmethodID id = env->GetMethodID(self_check, "<init>", "()V");
  env->ExceptionClear();
  const uintptr_t method = PointerOfId(id);
  if (method == 0 && id != nullptr) return "index-ids" + Debuggable(env);
  std::string kind = "pointer-ids";
  const walk::LayoutTable table = walk::KnownLayouts();
  for (uint32_t i = 0; i < table.count; ++i) {
    const uintptr_t entry = EntryPointOf(table.rows[i], method);
    Dl_info module;
    if (entry == 0 || dladdr(reinterpret_cast<const void*>(entry), &module) == 0) continue;
    kind += "+" + std::to_string(entry - reinterpret_cast<uintptr_t>(module.dli_fbase));
    break;
  }
  return kind + Debuggable(env);
}

std::string BuildIdOfLibraryAt(uintptr_t address) {
  BuildIdSearch search{address, {}};
  dl_iterate_phdr(FindBuildId, &search);
  return search.id;
}

std::string OwnBuildId() { return BuildIdOfLibraryAt(reinterpret_cast<uintptr_t>(&OwnBuildId)); }

std::string RuntimeBuildId(JavaVM* vm) {
  return BuildIdOfLibraryAt(reinterpret_cast<uintptr_t>(vm->functions->AttachCurrentThread));
}

}  // namespace stillframe::art
