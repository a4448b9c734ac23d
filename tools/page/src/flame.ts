// SPDX-License-Identifier: Apache-2.0
// Draws a Graph on a canvas, time from left to right. Draws only the rows in view, with at most one box a pixel in
// each, so the cost does not depend on the number of nodes.

import { AXIS, drawAxis } from "./axis";
import { placeOf, type Report } from "./data";
import { counted, duration, fitName, share } from "./format";
import type { Graph } from "./graph";
import { firstAfter, nextAfter } from "./paths";
import { STATES } from "../fields";
import { Palette, actOfState, onPaletteChange, ownerOf, type Act, type Owner } from "./palette";
import { Range, Surface, listen } from "./range";
import { matchingMethods, type Search } from "./search";
import { drawStates, runAt, statesOf, type StateRun } from "./states";
import { Tooltip } from "./tooltip";

const ROW = 19;
const CHARACTER = 6.63; // width in 11 px monospaced text
const FONT = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

const TRACK = 14; // height of the thread's states in order
const STRIP = 3; // height of the states in a box
const LEAST_FOUND = 4; // px; a search zooms to narrower boxes

const topOf = (hasTrack: boolean): number => AXIS + (hasTrack ? TRACK : 0);

export const flameHeight = (graph: Graph, hasTrack: boolean): number => topOf(hasTrack) + graph.rows.length * ROW + 2;

export interface FlameEvents {
  selected: (node: number) => void;
  hovered: (node: number) => void;
  moved: () => void; // the visible part changed
  zoomed: (node: number) => void;
  step: (by: number) => void; // through the search results
  copy: () => void;
}

