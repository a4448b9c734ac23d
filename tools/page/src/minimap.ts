// SPDX-License-Identifier: Apache-2.0
// The whole graph, small, with a window over the part in the flame graph. A press or drag moves the window.

import type { Report } from "./data";
import type { Graph } from "./graph";
import { nextAfter } from "./paths";
import { Palette, onPaletteChange, ownerOf } from "./palette";
import { Surface, type Range } from "./range";

const MOST_ROWS = 60;

export class Minimap {
  private readonly surface: Surface;
  private readonly stops: (() => void)[];
  private colours = new Palette();
  private picture: OffscreenCanvas | null = null; // the whole graph, in device pixels

  constructor(
    canvas: HTMLCanvasElement,
    private readonly report: Report,
    private readonly graph: Graph,
    private readonly range: Range,
  ) {
    this.surface = new Surface(canvas, () => this.draw());
    const ended = new AbortController();
    const move = (event: PointerEvent): void => {
      if ((event.buttons & 1) === 0) return;
      const middle = (event.offsetX / Math.max(this.surface.width, 1)) * range.max;
      range.set(middle - range.span / 2, middle + range.span / 2);
    };
    const press = (event: PointerEvent): void => {
      canvas.setPointerCapture(event.pointerId);
      move(event);
    };
    canvas.addEventListener("pointerdown", press, { signal: ended.signal });
    canvas.addEventListener("pointermove", move, { signal: ended.signal });
    this.stops = [
      () => ended.abort(),
      onPaletteChange(() => {
        this.colours = new Palette();
        this.picture = null;
        this.surface.now();
      }),
    ];
  }

  redraw(): void {
    this.surface.redraw();
  }

  end(): void {
    for (const stop of this.stops) stop();
    this.surface.end();
  }

  private whole(): OffscreenCanvas {
    const { width, height } = this.surface.canvas;
    if (this.picture?.width === width && this.picture.height === height) return this.picture;
    this.picture = new OffscreenCanvas(width, height);
    const context = this.picture.getContext("2d", { alpha: false })!;
    context.fillStyle = this.colours.get("card");
    context.fillRect(0, 0, width, height);
    const rows = this.graph.rows.slice(0, MOST_ROWS);
    const tall = height / Math.max(rows.length, 12);
    const scale = width / this.range.max;
    for (const [depth, row] of rows.entries()) {
      for (let index = 0; index < row.length; ++index) {
        const node = row[index]!;
        const x = this.graph.start[node]! * scale;
        const end = (this.graph.start[node]! + this.graph.total[node]!) * scale;
        const method = this.report.methods[this.graph.method[node]!];
        context.fillStyle = this.colours.get(ownerOf(method));
        context.fillRect(x, depth * tall, Math.max(end - x, 0.5), Math.max(tall - 0.5, 0.5));
        if (end - x < 1) index = nextAfter(this.graph, row, index, (Math.floor(end) + 1) / scale) - 1;
      }
    }
    return this.picture;
  }

  private draw(): void {
    const { context, width, height } = this.surface;
    context.drawImage(this.whole(), 0, 0, width, height);
    const [from, to] = [this.range.from, this.range.to].map((at) => (at / this.range.max) * width) as [number, number];
    context.globalAlpha = 0.75;
    context.fillStyle = this.colours.get("card");
    context.fillRect(0, 0, from, height);
    context.fillRect(to, 0, width - to, height);
    context.globalAlpha = 1;
    context.strokeStyle = this.colours.get("text");
    context.lineWidth = 1;
    context.strokeRect(from + 0.5, 0.5, Math.max(to - from - 1, 2), height - 1);
  }
}
