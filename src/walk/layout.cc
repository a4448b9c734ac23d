// SPDX-License-Identifier: Apache-2.0
#include "src/walk/layout.h"

#include <iterator>

#include "src/walk/layout_rows.h"

namespace stillframe::walk {
namespace {

template <uint32_t kPointerBytes>
constexpr Layout kRows[] = {Art16(kPointerBytes), Art15Qpr2(kPointerBytes), Art15(kPointerBytes),
                            Art14(kPointerBytes), Art13(kPointerBytes),     Art12(kPointerBytes),
                            Art11(kPointerBytes), Art10(kPointerBytes),     Art9(kPointerBytes),
                            Art8(kPointerBytes)};

template <uint32_t kPointerBytes>
constexpr LayoutTable kTable = {std::data(kRows<kPointerBytes>), std::size(kRows<kPointerBytes>)};

}  // namespace

LayoutTable LayoutsOf(uint32_t pointer_bytes) { return pointer_bytes == 4 ? kTable<4> : kTable<8>; }

}  // namespace stillframe::walk
