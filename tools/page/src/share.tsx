// SPDX-License-Identifier: Apache-2.0
// Texts for sharing: a link to the current place, and the verdict for a bug tracker.

import { useState } from "preact/hooks";
import { copy } from "./clipboard";
import type { Report } from "./data";
import { markdownOf } from "./markdown";
import { stackText, type Stack } from "./stack";
import { hashOf, type Place } from "./place";

export function Share({ report, place, stack }: { report: Report; place: Place; stack: Stack | null }) {
  const [done, setDone] = useState("");
  const take = (what: string, text: string): void => void copy(text).then((became) => setDone(`${what}: ${became}`));
  // A local path is useless to others, so for a file only its name is copied.
  const address = (): string => {
    const [whole = ""] = location.href.split("#");
    return (
      (location.protocol === "file:" ? decodeURIComponent(whole.split("/").at(-1)!) : whole) + hashOf(report, place)
    );
  };
  return (
    <p class="tools" id="share">
      <button
        type="button"
        onClick={() => take("verdict", markdownOf(report.dumps[place.dump]!, stack, report.version))}
      >
        Copy as Markdown
      </button>
      {stack && (
        <button type="button" onClick={() => take("stack", stackText(stack))}>
          Copy stack
        </button>
      )}
      <button type="button" onClick={() => take("link", address())}>
        Copy link
      </button>
      <span role="status" id="shared">
        {done}
      </span>
    </p>
  );
}
