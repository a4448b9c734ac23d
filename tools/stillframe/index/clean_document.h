// SPDX-License-Identifier: Apache-2.0
// Makes a dump's texts clean, once, after it was read and its names were restored: rules, renderers
// and exports show them as they are then.
#pragma once

#include "src/model/document.h"

namespace stillframe::index {

// Every text of `document` becomes clean text (clean_text.h). The Signal Catcher's report keeps its
// line feeds. Frames whose texts become equal become one frame; samples keep their number, times
// and weights.
void CleanDocument(model::Document* document);

}  // namespace stillframe::index
