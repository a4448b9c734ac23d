// SPDX-License-Identifier: Apache-2.0
// Draws a Graph on a canvas, time from left to right: only the rows in view, and of a row at most a box a pixel, so the cost of
// a picture does not depend on the number of nodes.

import { AXIS, drawAxis } from "./axis";
import type { Report } from "./data";
import { fitName } from "./format";
import type { Graph } from "./graph";
import { Palette, kindOf, onPaletteChange } from "./palette";
import { Range, Surface, listen } from "./range";

const ROW = 19;
const CHARACTER = 6.63; // of the 11 px monospaced text
const FONT = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

export const flameHeight = (graph: Graph): number => AXIS + graph.rows.length * ROW + 2;

export interface FlameEvents {
  selected: (node: number) => void;
  hovered: (node: number) => void;
  copy: () => void;
  find: () => void;
}

export class Flame {
  readonly range: Range;
  selected = 0;
  private hovered = -1;
  private readonly surface: Surface;
  private readonly stops: (() => void)[];
  private found: ((method: number) => boolean) | null = null;
  private colours = new Palette();
  private readonly scroller: HTMLElement;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly report: Report,
    private readonly graph: Graph,
    private readonly rootName: string,
    private readonly events: FlameEvents,
  ) {
    this.scroller = canvas.parentElement!.parentElement!;
    this.range = new Range(0, Math.max(graph.total[0]!, 1), Math.min(20, graph.total[0]! || 1), () =>
      this.surface.redraw(),
    );
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
    this.surface.end();
  }

  search(found: ((method: number) => boolean) | null): void {
    this.found = found;
    this.surface.redraw();
  }

  // The time in boxes that match, boxes inside others not counted twice.
  foundTime(): number {
    if (!this.found) return 0;
    const { parent, method, total } = this.graph;
    const inside = new Uint8Array(parent.length);
    let time = 0;
    for (let node = 1; node < parent.length; ++node) {
      if (inside[parent[node]!]) inside[node] = 1;
      else if (this.found(method[node]!)) {
        inside[node] = 1;
        time += total[node]!;
      }
    }
    return time;
  }

  zoomTo(node: number): void {
    const from = this.graph.start[node]!;
    this.range.moveTo(from, from + this.graph.total[node]!);
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
    this.surface.now();
  }

  // Of the rows, below the axis.
  private get visible(): number {
    return this.surface.height - AXIS;
  }

  private nodeAt(x: number, y: number): number {
    const row = this.graph.rows[Math.floor((y - AXIS + this.scroller.scrollTop) / ROW)];
    if (!row || x < 0 || y < AXIS) return -1;
    const at = this.range.from + (x / this.surface.width) * this.range.span;
    const index = this.firstAfter(row, at);
    const node = row[index];
    return node !== undefined && this.graph.start[node]! <= at ? node : -1;
  }

  // The first box of the row that ends after `at`.
  private firstAfter(row: Int32Array, at: number): number {
    let [low, high] = [0, row.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const node = row[middle]!;
      if (this.graph.start[node]! + this.graph.total[node]! <= at) low = middle + 1;
      else high = middle;
    }
    return low;
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
      c: () => this.events.copy(),
      "/": () => this.events.find(),
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
    for (let depth = first; depth <= last; ++depth) this.drawRow(this.graph.rows[depth]!, AXIS + depth * ROW - top);
    this.outline(this.hovered, AXIS - top, this.colours.get("quiet"), 1);
    this.outline(this.selected, AXIS - top, this.colours.get("text"), 2);
    drawAxis(this.surface, this.colours, this.range, AXIS, "0");
  }

  private drawRow(row: Int32Array, y: number): void {
    const { context, width } = this.surface;
    const { start, total, method, state } = this.graph;
    const scale = width / this.range.span;
    const { from, to } = this.range;
    for (let index = this.firstAfter(row, from); index < row.length; ++index) {
      const node = row[index]!;
      if (start[node]! >= to) break;
      const x = Math.max((start[node]! - from) * scale, 0);
      const end = Math.min((start[node]! + total[node]! - from) * scale, width);
      const called = this.report.methods[method[node]!];
      const matches = this.found !== null && node > 0 && this.found(method[node]!);
      context.globalAlpha = this.found && !matches ? 0.35 : 1;
      context.fillStyle = this.colours.get(matches ? "found" : kindOf(called, state[node]!));
      context.fillRect(x, y, Math.max(end - x - 0.7, 0.7), ROW - 1.2);
      if (end - x > 26) {
        context.globalAlpha = 1;
        context.fillStyle = this.colours.get("on-box");
        context.fillText(fitName(this.nameOf(node), Math.floor((end - x - 7) / CHARACTER)), x + 4, y + ROW / 2);
      }
      if (end - x < 1) index = this.firstAfter(row, from + (Math.floor(end) + 1) / scale) - 1;
    }
    context.globalAlpha = 1;
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
    return this.graph.line[node]! >= 0 ? `${method.name}:${this.graph.line[node]!}` : method.name;
  }
}