export class Flame {
  readonly range: Range;
  selected = 0;
  zoomed = 0;
  found: number[] = []; // boxes that match the search, most time first
  at = -1; // index in `found`
  private hovered = -1;
  private readonly surface: Surface;
  private readonly stops: (() => void)[];
  private matches: Uint8Array | null = null; // by box
  private only = new Set<Owner>();
  private readonly top: number; // y of the rows
  private readonly tooltip: Tooltip;
  private colours = new Palette();
  private readonly patterns = new Map<Act, CanvasPattern>();
  private readonly scroller: HTMLElement;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly report: Report,
    private readonly graph: Graph,
    private readonly track: StateRun[] | null,
    private readonly label: (at: number, step: number) => string,
    private readonly rootName: string,
    private readonly events: FlameEvents,
  ) {
    this.scroller = canvas.parentElement!.parentElement!;
    this.top = topOf(track !== null);
    this.tooltip = new Tooltip(canvas);
    this.range = new Range(0, Math.max(graph.total[0]!, 1), Math.min(20, graph.total[0]! || 1), () => {
      this.surface.redraw();
      events.moved();
    });
    this.surface = new Surface(canvas, () => this.draw());
    const keys = (event: KeyboardEvent): void => this.key(event);
    const scrolled = (): void => this.surface.redraw();
    canvas.addEventListener("keydown", keys);
    this.scroller.addEventListener("scroll", scrolled);
    this.stops = [
      listen(canvas, () => this.range, {
        click: (x, y, double) => this.click(x, y, double),
        hover: (x, y) => this.hover(x, y),
        drag: (dy) => (this.scroller.scrollTop -= dy),
      }),
      onPaletteChange(() => this.recolour()),
      () => canvas.removeEventListener("keydown", keys),
      () => this.scroller.removeEventListener("scroll", scrolled),
    ];
  }

  end(): void {
    for (const stop of this.stops) stop();
    this.tooltip.end();
    this.surface.end();
  }

  search(search: Search | null): void {
    const { method, total, folded } = this.graph;
    this.found = [];
    this.at = -1;
    this.matches = null;
    if (search) {
      const matches = matchingMethods(this.report, search);
      const isFound = (node: number): boolean =>
        matches[method[node]!] === 1 || [...(folded[node] ?? [])].some((each) => matches[each] === 1);
      this.matches = Uint8Array.from(method, (_, node) => Number(isFound(node)));
      for (let node = 0; node < method.length; ++node) if (this.matches[node]) this.found.push(node);
      this.found.sort((a, b) => total[b]! - total[a]! || a - b);
    }
    this.surface.redraw();
  }

  // Goes to the next search result, or the previous one.
  step(by: number): void {
    const { length } = this.found;
    if (length === 0) return;
    this.at = this.at < 0 && by < 0 ? length - 1 : (this.at + by + length) % length;
    const node = this.found[this.at]!;
    const [from, to] = [this.graph.start[node]!, this.graph.start[node]! + this.graph.total[node]!];
    const isSmall = ((to - from) / this.range.span) * this.surface.width < LEAST_FOUND;
    if (isSmall) this.zoomTo(node);
    else if (from >= this.range.to || to <= this.range.from) this.zoomTo(0);
    this.select(node);
  }

  // Shows other owners' boxes faintly. An empty set shows all.
  show(only: Set<Owner>): void {
    this.only = only;
    this.surface.redraw();
  }

  zoomTo(node: number): void {
    this.zoomed = node;
    const from = this.graph.start[node]!;
    this.range.moveTo(from, from + this.graph.total[node]!);
    this.events.zoomed(node);
  }

  // Goes to the box of a link.
  goTo(node: number): void {
    this.select(node);
    this.zoomTo(node);
  }

  select(node: number): void {
    this.selected = node;
    const top = this.graph.depth[node]! * ROW;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top + ROW > this.scroller.scrollTop + this.visible) this.scroller.scrollTop = top + ROW - this.visible;
    this.events.selected(node);
    this.surface.redraw();
  }

  recolour(): void {
    this.colours = new Palette();
    this.patterns.clear();
    this.surface.now();
  }

  // Height below the axis for rows.
  private get visible(): number {
    return this.surface.height - this.top;
  }

  private nodeAt(x: number, y: number): number {
    const row = this.graph.rows[Math.floor((y - this.top + this.scroller.scrollTop) / ROW)];
    if (!row || x < 0 || y < this.top) return -1;
    const at = this.range.from + (x / this.surface.width) * this.range.span;
    const index = firstAfter(this.graph, row, at);
    const node = row[index];
    return node !== undefined && this.graph.start[node]! <= at ? node : -1;
  }

  private click(x: number, y: number, double: boolean): void {
    this.canvas.focus({ preventScroll: true });
    const node = this.nodeAt(x, y);
    if (node < 0) return;
    this.select(node);
    this.zoomTo(double && node !== 0 ? this.graph.parent[node]! : node);
  }

  private hover(x: number, y: number): void {
    const node = this.nodeAt(x, y);
    this.tooltip.show(node >= 0 ? this.noteOf(node) : this.trackNote(x, y), x, y);
    if (node === this.hovered) return;
    this.hovered = node;
    this.canvas.style.cursor = node >= 0 ? "pointer" : "default";
    this.events.hovered(node);
    this.surface.redraw();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { parent, rows, depth, total } = this.graph;
    const row = rows[depth[this.selected]!]!;
    const index = row.indexOf(this.selected);
    const heaviestChild = (): number => {
      let best = this.selected;
      for (const node of rows[depth[this.selected]! + 1] ?? []) {
        if (parent[node] === this.selected && (best === this.selected || total[node]! > total[best]!)) best = node;
      }
      return best;
    };
    const actions: Record<string, () => void> = {
      ArrowUp: () => this.select(Math.max(parent[this.selected]!, 0)),
      ArrowDown: () => this.select(heaviestChild()),
      ArrowLeft: () => (event.shiftKey ? this.range.pan(-0.2) : this.select(row[Math.max(index - 1, 0)]!)),
      ArrowRight: () => (event.shiftKey ? this.range.pan(0.2) : this.select(row[Math.min(index + 1, row.length - 1)]!)),
      Enter: () => this.zoomTo(this.selected),
      Escape: () => this.zoomTo(0),
      Home: () => this.zoomTo(0),
      "+": () => this.range.zoom(0.7),
      "=": () => this.range.zoom(0.7),
      "-": () => this.range.zoom(1 / 0.7),
      n: () => this.events.step(1),
      N: () => this.events.step(-1),
      c: () => this.events.copy(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private draw(): void {
    const { context, width, height } = this.surface;
    const top = this.scroller.scrollTop;
    context.fillStyle = this.colours.get("card");
    context.fillRect(0, 0, width, height);
    context.font = FONT;
    context.textBaseline = "middle";
    const first = Math.floor(top / ROW);
    const last = Math.min(this.graph.rows.length - 1, Math.floor((top + this.visible) / ROW));
    for (let depth = first; depth <= last; ++depth) this.drawRow(this.graph.rows[depth]!, this.top + depth * ROW - top);
    this.outline(this.hovered, this.top - top, this.colours.get("quiet"), 1);
    this.outline(this.selected, this.top - top, this.colours.get("text"), 2);
    drawAxis(this.surface, this.colours, this.range, AXIS, this.label);
    if (this.track) {
      context.fillStyle = this.colours.get("card");
      context.fillRect(0, AXIS - 1, width, TRACK + 1);
      drawStates(this.surface, this.colours, this.range, this.track, 0, AXIS, TRACK - 3);
    }
  }

  private drawRow(row: Int32Array, y: number): void {
    const { context, width } = this.surface;
    const { start, total, method, state } = this.graph;
    const scale = width / this.range.span;
    const { from, to } = this.range;
    for (let index = firstAfter(this.graph, row, from); index < row.length; ++index) {
      const node = row[index]!;
      if (start[node]! >= to) break;
      const x = Math.max((start[node]! - from) * scale, 0);
      const end = Math.min((start[node]! + total[node]! - from) * scale, width);
      const called = this.report.methods[method[node]!];
      const owner = ownerOf(called);
      const matches = this.matches !== null && this.matches[node] === 1;
      const isAside = (this.matches && !matches) || (this.only.size > 0 && node > 0 && !this.only.has(owner));
      context.globalAlpha = isAside ? 0.3 : 1;
      context.fillStyle = this.colours.get(matches ? "found" : owner);
      context.fillRect(x, y, Math.max(end - x - 0.7, 0.7), ROW - 1.2);
      const act = actOfState(state[node]!);
      if (end - x > 2 && !matches && node > 0 && act !== "app" && act !== "native" && act !== "other") {
        context.fillStyle = this.stripes(act);
        context.fillRect(x, y, end - x - 0.7, ROW - 1.2);
      }
      if (end - x > 8 && !this.track) this.drawMix(node, x, end - x - 0.7, y + ROW - 1.2 - STRIP);
      if (end - x > 26) {
        context.globalAlpha = 1;
        context.fillStyle = this.colours.get("on-box");
        context.fillText(fitName(this.nameOf(node), Math.floor((end - x - 7) / CHARACTER)), x + 4, y + ROW / 2);
      }
      if (end - x < 1) index = nextAfter(this.graph, row, index, from + (Math.floor(end) + 1) / scale) - 1;
    }
    context.globalAlpha = 1;
  }

  // Pattern over a box in which the thread was mostly idle.
  private stripes(act: Act): CanvasPattern {
    let pattern = this.patterns.get(act);
    if (!pattern) {
      const tile = new OffscreenCanvas(7, 7);
      const context = tile.getContext("2d")!;
      context.strokeStyle = this.colours.get(act);
      context.lineWidth = 2.4;
      for (const x of [-7, 0, 7]) {
        context.moveTo(x - 1, 8);
        context.lineTo(x + 8, -1);
      }
      context.stroke();
      this.patterns.set(act, (pattern = this.surface.context.createPattern(tile, "repeat")!));
    }
    return pattern;
  }

  // If a tenth of a box's time is in states other than its main one, a strip shows all of them.
  private drawMix(node: number, x: number, wide: number, y: number): void {
    const { context } = this.surface;
    const { byState, total, state } = this.graph;
    if (byState[state[node]!]![node]! > 0.9 * total[node]!) return;
    for (const [each, column] of byState.entries()) {
      const part = (wide * column[node]!) / total[node]!;
      context.fillStyle = this.colours.get(actOfState(each));
      if (part > 0) context.fillRect(x, y, part, STRIP);
      x += part;
    }
  }

  private noteOf(node: number): string {
    const { total, self, samples, method, hottest } = this.graph;
    const known = this.report.methods[method[node]!];
    const place = known ? placeOf(known, hottest[node]!) : "";
    const time = `${duration(total[node]!)} (${share(total[node]!, total[0]!)}), self ${duration(Math.max(self[node]!, 0))}`;
    return `${this.nameOf(node)}${place && ` (${place})`}\n${time}, ${counted(samples[node]!, "sample")}\n${statesOf(this.graph, node)}`;
  }

  private trackNote(x: number, y: number): string {
    if (!this.track || x < 0 || y < AXIS || y >= this.top) return "";
    const run = runAt(this.track, this.range.from + (x / this.surface.width) * this.range.span);
    return run ? `${STATES[run.state]!.text}\n${duration(run.end - run.start)}` : "";
  }

  private outline(node: number, y: number, colour: string, line: number): void {
    if (node < 0) return;
    const { context, width } = this.surface;
    const scale = width / this.range.span;
    const x = Math.max((this.graph.start[node]! - this.range.from) * scale, 0);
    const end = Math.min((this.graph.start[node]! + this.graph.total[node]! - this.range.from) * scale, width);
    if (end <= 0 || x >= width) return;
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.strokeRect(x + 0.5, y + this.graph.depth[node]! * ROW + 0.5, Math.max(end - x - 1.4, 1), ROW - 2.2);
  }

  private nameOf(node: number): string {
    const method = this.report.methods[this.graph.method[node]!];
    if (!method) return this.rootName;
    const name = this.graph.line[node]! >= 0 ? `${method.name}:${this.graph.line[node]!}` : method.name;
    return this.graph.folded[node] ? `${name} \u22ef` : name;
  }
}
