// SPDX-License-Identifier: Apache-2.0
// Copies text to the clipboard.

// Returns the result for the reader.
export async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    // Some browsers have no clipboard for files. The old method needs a selection.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? "copied" : "the browser did not let it be copied";
  }
}
