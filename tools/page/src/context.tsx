// SPDX-License-Identifier: Apache-2.0
// What was around it: process, device, load, threads, profiler. What the dump does not have is said.

import type { Dump, ThreadRow } from "./data";
import { count, counted, duration } from "./format";
import { Facts, Section } from "./section";
import { useOrder, type Column } from "./sort";

const MOST_NAMES = 6;

const known = (value: number | null): string => (value === null ? "?" : count(value));

const NO_ROWS: ThreadRow[] = [];
const COLUMNS: Column<ThreadRow>[] = [
  { title: "thread", order: (row) => row.name },
  { title: "id", class: "n", order: (row) => row.tid },
  { title: "state", order: (row) => row.state },
  { title: "user ms", class: "n", order: (row) => row.user },
  { title: "system ms", class: "n", order: (row) => row.system },
  { title: "of ms", class: "n", order: (row) => row.interval },
  { title: "waited for a CPU ms", class: "n", order: (row) => row.queue },
  { title: "nice", class: "n", order: (row) => row.nice },
];

function Threads({ threads }: { threads: Dump["threads"] }) {
  const { ordered, head } = useOrder(threads?.rows ?? NO_ROWS, COLUMNS);
  if (!threads || threads.absent) return <p class="quiet">{threads ? threads.absent : "Not in this dump."}</p>;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Threads">
      <table>
        {head}
        <tbody>
          {ordered.map((row) => (
            <tr id={`thread-${row.tid}`}>
              <td class="name">{row.name}</td>
              <td class="n">{row.tid}</td>
              <td>{row.state}</td>
              <td class="n">{known(row.user)}</td>
              <td class="n">{known(row.system)}</td>
              <td class="n">{row.interval === 0 ? "its life" : count(row.interval)}</td>
              <td class="n">{known(row.queue)}</td>
              <td class="n">{row.nice}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {threads.rows.length < threads.threads && (
        <p class="quiet">{count(threads.threads)} threads, the busiest are shown.</p>
      )}
    </div>
  );
}

function Stacks({ stacks }: { stacks: Dump["stacks"] }) {
  if (!stacks || stacks.absent) return <p class="quiet">{stacks ? stacks.absent : "Not in this dump."}</p>;
  const shown = stacks.groups.reduce((sum, group) => sum + group.threads.length, 0);
  return (
    <>
      <p class="quiet">
        {counted(shown, "thread")} of {count(stacks.threads)}, taken in {duration(stacks.time)}; threads at one place
        are together.
      </p>
      {stacks.groups.map(({ threads, stack }) => (
        <details class="stack">
          <summary>
            {threads.length > 1 && `${count(threads.length)} threads: `}
            {threads
              .slice(0, MOST_NAMES)
              .map((thread) => `${thread.name} (${thread.tid}, ${thread.absent || thread.state})`)
              .join(", ")}
            {threads.length > MOST_NAMES && " …"}
          </summary>
          {stack.length > 0 ? (
            <pre tabIndex={0}>{stack.map((frame) => `at ${frame}`).join("\n")}</pre>
          ) : (
            <p class="quiet">No managed code.</p>
          )}
        </details>
      ))}
    </>
  );
}

function SignalCatcher({ report }: { report: Dump["signalCatcher"] }) {
  if (!report || report.absent) return <p class="quiet">{report ? report.absent : "Not in this dump."}</p>;
  return <pre tabIndex={0}>{report.lines.join("\n")}</pre>;
}

const isZero = (value: string | null): boolean => value !== null && /^0(\s|$)/.test(value);

export function Context({ dump }: { dump: Dump }) {
  const zero = dump.costs.filter(([, value]) => isZero(value));
  const counted = dump.costs.filter(([, value]) => !isZero(value));
  return (
    <>
      <Section id="context" title="System and process">
        {[...dump.facts, ...dump.context].map(([title, rows]) => (
          <details open={rows.length > 0 && rows.length <= 14}>
            <summary>
              {title}
              {rows.length === 0 && <span class="quiet"> not in this dump</span>}
            </summary>
            {rows.length > 0 ? <Facts rows={rows} /> : <p class="quiet">Not in this dump.</p>}
          </details>
        ))}
        <details open={dump.threads !== null}>
          <summary>Threads</summary>
          <Threads threads={dump.threads} />
        </details>
        <details id="stacks">
          <summary>Stacks of threads</summary>
          <Stacks stacks={dump.stacks} />
        </details>
        <details>
          <summary>The Signal Catcher's report</summary>
          <SignalCatcher report={dump.signalCatcher} />
        </details>
      </Section>
      <Section id="cost" title="The profiler's own cost and losses">
        {dump.costs.length > 0 ? <Facts rows={counted} /> : <p class="quiet">Not in this dump.</p>}
        {zero.length > 0 && <p class="quiet">Counted, and zero: {zero.map(([label]) => label).join(", ")}.</p>}
      </Section>
    </>
  );
}
