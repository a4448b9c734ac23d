// SPDX-License-Identifier: Apache-2.0
#include "tests/testbed/quick_code/fixture.h"

#include <dlfcn.h>

#include <cstring>

namespace testbed::quick_code {
// Offsets on 64 bit. Sources: runtime/art_method.h (PtrSizedFields behind four words of 4 bytes,
// one of them gone in 14), runtime/runtime.h (class_linker_ before java_vm_),
// runtime/class_linker.h (the bridge behind the generic JNI trampoline), ART 10.0.0_r36,
// 11.0.0_r48 and 14.0.0_r15.
struct ReleaseFacts {
  int release;
  uint32_t method_entry_point;
  uint32_t method_dex_index;
  uint32_t method_code_item_offset;  // in the dex file's data; 0: data_ is the code item
  uint32_t class_linker_words_before_vm;
};

namespace {

constexpr ReleaseFacts kReleases[] = {{10, 32, 12, 8, 2}, {11, 32, 12, 8, 3}, {14, 24, 8, 0, 4}};
constexpr size_t kVmRuntime = 8;          // runtime/jni/java_vm_ext.h: {functions, runtime_}
constexpr size_t kRuntimeWords = 1024;    // more than Runtime has before java_vm_
constexpr size_t kClassLinkerWords = 96;  // less than the class has in any release
constexpr size_t kDataBeforeEntryPoint = 8;
constexpr size_t kMethodAccessFlags = 4;
constexpr uint32_t kFastInterpreterInvoke = 0x40000000;  // libdexfile/dex/modifiers.h of 10 and 11
constexpr size_t kClassDexCache = 16;                    // runtime/mirror/class.h of 10 and 11
constexpr size_t kDexCacheDexFile = 16;                  // runtime/mirror/dex_cache.h of 10 and 11
constexpr size_t kDexFileDataBegin = 24;                 // libdexfile/dex/dex_file.h of 10 and 11
constexpr size_t kCodeItemBytes = 16;                    // libdexfile/dex/standard_dex_file.h
constexpr uint64_t kIsCompactDex = 1;

constexpr const char* kNames[kKinds] = {"probe", "plain",    "large",       "ahead",
                                        "just",  "nterp",    "interpreted", "through",
                                        "leaf",  "spilling", "thrower",     "root"};

template <typename Value>
Value Load(uint64_t address) {
  Value value;
  memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

template <typename Value>
void Store(uint64_t address, Value value) {
  memcpy(reinterpret_cast<void*>(address), &value, sizeof value);
}

uint64_t ClassLinkerOf(const ReleaseFacts& facts, JavaVM* vm) {
  const auto runtime = Load<uint64_t>(reinterpret_cast<uint64_t>(vm) + kVmRuntime);
  for (uint64_t word = facts.class_linker_words_before_vm; word < kRuntimeWords; ++word)
    if (Load<JavaVM*>(runtime + word * 8) == vm)
      return Load<uint64_t>(runtime + (word - facts.class_linker_words_before_vm) * 8);
  return 0;
}

// The class linker keeps the stubs side by side; a native method shows which one is which.
uint64_t InterpreterBridge(uint64_t class_linker, uint64_t generic_jni_trampoline) {
  for (uint64_t word = 0; class_linker != 0 && word < kClassLinkerWords; ++word)
    if (Load<uint64_t>(class_linker + word * 8) == generic_jni_trampoline)
      return Load<uint64_t>(class_linker + (word + 1) * 8);
  return 0;
}

bool IsInRuntime(uint64_t address, JavaVM* vm) {
  Dl_info info;
  Dl_info runtime;
  return address != 0 && dladdr(reinterpret_cast<void*>(address), &info) != 0 &&
         dladdr(reinterpret_cast<void*>(vm->functions->AttachCurrentThread), &runtime) != 0 &&
         info.dli_fbase == runtime.dli_fbase;
}

}  // namespace

const char* NameOf(Kind kind) { return kNames[kind]; }

bool Fixture::Open(JNIEnv* env, jclass type) {
  for (uint32_t kind = 0; kind < kKinds; ++kind) {
    // A jmethodID is the ArtMethod* (runtime/jni/jni_internal.h, JniIdType::kPointer).
    ids_[kind] = env->GetStaticMethodID(type, kNames[kind], "(I)I");
    if (ids_[kind] == nullptr) return false;
    methods_[kind] = reinterpret_cast<uint64_t>(ids_[kind]);
  }
  for (const char* name : {"aheadInner", "aheadInnermost", "justInner", "justInnermost"}) {
    const jmethodID id = env->GetStaticMethodID(type, name, "(I)I");
    if (id == nullptr) return false;
    inner_[name] = reinterpret_cast<uint64_t>(id);
  }
  return area_.IsOpen();
}

uintptr_t Fixture::EntryOf(Kind kind) const {
  return Load<uint64_t>(methods_[kind] + facts_->method_entry_point);
}

uintptr_t Fixture::InstructionsOf(uint64_t method) const {
  if (facts_->method_code_item_offset == 0) {
    const auto data = Load<uint64_t>(method + facts_->method_entry_point - kDataBeforeEntryPoint);
    return (data & ~kIsCompactDex) + kCodeItemBytes;
  }
  const uint64_t declaring_class = Load<uint32_t>(method);
  const uint64_t dex_cache = Load<uint32_t>(declaring_class + kClassDexCache);
  const auto dex_file = Load<uint64_t>(dex_cache + kDexCacheDexFile);
  return Load<uint64_t>(dex_file + kDexFileDataBegin) +
         Load<uint32_t>(method + facts_->method_code_item_offset) + kCodeItemBytes;
}

void Fixture::Learn(const std::vector<OracleFrame>& stack) {
  for (size_t i = 0; i + 1 < stack.size(); ++i)
    dex_pcs_[{stack[i + 1].method, stack[i].method}] = stack[i + 1].dex_pc;
}

std::optional<uint32_t> Fixture::DexPc(uint64_t caller, uint64_t callee) const {
  const auto found = dex_pcs_.find({caller, callee});
  if (found == dex_pcs_.end()) return std::nullopt;
  return found->second;
}

std::vector<CallSite> Fixture::SitesOf(uint64_t caller) const {
  std::vector<CallSite> sites(kKinds);
  for (uint32_t kind = 0; kind < kKinds; ++kind)
    if (const auto dex_pc = DexPc(caller, methods_[kind]))
      sites[kind] = {methods_[kind], *dex_pc, {}};
  return sites;
}

std::vector<CallSite> Fixture::InlinedSites(uint64_t outer, uint64_t inner, uint64_t innermost,
                                            std::optional<uint32_t> index_at) const {
  std::vector<CallSite> sites = SitesOf(innermost);
  for (CallSite& site : sites) {
    if (site.callee == 0) continue;
    InlinedMethod first{inner, 0, false, DexPc(inner, innermost).value_or(0)};
    InlinedMethod second{innermost, 0, false, site.dex_pc};
    for (InlinedMethod* method : {&first, &second}) {
      if (!index_at) continue;
      method->is_by_index = true;
      method->method_index = Load<uint32_t>(method->art_method + *index_at);
    }
    site.dex_pc = DexPc(outer, inner).value_or(0);
    site.inlined = {first, second};
  }
  return sites;
}

bool Fixture::Put(int release, Kind kind, const CompiledMethod& method) {
  const uintptr_t entry = area_.Place(release, method.description, method.code);
  installed_.push_back({kind, entry, method});
  return entry != 0;
}

bool Fixture::Install(int release, JavaVM* vm, std::string* why) {
  for (const ReleaseFacts& row : kReleases)
    if (row.release == release) facts_ = &row;
  *why = "the release is not known";
  if (facts_ == nullptr) return false;
  const uint32_t entry_point = facts_->method_entry_point;
  const auto generic_jni = Load<uint64_t>(methods_[kProbe] + entry_point);
  const uint64_t bridge = InterpreterBridge(ClassLinkerOf(*facts_, vm), generic_jni);
  *why = "no bridge to the interpreter in the class linker";
  if (!IsInRuntime(generic_jni, vm) || !IsInRuntime(bridge, vm)) return false;
  *why = "no room for the code";
  const bool placed =
      Put(release, kPlain, CompileCaller({}, SitesOf(methods_[kPlain]), entry_point)) &&
      Put(release, kLarge, CompileCaller({4512, true}, SitesOf(methods_[kLarge]), entry_point)) &&
      Put(release, kAhead,
          CompileCaller({24, false},
                        InlinedSites(methods_[kAhead], inner_["aheadInner"],
                                     inner_["aheadInnermost"], facts_->method_dex_index),
                        entry_point)) &&
      Put(release, kJust,
          CompileCaller({40, true},
                        InlinedSites(methods_[kJust], inner_["justInner"], inner_["justInnermost"],
                                     std::nullopt),
                        entry_point)) &&
      Put(release, kLeaf, CompileLeaf()) && Put(release, kSpilling, CompileSpillingLeaf());
  if (!placed || !area_.Seal()) return false;
  for (const Installed& installed : installed_) {
    const uint64_t method = methods_[installed.kind];
    Store<uint64_t>(method + entry_point, installed.entry);
    // As ArtMethod::SetEntryPointFromQuickCompiledCode of 10 and 11 does, or the interpreter calls
    // the method without a look at its entry point.
    const auto flags = Load<uint32_t>(method + kMethodAccessFlags);
    if (release < 14) Store<uint32_t>(method + kMethodAccessFlags, flags & ~kFastInterpreterInvoke);
  }
  Store<uint64_t>(methods_[kInterpreted] + entry_point, bridge);
  why->clear();
  return true;
}

}  // namespace testbed::quick_code
