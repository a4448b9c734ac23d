// SPDX-License-Identifier: Apache-2.0
// Several dumps in one page: a line for each cause, costliest first, and the dumps with that cause.

import { useContext, useMemo, useState } from "preact/hooks";
import { KeptContext } from "./kept";
import { clustersOf, countsOf, type Cluster } from "./clusters";
import type { Report } from "./data";
import { count, counted, longDuration, share, utcTime } from "./format";
import { hashOf, keptOfOverview, placeOfDump } from "./place";
import { searchFor } from "./search";
import { SearchTools } from "./searchbox";
import { Section, useFold } from "./section";
import { useOrder, type Column } from "./sort";

const AT_ONCE = 100; // causes, and dumps of a cause
const MOST_VALUES = 5;
const WHERE = [
  ["version", "version"],
  ["device", "model"],
  ["API level", "api"],
] as const;

const COLUMNS: Column<Cluster>[] = [
  { title: "share", class: "n" },
  { title: "total time", class: "n", order: (each) => each.cost },
  { title: "times", class: "n", order: (each) => each.messages },
  { title: "versions", class: "wide" }, // where any is known
  { title: "trend" },
  { title: "cause" },
];
const WORDS: Record<string, string> = { "input-output": "I/O", standstill: "waiting", "starved-of-cpu": "no CPU" };

// The number of shown rows, and a button for more.
function useSome<T>(all: T[]) {
  const [shown, show] = useState(AT_ONCE);
  const left = all.length - shown;
  const more = left > 0 && (
    <button type="button" onClick={() => show(shown + AT_ONCE)}>
      Show more ({count(left)} left)
    </button>
  );
  return { some: all.slice(0, shown), more };
}

// "1.0 – 1.2", "1.0", "".
const endsOf = (ordered: string[], between: string): string =>
  [...new Set([...ordered.slice(0, 1), ...ordered.slice(-1)])].join(between);

function Counts({ cluster: { rows } }: { cluster: Cluster }) {
  const times = rows.map((row) => row.taken).filter((taken) => taken > 0);
  times.sort((a, b) => a - b);
  const facts: [string, string][] = WHERE.map(([title, name]) => {
    const values = countsOf(rows, name);
    const told = values.slice(0, MOST_VALUES).map(([value, n]) => `${value} (${count(n)})`);
    const rest = values.length - MOST_VALUES;
    return [title, told.join(", ") + (rest > 0 ? ` and ${count(rest)} more` : "")];
  });
  if (times.length > 0) facts.unshift(["seen", endsOf(times.map(utcTime), " to ")]);
  return <div class="quiet counts">{facts.map(([title, value]) => value && <span>{`${title}: ${value}`}</span>)}</div>;
}

function Members({ report, cluster, find }: { report: Report; cluster: Cluster; find: string }) {
  const { some, more } = useSome(cluster.rows);
  const kept = keptOfOverview(useContext(KeptContext).values);
  return (
    <>
      <ul class="dumps">
        {some.map((row) => (
          <li>
            <b>{longDuration(row.cost)}</b>{" "}
            {row.whole >= 0 ? (
              <a href={hashOf(report, { ...placeOfDump(report, row.whole), find, kept })}>{row.name}</a>
            ) : (
              <code>stillframe report {row.name}</code>
            )}{" "}
            <span class="quiet">
              {[cluster.copies.has(row) && "copy", row.process, row.taken > 0 && utcTime(row.taken)]
                .filter(Boolean)
                .join(", ")}
            </span>
            <div>{row.headline}</div>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function Trend({ times, trend }: Cluster) {
  const most = Math.max(...times);
  return (
    <>
      {times.length > 0 && (
        <svg class="spark" viewBox={`0 0 ${times.length * 5} 16`} role="img" aria-label={times.join(", ")}>
          {times.map(
            (n, i) => n > 0 && <rect x={i * 5} y={14 - (14 * n) / most} width="4" height={2 + (14 * n) / most} />,
          )}
        </svg>
      )}{" "}
      {trend}
    </>
  );
}

function Line({
  report,
  cluster,
  whole,
  find,
  hasVersions,
  alone,
}: {
  report: Report;
  cluster: Cluster;
  whole: number;
  hasVersions: boolean;
  find: string;
  alone: boolean;
}) {
  const { rows, copies, versions } = cluster;
  const { id, kind, frame, message } = rows[0]!;
  const [open, toggle] = useFold("causes-open", id, alone);
  return (
    <tr>
      <td class="n">{share(cluster.cost, whole)}</td>
      <td class="n">
        <b>{longDuration(cluster.cost)}</b>
      </td>
      <td class="n">{count(cluster.messages)}</td>
      {hasVersions && <td class="wide versions">{endsOf(versions, " \u2013 ")}</td>}
      <td class="trend">
        <Trend {...cluster} />
      </td>
      <td class="name">
        <details class="closed" open={open}>
          <summary onClick={toggle}>
            <span class="badge">{WORDS[kind] ?? kind.replaceAll("-", " ")}</span> {frame && <code>{frame}</code>}
            {frame && message && " in "}
            {message}
            {copies.size > 0 && <span class="quiet"> {counted(copies.size, "copy", "copies")} ignored</span>}
          </summary>
          {open && <Counts cluster={cluster} />}
          {open && <Members report={report} cluster={cluster} find={find} />}
        </details>
      </td>
    </tr>
  );
}

export function Dumps({
  report,
  find,
  search: change,
}: {
  report: Report;
  find: string;
  search: (text: string) => void;
}) {
  const { list } = report;
  const search = useMemo(() => searchFor(find), [find]);
  const all = useMemo(() => clustersOf(list, () => true), [list]);
  const clusters = useMemo(
    () =>
      search
        ? clustersOf(list, ({ kind, frame, message, name, process, version, model, api }) =>
            search.matches([kind, frame, message, name, process, version, model, api].join(" ")),
          )
        : all,
    [list, search, all],
  );
  const hasVersions = all.some(({ versions }) => versions.length > 0);
  const { ordered, head } = useOrder(
    "causes",
    clusters,
    hasVersions ? COLUMNS : COLUMNS.filter(({ title }) => title !== "versions"),
  );
  const { some, more } = useSome(ordered);
  const found = clusters.reduce((sum, cluster) => sum + cluster.rows.length, 0);
  const whole = all.reduce((sum, cluster) => sum + cluster.cost, 0);
  return (
    <Section id="dumps" title={`${count(list.length)} dumps, ${counted(all.length, "cause")}`}>
      <SearchTools
        label="Search"
        id="dumps-search"
        text={find}
        change={change}
        hint="method, message, version, device"
        search={search}
        outputId="dumps-found"
        found={search && counted(found, "dump")}
      />
      <table>
        {head}
        <tbody>
          {some.map((cluster) => {
            const { kind, frame, message } = cluster.rows[0]!;
            return (
              <Line
                key={[kind, frame, message].join("\n")}
                report={report}
                cluster={cluster}
                whole={whole}
                find={find}
                hasVersions={hasVersions}
                alone={all.length === 1}
              />
            );
          })}
        </tbody>
      </table>
      {more}
    </Section>
  );
}
