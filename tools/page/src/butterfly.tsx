// SPDX-License-Identifier: Apache-2.0
// The chosen messages' methods with own and total time, and the chosen method's callers and callees.

import { useEffect, useMemo } from "preact/hooks";
import { placeOf, type Report, type Tree } from "./data";
import { count, duration, share } from "./format";
import { frameKey, nodeOfKey } from "./place";
import type { Search } from "./search";
import { useOrder, type Column } from "./sort";
import { topDown, type Shape } from "./graph";
import { methodTable, neighbours, type MethodRow } from "./methods";

const MOST_ROWS = 300;

function Neighbours({
  title,
  report,
  times,
  whole,
  choose,
}: {
  title: string;
  report: Report;
  times: Map<number, number>;
  whole: number;
  choose: (method: number) => void;
}) {
  const sorted = [...times].sort((a, b) => b[1] - a[1]);
  return (
    <div>
      <h3>{title}</h3>
      {sorted.length === 0 && <p class="quiet">none</p>}
      <ul class="neighbours">
        {sorted.slice(0, MOST_ROWS).map(([method, time]) => (
          <li>
            <span class="n">{duration(time)}</span> <span class="n quiet">{share(time, whole)}</span>{" "}
            {method < 0 ? (
              <span class="quiet">the message itself</span>
            ) : (
              <button type="button" class="plain" onClick={() => choose(method)}>
                {report.methods[method]!.name}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Butterfly({
  report,
  trees,
  shape,
  search,
  found,
  frame,
  choose,
}: {
  report: Report;
  trees: Tree[];
  shape: Shape;
  search: Search | null;
  found: (text: string) => void;
  frame: string; // the chosen method's
  choose: (frame: string) => void;
}) {
  const merged = useMemo(() => topDown(report, trees, { ...shape, lines: false }), [report, trees, shape]);
  const rows = useMemo(
    () => methodTable(report, topDown(report, trees, { ...shape, lines: true })),
    [report, trees, shape],
  );
  const setChosen = (which: number): void => choose(frameKey(which + 1, report.methods[which]!.name));
  const asked = nodeOfKey(frame, report.methods.length + 1, (key) => report.methods[key - 1]!.name) - 1;
  const method = rows.some((row) => row.method === asked) ? asked : (rows[0]?.method ?? -1);
  const around = useMemo(() => neighbours(merged, method), [merged, method]);
  const whole = merged.total[0]!;
  const kept = useMemo(
    () =>
      rows.filter((row) => {
        const { name, file } = report.methods[row.method]!;
        return !search || search.matches(name) || search.matches(file);
      }),
    [rows, search],
  );
  useEffect(() => found(search ? `${count(kept.length)} methods` : ""), [search, rows]);
  const columns: Column<MethodRow>[] = [
    { title: "self", class: "n", order: (row) => row.self },
    { title: "total", class: "n", order: (row) => row.total },
    { title: "total / self" },
    { title: "method", order: (row) => report.methods[row.method]!.name },
    { title: "hottest line", order: (row) => placeOf(report.methods[row.method]!, row.line) },
  ];
  const { ordered, head } = useOrder("methods", kept, columns);
  const signature = report.methods[method]?.signature;
  return (
    <div class="butterfly">
      <div class="scroll" tabIndex={0} role="group" aria-label="Methods">
        <table>
          {head}
          <tbody>
            {ordered.slice(0, MOST_ROWS).map((row) => (
              <tr class={row.method === method ? "chosen" : ""}>
                <td class="n">{duration(row.self)}</td>
                <td class="n">{duration(row.total)}</td>
                <td class="bars" aria-hidden="true">
                  <div class="bar class-slow" style={{ width: `${(100 * row.total) / whole}%` }} />
                  <div class="bar cpu" style={{ width: `${(100 * row.self) / whole}%` }} />
                </td>
                <td class="name">
                  <button
                    type="button"
                    class="plain"
                    aria-pressed={row.method === method}
                    onClick={() => setChosen(row.method)}
                  >
                    {report.methods[row.method]!.name}
                  </button>
                </td>
                <td class="name">
                  <code>{placeOf(report.methods[row.method]!, row.line)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {kept.length > MOST_ROWS && <p class="quiet">{count(kept.length - MOST_ROWS)} more: search to see them.</p>}
      </div>
      {method >= 0 && (
        <aside aria-label="Callers and callees" id="butterfly">
          <p>
            <code>{report.methods[method]!.name}</code>
            {signature && <code class="quiet"> {signature}</code>}
          </p>
          <Neighbours title="Called from" report={report} times={around.callers} whole={whole} choose={setChosen} />
          <Neighbours title="Calls" report={report} times={around.callees} whole={whole} choose={setChosen} />
        </aside>
      )}
    </div>
  );
}
