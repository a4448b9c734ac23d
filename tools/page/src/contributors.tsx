// SPDX-License-Identifier: Apache-2.0
// Contributors to the time in question: parts of one bar, and a line for each.

import { useMemo } from "preact/hooks";
import type { Contributor, Dump } from "./data";
import { counted, duration, seconds, share, withoutPackages } from "./format";
import { COLOUR_OF_CAUSE, markOf } from "./palette";
import { Fold, Section } from "./section";

const MOST_ROWS = 12;
const LEAST = 2; // percent; smaller ones are folded

const barOf = ({ cause }: Contributor): string => markOf(COLOUR_OF_CAUSE[cause]);

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
  const token = contributor.tokens.map(String).find((each) => known.has(each));
  return (
    <tr>
      <td aria-hidden="true">
        <i class={barOf(contributor)} />
      </td>
      <td class="n">{share(contributor.ns, window)}</td>
      <td class="n">{duration(contributor.ns / 1000)}</td>
      <td
        title={contributor.methods
          .map(({ method, place, self_us }) => `${method} ${place} ${duration(self_us)}`)
          .join("\n")}
      >
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
  const { contributors, window_ns: window } = dump.verdict;
  const known = useMemo(() => new Set(dump.messages.map((message) => message.token)), [dump]);
  if (contributors.length === 0) return null;
  const large = contributors.filter((each) => each.ns * 100 >= window * LEAST).slice(0, MOST_ROWS);
  const small = contributors.slice(large.length);
  const smallTime = small.reduce((sum, each) => sum + each.ns, 0);
  const rows = (list: Contributor[]) =>
    list.map((contributor) => <Row contributor={contributor} window={window} known={known} choose={choose} />);
  return (
    <Section id="contributors" title={`Where the ${seconds(window / 1000)} went`}>
      <div class="whole" aria-hidden="true">
        {contributors.map((each) => (
          <i class={barOf(each)} style={{ flexGrow: each.ns }} />
        ))}
      </div>
      <table>
        <tbody>{rows(large)}</tbody>
      </table>
      {small.length > 0 && (
        <Fold
          id="smaller"
          summary={`${counted(small.length, "smaller one")}, ${duration(smallTime / 1000)} (${share(smallTime, window)})`}
        >
          <table>
            <tbody>{rows(small)}</tbody>
          </table>
        </Fold>
      )}
    </Section>
  );
}
