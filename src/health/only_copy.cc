// SPDX-License-Identifier: Apache-2.0
#include "src/health/only_copy.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include <atomic>
#include <cstdint>

// Not 0: this copy owns the process. Writer: the thread that starts or ends it. Readers: other
// copies.
// Both sequentially consistent: of two copies that start, one must see the other's. Found by the
// note.
extern "C" {
[[gnu::used, gnu::visibility("hidden")]] std::atomic<uint32_t> stillframe_has_process{0};
}
static_assert(sizeof stillframe_has_process == sizeof(uint32_t));

// Owner, type and content of the note: the distance to the word. Copies of other releases read it,
// so its format is fixed.
asm(".pushsection .note.stillframe, \"a\", %note\n"
    ".balign 4\n"
    ".long 11, 4, 1\n"
    ".asciz \"Stillframe\"\n"
    ".balign 4\n"
    ".long stillframe_has_process - .\n"
    ".popsection\n");

namespace stillframe::os {
namespace {

constexpr char kOwner[] = "Stillframe";
constexpr uint32_t kType = 1;

// Reads only inside a loaded, readable part of the library: packers may write anything into
// headers.
bool IsMapped(const dl_phdr_info& info, uintptr_t begin, size_t bytes, uint32_t flags) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    const uintptr_t at = begin - (info.dlpi_addr + part.p_vaddr);
    if (part.p_type == PT_LOAD && (part.p_flags & flags) == flags && at < part.p_memsz &&
        bytes <= part.p_memsz - at)
      return true;
  }
  return false;
}

// The word of a library's copy; null if it has none.
const std::atomic<uint32_t>* FindWord(const dl_phdr_info& info, const ElfW(Phdr) & notes) {
  const uintptr_t begin = info.dlpi_addr + notes.p_vaddr;
  if (!IsMapped(info, begin, notes.p_memsz, PF_R)) return nullptr;
  const uint64_t align = notes.p_align == 8 ? 8 : 4;
  const auto place = [begin](uint64_t at) { return begin + static_cast<uintptr_t>(at); };
  const auto round_up = [align](uint64_t bytes) { return (bytes + align - 1) & ~(align - 1); };
  for (uint64_t at = 0; at + sizeof(ElfW(Nhdr)) <= notes.p_memsz;) {
    ElfW(Nhdr) note;
    memcpy(&note, reinterpret_cast<const void*>(place(at)), sizeof note);
    const uint64_t owner = at + sizeof note;
    const uint64_t content = owner + round_up(note.n_namesz);
    at = content + round_up(note.n_descsz);
    int32_t distance = 0;
    if (note.n_type != kType || note.n_namesz != sizeof kOwner ||
        note.n_descsz != sizeof distance || content + sizeof distance > notes.p_memsz ||
        memcmp(reinterpret_cast<const void*>(place(owner)), kOwner, sizeof kOwner) != 0)
      continue;
    memcpy(&distance, reinterpret_cast<const void*>(place(content)), sizeof distance);
    const uintptr_t word = place(content) + static_cast<uintptr_t>(intptr_t{distance});
    if (word % alignof(std::atomic<uint32_t>) == 0 &&
        IsMapped(info, word, sizeof(uint32_t), PF_R | PF_W))
      return reinterpret_cast<const std::atomic<uint32_t>*>(word);
  }
  return nullptr;
}

int LookAt(dl_phdr_info* info, size_t, void* found) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_NOTE) continue;
    const std::atomic<uint32_t>* word = FindWord(*info, info->dlpi_phdr[i]);
    if (word == nullptr || word == &stillframe_has_process || word->load() == 0) continue;
    // Still under the linker's lock, so that the next copy does not see this one.
    stillframe_has_process.store(0);
    const bool is_named = info->dlpi_name != nullptr && info->dlpi_name[0] != '\0';
    *static_cast<std::string*>(found) = is_named ? info->dlpi_name : "the program itself";
    return 1;
  }
  return 0;
}

}  // namespace

std::string ClaimProcess() {
  stillframe_has_process.store(1);
  std::string other;
  dl_iterate_phdr(LookAt, &other);
  return other;
}

void ReleaseProcess() { stillframe_has_process.store(0); }

}  // namespace stillframe::os
