// What was around it: process, runtime, profiler.

import type { Dump } from "./data";
import { Facts, Section } from "./section";

export function Context({ dump }: { dump: Dump }) {
  return (
    <>
      <Section id="context" title="Around it">
        {dump.facts.map(([title, rows]) => (
          <details open={rows.length <= 14}>
            <summary>{title}</summary>
            {rows.length > 0 ? <Facts rows={rows} /> : <p class="quiet">Not in this dump.</p>}
          </details>
        ))}
      </Section>
      <Section id="cost" title="The profiler's own cost and losses">
        {dump.costs.length > 0 ? <Facts rows={dump.costs} /> : <p class="quiet">Not in this dump.</p>}
      </Section>
    </>
  );
}
