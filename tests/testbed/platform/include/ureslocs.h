// SPDX-License-Identifier: Apache-2.0
// ICU's private header of this name: the bundles that libcore_icu_ICU.cpp opens. Debian ships ICU's
// public ones alone.
#pragma once

#define U_ICUDATA_CURR U_ICUDATA_NAME "-curr"
#define U_ICUDATA_LANG U_ICUDATA_NAME "-lang"
#define U_ICUDATA_REGION U_ICUDATA_NAME "-region"
#define U_ICUDATA_UNIT U_ICUDATA_NAME "-unit"
#define U_ICUDATA_ZONE U_ICUDATA_NAME "-zone"
