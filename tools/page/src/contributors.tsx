// SPDX-License-Identifier: Apache-2.0
// Who took the time in question: a bar for each, which together are all of it.

import type { Contributor, Verdict } from "./data";
import { counted, duration, share } from "./format";

const MOST_ROWS = 12;
const LEAST_WITH_METHODS = 5; // percent

// The class of a bar: what the timeline and the flame graphs colour alike.
const BARS: Record<string, string> = {
  work: "kind-app",
  "quick-messages": "class-quick",
  sleep: "kind-sleeping",
  wait: "kind-waiting",
  lock: "kind-blocked",
  binder: "kind-binder",
  "input-output": "kind-io",
  runtime: "kind-runtime",
  "no-cpu": "kind-ready",
  "standing-still": "kind-waiting",
  outside: "class-idle",
  barrier: "barrier",
  frozen: "class-frozen",
  unseen: "class-lost",
};

function Row({
  contributor,
  window,
  known,
  choose,
}: {
  contributor: Contributor;
  window: number;
  known: Set<string>;
  choose: (token: string) => void;
}) {
  const percent = (100 * contributor.time) / window;
  const token = contributor.tokens.find((each) => known.has(each));
  return (
    <tr>
      <td class="n">{share(contributor.time, window)}</td>
      <td class="n">{duration(contributor.time)}</td>
      <td class="share" aria-hidden="true">
        <i class={BARS[contributor.cause] ?? "kind-other"} style={{ width: `${percent}%` }} />
      </td>
      <td>
        {token === undefined ? (
          contributor.text
        ) : (
          <a href={`#m${token}`} onClick={() => choose(token)}>
            {contributor.text}
          </a>
        )}
        {percent >= LEAST_WITH_METHODS && contributor.methods.length > 0 && (
          <div class="quiet">
            {contributor.methods.map(([method, place, own], i) => (
              <>
                {i > 0 && ", "}
                <code>{method}</code> {place} {duration(own)}
              </>
            ))}
          </div>
        )}
      </td>
    </tr>
  );
}

export function Contributors({
  verdict,
  known,
  choose,
}: {
  verdict: Verdict;
  known: Set<string>;
  choose: (token: string) => void;
}) {
  const { contributors, window } = verdict;
  if (contributors.length === 0) return null;
  const left = contributors.slice(MOST_ROWS);
  const leftTime = left.reduce((sum, each) => sum + each.time, 0);
  return (
    <table id="contributors">
      <caption>Where the {duration(window)} went</caption>
      <tbody>
        {contributors.slice(0, MOST_ROWS).map((contributor) => (
          <Row contributor={contributor} window={window} known={known} choose={choose} />
        ))}
        {left.length > 0 && (
          <tr>
            <td class="n">{share(leftTime, window)}</td>
            <td class="n">{duration(leftTime)}</td>
            <td />
            <td>{counted(left.length, "smaller one")}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
