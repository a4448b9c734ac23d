// SPDX-License-Identifier: Apache-2.0
// Who took the time in question: parts of one bar, and a line for each.

import { useMemo } from "preact/hooks";
import type { Contributor, Dump } from "./data";
import { counted, duration, seconds, share, withoutPackages } from "./format";
import { Fold, Section } from "./section";

const MOST_ROWS = 12;
const LEAST = 2; // percent; what is less is folded

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

const barOf = ({ cause }: Contributor): string => BARS[cause] ?? "kind-other";

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
  const token = contributor.tokens.find((each) => known.has(each));
  return (
    <tr>
      <td aria-hidden="true">
        <i class={barOf(contributor)} />
      </td>
      <td class="n">{share(contributor.time, window)}</td>
      <td class="n">{duration(contributor.time)}</td>
      <td title={contributor.methods.map(([method, place, own]) => `${method} ${place} ${duration(own)}`).join("\n")}>
        {token === undefined ? (
          withoutPackages(contributor.text)
        ) : (
          <a href={`#m${token}`} onClick={() => choose(token)}>
            {withoutPackages(contributor.text)}
          </a>
        )}
      </td>
    </tr>
  );
}

export function Contributors({ dump, choose }: { dump: Dump; choose: (token: string) => void }) {
  const { contributors, window } = dump.verdict;
  const known = useMemo(() => new Set(dump.messages.map((message) => message.token)), [dump]);
  if (contributors.length === 0) return null;
  const large = contributors.filter((each) => each.time * 100 >= window * LEAST).slice(0, MOST_ROWS);
  const small = contributors.slice(large.length);
  const smallTime = small.reduce((sum, each) => sum + each.time, 0);
  const rows = (list: Contributor[]) =>
    list.map((contributor) => <Row contributor={contributor} window={window} known={known} choose={choose} />);
  return (
    <Section id="contributors" title={`Where the ${seconds(window)} went`}>
      <div class="whole" aria-hidden="true">
        {contributors.map((each) => (
          <i class={barOf(each)} style={{ flexGrow: each.time }} />
        ))}
      </div>
      <table>
        <tbody>{rows(large)}</tbody>
      </table>
      {small.length > 0 && (
        <Fold
          id="smaller"
          summary={`${counted(small.length, "smaller one")}, ${duration(smallTime)} (${share(smallTime, window)})`}
        >
          <table>
            <tbody>{rows(small)}</tbody>
          </table>
        </Fold>
      )}
    </Section>
  );
}
