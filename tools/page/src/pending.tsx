// SPDX-License-Identifier: Apache-2.0
// The future: the queue behind the running message. Down is overdue, up is not yet due.

import { useLayoutEffect, useMemo } from "preact/hooks";
import { scaleSymlog } from "d3-scale";
import { useDrawing } from "./canvas";
import { isOfSystem, type Dump, type Pending } from "./data";
import { count, counted } from "./format";
import { useKept, useKeptSet } from "./kept";
import { Legend } from "./legend";
import { Palette, onPaletteChange } from "./palette";
import { Surface } from "./range";
import { searchFor, type Search } from "./search";
import { SearchTools } from "./searchbox";
import { Section } from "./section";
import { useOrder, type Column } from "./sort";

const KINDS = ["all", "overdue", "to come", "system", "asynchronous", "barriers"] as const;
type Kind = (typeof KINDS)[number];
const MOST_ROWS = 500;
const LEAST_BARS = 4; // with different delays; equal ones show nothing

const dueText = (ms: number): string => (ms < 0 ? `overdue ${count(-ms)} ms` : `in ${count(ms)} ms`);

interface Entry {
  index: number;
  message: Pending;
  kept: boolean;
}

function keeps(kind: Kind, only: Set<string>, search: Search | null, message: Pending): boolean {
  const fits: Record<Kind, boolean> = {
    all: true,
    overdue: message.delay_ms < 0,
    "to come": message.delay_ms >= 0,
    system: isOfSystem(message),
    asynchronous: message.asynchronous,
    barriers: message.barrier,
  };
  if (only.size > 0 && !only.has(styleOf(message))) return false;
  return fits[kind] && (!search || search.matches(`${message.text} ${message.what ?? ""}`));
}

const styleOf = (message: Pending): string =>
  message.barrier ? "barrier" : isOfSystem(message) ? "class-system" : message.delay_ms < 0 ? "overdue" : "to-come";

// Bars by index. The axis is logarithmic on both sides, so that a second is visible beside a minute.
class Chart {
  private readonly surface: Surface;
  private readonly stop: () => void;
  private colours = new Palette();
  entries: Entry[] = [];

  constructor(canvas: HTMLCanvasElement) {
    this.surface = new Surface(canvas, () => this.draw());
    this.stop = onPaletteChange(() => {
      this.colours = new Palette();
      this.surface.now();
    });
  }

  show(entries: Entry[]): void {
    this.entries = entries;
    this.surface.redraw();
  }

  end(): void {
    this.stop();
    this.surface.end();
  }

  private draw(): void {
    const { context, width, height } = this.surface;
    const left = 84;
    const delays = this.entries.map((entry) => entry.message.delay_ms);
    const [low, high] = [Math.min(-10, ...delays), Math.max(10, ...delays)];
    const y = scaleSymlog()
      .constant(10)
      .domain([low, high])
      .range([height - 10, 10]);
    context.fillStyle = this.colours.get("card");
    context.fillRect(0, 0, width, height);
    context.font = '12px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = "middle";
    context.textAlign = "right";
    let lastY = Infinity;
    for (const tick of [0, 100, 1e3, 1e4, 1e5, 1e6, 1e7, -100, -1e3, -1e4, -1e5, -1e6, -1e7]) {
      if (tick < low || tick > high || (tick !== 0 && Math.abs(y(tick) - lastY) < 16)) continue;
      lastY = y(tick);
      context.fillStyle = this.colours.get("line");
      context.fillRect(left, y(tick), width - left, 1);
      context.fillStyle = this.colours.get("quiet");
      const text = Math.abs(tick) >= 1e3 ? `${count(Math.abs(tick) / 1e3)} s` : `${Math.abs(tick)} ms`;
      context.fillText(tick === 0 ? "due now" : tick < 0 ? `\u2212${text}` : text, left - 8, y(tick));
    }
    const step = Math.min((width - left) / Math.max(this.entries.length, 1), 44);
    const bar = Math.max(step * 0.78, 1);
    for (const [i, { message, kept }] of this.entries.entries()) {
      const x = left + i * step + (step - bar) / 2;
      const [from, to] = message.barrier
        ? [10, height - 10]
        : [Math.min(y(message.delay_ms), y(0)), Math.max(y(message.delay_ms), y(0))];
      context.globalAlpha = kept ? 1 : 0.15;
      context.fillStyle = this.colours.get(styleOf(message));
      context.fillRect(x, from, message.barrier ? Math.max(bar / 5, 2) : bar, Math.max(to - from, 2));
    }
    context.globalAlpha = 1;
  }
}

