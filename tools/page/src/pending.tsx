// SPDX-License-Identifier: Apache-2.0
// The future: the queue behind the running message. Down is overdue, up is still to come.

import { useEffect, useMemo, useState } from "preact/hooks";
import { scaleSymlog } from "d3-scale";
import { useDrawing } from "./canvas";
import type { Dump, Pending } from "./data";
import { count, counted } from "./format";
import { Palette, onPaletteChange } from "./palette";
import { Surface } from "./range";
import { Section } from "./section";

const KINDS = ["all", "overdue", "to come", "system", "asynchronous", "barriers"] as const;
type Kind = (typeof KINDS)[number];
const MOST_ROWS = 500;

const dueText = (ms: number): string => (ms < 0 ? `overdue ${count(-ms)} ms` : `in ${count(ms)} ms`);

interface Entry {
  index: number;
  message: Pending;
  kept: boolean;
}

function keeps(kind: Kind, words: string[], message: Pending): boolean {
  const text = `${message.text} ${message.what ?? ""}`.toLowerCase();
  const fits: Record<Kind, boolean> = {
    all: true,
    overdue: message.delay < 0,
    "to come": message.delay >= 0,
    system: message.system,
    asynchronous: message.async,
    barriers: message.barrier,
  };
  return fits[kind] && words.every((word) => text.includes(word));
}

const styleOf = (message: Pending): string =>
  message.barrier ? "barrier" : message.system ? "class-system" : message.delay < 0 ? "overdue" : "to-come";

// Bars by index. The axis is logarithmic on both sides, so that a second beside a minute is still seen.
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
    const delays = this.entries.map((entry) => entry.message.delay);
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
        : [Math.min(y(message.delay), y(0)), Math.max(y(message.delay), y(0))];
      context.globalAlpha = kept ? 1 : 0.15;
      context.fillStyle = this.colours.get(styleOf(message));
      context.fillRect(x, from, message.barrier ? Math.max(bar / 5, 2) : bar, Math.max(to - from, 2));
    }
    context.globalAlpha = 1;
  }
}

export function PendingQueue({ dump }: { dump: Dump }) {
  const { pending } = dump;
  const [text, setText] = useState("");
  const [kind, setKind] = useState<Kind>("all");
  const entries = useMemo<Entry[]>(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return pending.messages.map((message, index) => ({ index, message, kept: keeps(kind, words, message) }));
  }, [pending, text, kind]);
  const { canvas, drawing } = useDrawing((element) => new Chart(element), [pending]);
  useEffect(() => drawing.current?.show(entries), [entries]);
  if (pending.absent)
    return (
      <Section id="pending" title="What waited behind it">
        <p>{pending.absent}</p>
      </Section>
    );
  if (pending.messages.length === 0)
    return (
      <Section id="pending" title="What waited behind it">
        <p>{pending.head}.</p>
      </Section>
    );
  const kept = entries.filter((entry) => entry.kept);
  const overdue = pending.messages.filter((message) => message.delay < 0);
  const worst = Math.max(0, ...overdue.map((message) => -message.delay));
  return (
    <Section id="pending" title="What waited behind it">
      <p>
        {pending.head}; {count(overdue.length)} overdue{overdue.length > 0 && `, by up to ${count(worst)} ms`}.
      </p>
      <form class="tools" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Filter{" "}
          <input
            type="search"
            id="pending-filter"
            value={text}
            placeholder="class or what"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label>
          Show{" "}
          <select id="pending-kind" value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
            {KINDS.map((each) => (
              <option value={each}>{each}</option>
            ))}
          </select>
        </label>
        <output id="pending-count">{counted(kept.length, "message")}</output>
      </form>
      <ul class="legend">
        <li>
          <i class="overdue" />
          overdue
        </li>
        <li>
          <i class="to-come" />
          still to come
        </li>
        <li>
          <i class="class-system" />
          of the system
        </li>
        <li>
          <i class="barrier" />
          barrier
        </li>
      </ul>
      <canvas
        ref={canvas}
        class="pending"
        role="img"
        aria-label="Delay of each pending message by its place in the queue; the table below has the figures"
      />
      <div class="scroll" tabIndex={0} role="group" aria-label="Pending messages">
        <table>
          <thead>
            <tr>
              <th class="n">#</th>
              <th class="n">due</th>
              <th>message</th>
            </tr>
          </thead>
          <tbody>
            {kept.slice(0, MOST_ROWS).map(({ index, message }) => (
              <tr class={message.delay < 0 ? "late" : ""}>
                <td class="n">{index}</td>
                <td class="n">{dueText(message.delay)}</td>
                <td class="name">
                  {message.text}
                  {message.system && <span class="badge">system</span>}
                  {message.barrier && <span class="badge">barrier</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {kept.length > MOST_ROWS && <p class="quiet">{count(kept.length - MOST_ROWS)} more: filter to see them.</p>}
        {pending.more > 0 && <p class="quiet">{counted(pending.more, "message")} at the end of the queue left out.</p>}
      </div>
    </Section>
  );
}
