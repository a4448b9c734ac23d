// SPDX-License-Identifier: Apache-2.0
// Cleans all texts of a dump once, after reading it and restoring its names. Judge, renderers and
// exports show them unchanged.
#pragma once

#include "src/model/document.h"

namespace stillframe::input {

// Makes every text of `document` clean text (clean_text.h). The Signal Catcher's report keeps its
// line feeds. Frames whose texts become equal are merged; samples keep their number and
// times. Their weights lose the frozen time (frozen_time.h).
void CleanDocument(model::Document* document);

}  // namespace stillframe::input
