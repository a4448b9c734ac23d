// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/naming/symbol_file.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace stillframe::naming {
namespace {

constexpr size_t kMaxInlined = 256;

struct DwflEnd {
  void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};

// Frees a list of scopes that libdw allocated.
struct Freed {
  void operator()(void* memory) const { std::free(memory); }
};
using Scopes = std::unique_ptr<Dwarf_Die, Freed>;

// Code range of one compilation unit.
struct UnitRange {
  uint64_t begin;
  uint64_t end;
  Dwarf_Die unit;
};

std::string TextOf(Dwarf_Die* entry, unsigned attribute) {
  Dwarf_Attribute found;
  const char* const text = dwarf_formstring(dwarf_attr_integrate(entry, attribute, &found));
  return text == nullptr ? "" : text;
}

std::string LinkageName(Dwarf_Die* entry) {
  const std::string name = TextOf(entry, DW_AT_linkage_name);
  return name.empty() ? TextOf(entry, DW_AT_MIPS_linkage_name) : name;
}

// File names may be relative to the unit's compilation folder.
std::string PlaceText(Dwarf_Die* unit, const char* file, int line) {
  if (file == nullptr) return {};
  std::string place = file;
  const std::string folder = file[0] == '/' ? "" : TextOf(unit, DW_AT_comp_dir);
  if (!folder.empty()) place.insert(0, folder + "/");
  return line > 0 ? place + ":" + std::to_string(line) : place;
}

// Place at which an inlined function was called.
std::string CallPlace(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
      dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 ||
      dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count || line > INT32_MAX)
    return {};
  return PlaceText(unit, dwarf_filesrc(files, file, nullptr, nullptr), static_cast<int>(line));
}

bool IsFunction(Dwarf_Die* entry) {
  const int tag = dwarf_tag(entry);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point;
}

}  // namespace

class SymbolFile::Impl {
 public:
  bool Open(const std::string& path, const std::string& debug_path) {
    debug_path_ = debug_path;
    dwfl_.reset(dwfl_begin(&kCallbacks));
    if (dwfl_ == nullptr) return false;
    dwfl_report_begin(dwfl_.get());
    module_ = dwfl_report_offline(dwfl_.get(), path.c_str(), path.c_str(), -1);
    if (module_ == nullptr || dwfl_report_end(dwfl_.get(), nullptr, nullptr) != 0) return false;
    void** own = nullptr;
    dwfl_module_info(module_, &own, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    *own = this;
    if (dwfl_module_getelf(module_, &bias_) == nullptr) return false;
    if (dwfl_module_getdwarf(module_, &dwarf_bias_) != nullptr) AddUnits();
    return true;
  }

  std::vector<CodePlace> PlacesOf(uint64_t address) {
    const std::string symbol = Symbol(address + bias_);
    std::vector<CodePlace> places = Described(address + bias_ - dwarf_bias_, symbol);
    if (places.empty() && !symbol.empty()) places.push_back({symbol, ""});
    return places;
  }

 private:
  static int FindDebugInfo(Dwfl_Module*, void** own, const char*, Dwarf_Addr, const char*,
                           const char*, GElf_Word, char**) {
    const auto* const impl = static_cast<const Impl*>(*own);
    return impl == nullptr || impl->debug_path_.empty()
               ? -1
               : open(impl->debug_path_.c_str(), O_RDONLY | O_CLOEXEC);
  }
  static constexpr Dwfl_Callbacks kCallbacks = {
      .find_elf = nullptr,
      .find_debuginfo = FindDebugInfo,
      .section_address = dwfl_offline_section_address,
      .debuginfo_path = nullptr,
  };

  void AddUnits() {
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module_, unit, &bias)) != nullptr;) {
      Dwarf_Addr base = 0;
      Dwarf_Addr begin = 0;
      Dwarf_Addr end = 0;
      for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0;)
        if (begin < end) units_.push_back({begin, end, *unit});
    }
    std::sort(units_.begin(), units_.end(),
              [](const UnitRange& a, const UnitRange& b) { return a.begin < b.begin; });
  }

  Dwarf_Die* UnitOf(uint64_t address) {
    const auto next =
        std::upper_bound(units_.begin(), units_.end(), address,
                         [](uint64_t value, const UnitRange& unit) { return value < unit.begin; });
    if (next == units_.begin() || address >= (next - 1)->end) return nullptr;
    return &(next - 1)->unit;
  }

  // Uses the debugging information; empty if it does not cover the address. It lacks linkage names
  // for functions with internal linkage: the function that is not inlined then gets `symbol`, from
  // the symbol table.
  std::vector<CodePlace> Described(uint64_t address, const std::string& symbol) {
    std::vector<CodePlace> places;
    Dwarf_Die* const unit = UnitOf(address);
    if (unit == nullptr) return places;
    std::string place;
    if (Dwarf_Line* const line = dwarf_getsrc_die(unit, address); line != nullptr) {
      int number = 0;
      dwarf_lineno(line, &number);
      place = PlaceText(unit, dwarf_linesrc(line, nullptr, nullptr), number);
    }
    Dwarf_Die* found = nullptr;
    const int inner_count = dwarf_getscopes(unit, address, &found);
    const Scopes inner(found);
    int function = 0;
    while (function < inner_count && !IsFunction(inner.get() + function)) ++function;
    if (function < inner_count) {
      // An inlined function's outer scopes are those of its definition; these are those of its
      // call.
      Dwarf_Die* around = nullptr;
      const int count = dwarf_getscopes_die(inner.get() + function, &around);
      const Scopes scopes(around);
      for (int i = 0; i < count && places.size() < kMaxInlined; ++i) {
        Dwarf_Die* const scope = scopes.get() + i;
        if (!IsFunction(scope)) continue;
        const bool is_inlined = dwarf_tag(scope) == DW_TAG_inlined_subroutine;
        std::string name = LinkageName(scope);
        if (name.empty() && !is_inlined) name = symbol;
        places.push_back({name.empty() ? TextOf(scope, DW_AT_name) : name, place});
        if (!is_inlined) break;
        place = CallPlace(unit, scope);
      }
    }
    if (places.empty() && !place.empty()) places.push_back({symbol, place});
    return places;
  }

  // From the symbol table; ignores symbols without a size.
  std::string Symbol(uint64_t address) {
    GElf_Off offset = 0;
    GElf_Sym symbol = {};
    const char* const name =
        dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr);
    return name != nullptr && offset < symbol.st_size ? name : "";
  }

  std::string debug_path_;
  std::unique_ptr<Dwfl, DwflEnd> dwfl_;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr bias_ = 0;        // libdwfl's addresses minus the file's
  Dwarf_Addr dwarf_bias_ = 0;  // libdwfl's addresses minus the debugging information's
  std::vector<UnitRange> units_;
};

SymbolFile::SymbolFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SymbolFile::~SymbolFile() = default;

std::unique_ptr<SymbolFile> SymbolFile::Open(const std::string& path,
                                             const std::string& debug_path) {
  auto impl = std::make_unique<Impl>();
  if (!impl->Open(path, debug_path)) return nullptr;
  return std::unique_ptr<SymbolFile>(new SymbolFile(std::move(impl)));
}

std::vector<CodePlace> SymbolFile::PlacesOf(uint64_t address) const {
  return impl_->PlacesOf(address);
}

}  // namespace stillframe::naming