const COLUMNS: Column<Entry>[] = [
  { title: "#", class: "n", order: (entry) => -entry.index },
  { title: "due", class: "n", order: (entry) => entry.message.delay_ms },
  { title: "message", order: (entry) => entry.message.text },
];

const LEGEND = [
  { key: "overdue", mark: "overdue", text: "overdue" },
  { key: "to-come", mark: "to-come", text: "not due yet" },
  { key: "class-system", mark: "class-system", text: "system" },
  { key: "barrier", mark: "barrier", text: "barrier" },
];

// Runs of equal consecutive messages.
function inARow(entries: Entry[]): Entry[][] {
  const runs: Entry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const continues =
      last?.message.text === entry.message.text &&
      last.index + 1 === entry.index &&
      last.message.barrier === entry.message.barrier;
    if (run && continues) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function Row({ run }: { run: Entry[] }) {
  const [first, last] = [run[0]!, run.at(-1)!];
  const due = dueText(first.message.delay_ms);
  const lastDue = dueText(last.message.delay_ms);
  return (
    <tr class={first.message.delay_ms < 0 ? "late" : ""}>
      <td class="n">{run.length === 1 ? first.index : `${first.index}\u2013${last.index}`}</td>
      <td class="n">{due === lastDue ? due : `${due} to ${lastDue}`}</td>
      <td class="name">
        {first.message.text}
        {run.length > 1 && <span class="badge quiet">{count(run.length)} in a row</span>}
        {isOfSystem(first.message) && <span class="badge">system</span>}
        {first.message.barrier && <span class="badge">barrier</span>}
      </td>
    </tr>
  );
}

export function PendingQueue({ dump }: { dump: Dump }) {
  const { pending, page } = dump;
  const more = page.left_out.messages ?? 0;
  const [text, setText] = useKept("queue");
  const [keptKind, setKind] = useKept("queue-kind");
  const kind = KINDS.find((each) => each === keptKind) ?? "all";
  const [only, setOnly] = useKeptSet("queue-only");
  const search = useMemo(() => searchFor(text), [text]);
  const entries = useMemo<Entry[]>(() => {
    return pending.messages.map((message, index) => ({ index, message, kept: keeps(kind, only, search, message) }));
  }, [pending, search, kind, [...only].join()]);
  const { canvas, drawing } = useDrawing((element) => new Chart(element), [pending]);
  useLayoutEffect(() => drawing.current?.show(entries), [entries]);
  const kept = useMemo(() => entries.filter((entry) => entry.kept), [entries]);
  const { ordered, head, isOrdered } = useOrder("queue", kept, COLUMNS);
  const rows = isOrdered ? ordered.map((entry): Entry[] => [entry]) : inARow(ordered);
  if (page.queue.absent)
    return (
      <Section id="pending" title="Message queue">
        <p>{page.queue.absent}</p>
      </Section>
    );
  if (pending.messages.length === 0)
    return (
      <Section id="pending" title="Message queue">
        <p>{page.queue.head}.</p>
      </Section>
    );
  const hasChart = new Set(pending.messages.map((message) => message.delay_ms)).size >= LEAST_BARS;
  const overdue = pending.messages.filter((message) => message.delay_ms < 0);
  const worst = Math.max(0, ...overdue.map((message) => -message.delay_ms));
  return (
    <Section id="pending" title="Message queue">
      <p>
        {page.queue.head}; {count(overdue.length)} overdue{overdue.length > 0 && `, by up to ${count(worst)} ms`}.
      </p>
      <SearchTools
        label="Filter"
        id="pending-filter"
        text={text}
        change={setText}
        hint="class or what"
        search={search}
        outputId="pending-count"
        found={counted(kept.length, "message")}
      >
        <label>
          Show{" "}
          <select id="pending-kind" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {KINDS.map((each) => (
              <option value={each}>{each}</option>
            ))}
          </select>
        </label>
      </SearchTools>
      {hasChart && (
        <>
          <Legend label="Colours of the bars" entries={LEGEND} only={only} show={setOnly} />
          <canvas
            ref={canvas}
            class="pending"
            role="img"
            aria-label="Delay of each pending message by its place in the queue; the table below has the figures"
          />
        </>
      )}
      <div class="scroll" tabIndex={0} role="group" aria-label="Pending messages">
        <table>
          {head}
          <tbody>
            {rows.slice(0, MOST_ROWS).map((run) => (
              <Row run={run} />
            ))}
          </tbody>
        </table>
        {rows.length > MOST_ROWS && <p class="quiet">{count(rows.length - MOST_ROWS)} more: filter to see them.</p>}
        {more > 0 && <p class="quiet">{counted(more, "message")} at the end of the queue left out.</p>}
      </div>
    </Section>
  );
}
