// SPDX-License-Identifier: Apache-2.0
// What a reader takes along: a link to what is shown, the verdict for a bug tracker.

import { useState } from "preact/hooks";
import { copy } from "./clipboard";
import type { Report } from "./data";
import { markdownOf } from "./markdown";
import { hashOf, type Place } from "./place";

export function Share({ report, place }: { report: Report; place: Place }) {
  const [done, setDone] = useState("");
  const take = (what: string, text: string): void => void copy(text).then((became) => setDone(`${what}: ${became}`));
  const address = (): string => location.href.replace(/#.*$/s, "") + hashOf(report, place);
  return (
    <p class="tools" id="share">
      <button type="button" onClick={() => take("verdict", markdownOf(report, place.dump))}>
        Copy as Markdown
      </button>
      <button type="button" onClick={() => take("link", address())}>
        Copy link to this view
      </button>
      <span role="status" id="shared">
        {done}
      </span>
    </p>
  );
}
