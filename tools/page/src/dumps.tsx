// Several dumps in one page: grouped by the stack to blame, the costliest first.

import type { Dump } from "./data";
import { count, counted, duration } from "./format";
import { Section } from "./section";

export function Dumps({ dumps, chosen, choose }: { dumps: Dump[]; chosen: number; choose(dump: number): void }) {
  const groups = new Map<string, number[]>();
  for (const [index, dump] of dumps.entries()) {
    groups.set(dump.stackKey, [...(groups.get(dump.stackKey) ?? []), index]);
  }
  const cost = (indices: number[]): number => indices.reduce((sum, index) => sum + dumps[index]!.cost, 0);
  const sorted = [...groups].map(([key, indices]) => ({ key, indices: indices.sort((a, b) => dumps[b]!.cost - dumps[a]!.cost) }));
  sorted.sort((a, b) => cost(b.indices) - cost(a.indices));
  return (
    <Section id="dumps" title={`${count(dumps.length)} dumps, ${counted(sorted.length, "stack")}`}>
      {sorted.map(({ key, indices }) => (
        <details open={sorted.length <= 12 || indices.includes(chosen)}>
          <summary><b>{duration(cost(indices))}</b> in {counted(indices.length, "dump")} <code>{key}</code></summary>
          <ul class="dumps">
            {indices.map((index) => (
              <li class={index === chosen ? "chosen" : ""}>
                <button type="button" class="plain" aria-pressed={index === chosen} onClick={() => choose(index)}>
                  <b>{duration(dumps[index]!.cost)}</b> {dumps[index]!.name} <span class="quiet">{dumps[index]!.process}, {dumps[index]!.taken}</span>
                </button>
                <div>{dumps[index]!.verdict.sentence}</div>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Section>
  );
}
