// SPDX-License-Identifier: Apache-2.0
// ICU's private header of this name: a C++ enumeration over a C one, which libcore_icu_ICU.cpp
// uses.
#pragma once

#include <unicode/strenum.h>
#include <unicode/uenum.h>

U_NAMESPACE_BEGIN

class UStringEnumeration : public StringEnumeration {
 public:
  explicit UStringEnumeration(UEnumeration* owned) : owned_(owned) {}
  ~UStringEnumeration() override { uenum_close(owned_); }

  int32_t count(UErrorCode& status) const override { return uenum_count(owned_, &status); }

  const UnicodeString* snext(UErrorCode& status) override {
    int32_t length = 0;
    const UChar* text = uenum_unext(owned_, &length, &status);
    if (text == nullptr || U_FAILURE(status)) return nullptr;
    text_.setTo(text, length);
    return &text_;
  }

  void reset(UErrorCode& status) override { uenum_reset(owned_, &status); }
  UClassID getDynamicClassID() const override { return nullptr; }

 private:
  UEnumeration* owned_;
  UnicodeString text_;
};

U_NAMESPACE_END
