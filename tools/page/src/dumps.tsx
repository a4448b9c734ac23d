// SPDX-License-Identifier: Apache-2.0
// Several dumps in one page: grouped by Matrix's key of the stack to blame, the costliest first.

import type { Dump } from "./data";
import { count, counted, duration } from "./format";
import { Section } from "./section";

const MOST_OF_GROUP = 100;

function KeyOf({ dump }: { dump: Dump }) {
  const { key, method } = dump.stackKey;
  return method ? (
    <>
      <code>{method}</code> <span class="quiet">stack key {key}</span>
    </>
  ) : (
    <span>without a stack: {key.replaceAll("-", " ")}</span>
  );
}

export function Dumps({ dumps, chosen, choose }: { dumps: Dump[]; chosen: number; choose: (dump: number) => void }) {
  const groups = new Map<string, number[]>();
  for (const [index, dump] of dumps.entries()) {
    const group = groups.get(dump.stackKey.key);
    if (group) group.push(index);
    else groups.set(dump.stackKey.key, [index]);
  }
  const cost = (indices: number[]): number => indices.reduce((sum, index) => sum + dumps[index]!.cost, 0);
  const sorted = [...groups.values()].map((indices) => indices.sort((a, b) => dumps[b]!.cost - dumps[a]!.cost));
  sorted.sort((a, b) => cost(b) - cost(a));
  return (
    <Section id="dumps" title={`${count(dumps.length)} dumps, ${counted(sorted.length, "stack")}`}>
      <div class="scroll" tabIndex={0} role="group" aria-label="Dumps">
        {sorted.map((indices) => (
          <details open={sorted.length <= 12 || indices.includes(chosen)}>
            <summary>
              <b>{duration(cost(indices))}</b> in {counted(indices.length, "dump")} <KeyOf dump={dumps[indices[0]!]!} />
            </summary>
            <ul class="dumps">
              {indices.slice(0, MOST_OF_GROUP).map((index) => (
                <li class={index === chosen ? "chosen" : ""}>
                  <button type="button" class="plain" aria-pressed={index === chosen} onClick={() => choose(index)}>
                    <b>{duration(dumps[index]!.cost)}</b> {dumps[index]!.name}{" "}
                    <span class="quiet">
                      {dumps[index]!.process}, {dumps[index]!.taken}
                    </span>
                  </button>
                  <div>{dumps[index]!.verdict.sentence}</div>
                </li>
              ))}
            </ul>
            {indices.length > MOST_OF_GROUP && (
              <p class="quiet">{count(indices.length - MOST_OF_GROUP)} cheaper ones are not listed.</p>
            )}
          </details>
        ))}
      </div>
    </Section>
  );
}
