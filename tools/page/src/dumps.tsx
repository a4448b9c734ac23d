// SPDX-License-Identifier: Apache-2.0
// Several dumps in one page: what is to blame in them, the costliest first, and how often where.

import { useMemo } from "preact/hooks";
import { clustersOf, contextOf, countsOf, type Cluster } from "./clusters";
import type { Dump } from "./data";
import { count, counted, duration } from "./format";
import { useKept } from "./kept";
import { searchFor } from "./search";
import { SearchTools } from "./searchbox";
import { Section } from "./section";
import { useOrder, type Column } from "./sort";

const MOST_OF_CLUSTER = 100;
const MOST_VALUES = 5;
const OPEN_AT_FIRST = 12; // clusters at most
const WHERE = [
  ["version", "version name"],
  ["device", "model"],
  ["API level", "api level"],
] as const;

const COLUMNS: Column<Cluster>[] = [
  { title: "total time", class: "n", order: (each) => each.cost },
  { title: "messages", class: "n", order: (each) => each.messages },
  { title: "dumps", class: "n", order: (each) => each.dumps.length },
  { title: "first seen", class: "wide", order: (each) => each.first },
  { title: "last seen", class: "wide", order: (each) => each.last },
  { title: "cause" },
];

function Counts({ dumps }: { dumps: Dump[] }) {
  return (
    <div class="quiet counts">
      {WHERE.map(([title, name]) => {
        const values = countsOf(dumps, name);
        const rest = values.length - MOST_VALUES;
        return (
          <span>
            {title}:{" "}
            {values
              .slice(0, MOST_VALUES)
              .map(([value, times]) => `${value} (${count(times)})`)
              .join(", ")}
            {rest > 0 && ` and ${count(rest)} more`}
          </span>
        );
      })}
    </div>
  );
}

function Title({ dump }: { dump: Dump }) {
  const { kind, frame, message, stackKey } = dump.cluster;
  return (
    <>
      <span class="badge">{kind.replaceAll("-", " ")}</span> {frame && <code>{frame}</code>}
      {frame && message && " in "}
      {message}
      {stackKey && <span class="quiet"> stack key {stackKey}</span>}
    </>
  );
}

function Members({
  cluster,
  dumps,
  chosen,
  choose,
}: {
  cluster: Cluster;
  dumps: Dump[];
  chosen: number;
  choose: (dump: number) => void;
}) {
  const left = cluster.dumps.length - MOST_OF_CLUSTER;
  return (
    <>
      <ul class="dumps">
        {cluster.dumps.slice(0, MOST_OF_CLUSTER).map((index) => (
          <li class={index === chosen ? "chosen" : ""}>
            <button type="button" class="plain" aria-pressed={index === chosen} onClick={() => choose(index)}>
              <b>{duration(dumps[index]!.cost)}</b> {dumps[index]!.name}{" "}
              <span class="quiet">
                {dumps[index]!.process}, {dumps[index]!.taken}
              </span>
            </button>
            <div>{dumps[index]!.verdict.headline}</div>
          </li>
        ))}
      </ul>
      {left > 0 && <p class="quiet">{count(left)} cheaper ones are not listed.</p>}
    </>
  );
}

export function Dumps({ dumps, chosen, choose }: { dumps: Dump[]; chosen: number; choose: (dump: number) => void }) {
  const [text, setText] = useKept("causes");
  const search = useMemo(() => searchFor(text), [text]);
  const clusters = useMemo(() => {
    const kept = (dump: Dump): boolean => {
      const { kind, frame, message } = dump.cluster;
      const where = WHERE.map(([, name]) => contextOf(dump, name));
      return !search || search.matches([kind, frame, message, dump.name, dump.process, ...where].join(" "));
    };
    return clustersOf(dumps, kept);
  }, [dumps, search]);
  const all = useMemo(() => clustersOf(dumps, () => true).length, [dumps]);
  const { ordered, head } = useOrder("causes", clusters, COLUMNS);
  const found = clusters.reduce((sum, cluster) => sum + cluster.dumps.length, 0);
  return (
    <Section id="dumps" title={`${count(dumps.length)} dumps, ${counted(all, "cause")}`}>
      <SearchTools
        label="Search"
        id="dumps-search"
        text={text}
        change={setText}
        hint="method, message, version, device"
        search={search}
        outputId="dumps-found"
        found={search && counted(found, "dump")}
      />
      <div class="scroll" tabIndex={0} role="group" aria-label="Dumps">
        <table>
          {head}
          <tbody>
            {ordered.map((cluster) => (
              <tr key={cluster.dumps.join()}>
                <td class="n">
                  <b>{duration(cluster.cost)}</b>
                </td>
                <td class="n">{count(cluster.messages)}</td>
                <td class="n">{count(cluster.dumps.length)}</td>
                <td class="wide">{cluster.first}</td>
                <td class="wide">{cluster.last}</td>
                <td class="name">
                  <b>
                    <Title dump={dumps[cluster.dumps[0]!]!} />
                  </b>
                  <Counts dumps={cluster.dumps.map((index) => dumps[index]!)} />
                  <details open={clusters.length <= OPEN_AT_FIRST || cluster.dumps.includes(chosen)}>
                    <summary>{counted(cluster.dumps.length, "dump")}</summary>
                    <Members cluster={cluster} dumps={dumps} chosen={chosen} choose={choose} />
                  </details>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
