// SPDX-License-Identifier: Apache-2.0
// Texts for elsewhere.

// Returns what became of it.
export async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    // Files have no clipboard in some browsers: the old way needs a selection.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? "copied" : "the browser did not let it be copied";
  }
}
