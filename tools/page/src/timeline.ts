// SPDX-License-Identifier: Apache-2.0
// The watched threads along time: one lane a thread, the dump at the right end. A bar is as long as its message; the
// strip below shows the thread's states. Below the main thread's lane are screen frames and sections of the trace
// marker.

import { bisector } from "d3-array";
import { AXIS, AXIS_FONT, drawAxis, timeLabel } from "./axis";
import { fitName } from "./format";
import { summaryOf, type Item } from "./items";
import { Palette, onPaletteChange } from "./palette";
import { Range, Surface, listen } from "./range";
import { SectionRows, sectionText } from "./sections";
import { drawStates } from "./states";
import { Tooltip } from "./tooltip";

const LABEL = 18;
const BAR = 30;
const STRIP = 7;
const LANE = LABEL + BAR + STRIP + 12;
const TRACK_BAR = 20;
const TRACK = LABEL + TRACK_BAR + 10;

export interface Lane {
  name: string;
  items: Item[]; // with a start, in order
}

// The main thread's frames, from their due time.
export interface FrameTrack {
  name: string;
  refresh: number; // us; 0: unknown
  drawn: { id: string; due: number; end: number }[]; // by due time
  frozen: { id: string; start: number; end: number; text: string }[];
}

const heightOf = (sections: SectionRows | null): number => (sections ? LABEL + sections.height + 10 : 0);

export const timelineHeight = (lanes: Lane[], track: FrameTrack | null, sections: SectionRows | null): number =>
  AXIS + lanes.length * LANE + (track ? TRACK : 0) + heightOf(sections) + 4;

const startsAt = bisector<Item, number>((item) => item.start!);
const dueAt = bisector<FrameTrack["drawn"][number], number>((frame) => frame.due);

interface Hit {
  id: string;
  text: string;
}

export class Timeline {
  readonly range: Range;
  selected = "";
  private hovered: Hit | null = null;
  private only = new Set<string>();
  private readonly tooltip: Tooltip;
  private readonly surface: Surface;
  private readonly stops: (() => void)[];
  private colours = new Palette();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly lanes: Lane[],
    private readonly track: FrameTrack | null,
    private readonly sections: SectionRows | null,
    private readonly events: {
      selected: (id: string) => void;
      hovered: (text: string) => void;
      moved: (range: Range) => void;
    },
  ) {
    const first = Math.min(-1e6, ...lanes.map((lane) => lane.items[0]?.start ?? 0));
    this.range = new Range(first * 1.02, Math.max(-first * 0.02, 1), 1000, () => {
      this.surface.redraw();
      this.events.moved(this.range);
    });
    this.surface = new Surface(canvas, () => this.draw());
    this.tooltip = new Tooltip(canvas);
    const keys = (event: KeyboardEvent): void => this.key(event);
    canvas.addEventListener("keydown", keys);
    this.stops = [
      listen(canvas, () => this.range, {
        click: (x, y, double) => this.click(x, y, double),
        hover: (x, y) => this.hover(x, y),
      }),
      onPaletteChange(() => this.recolour()),
      () => canvas.removeEventListener("keydown", keys),
    ];
  }

  end(): void {
    for (const stop of this.stops) stop();
    this.tooltip.end();
    this.surface.end();
  }

  recolour(): void {
    this.colours = new Palette();
    this.surface.now();
  }

  select(id: string): void {
    this.selected = id;
    const item = this.itemOf(id);
    if (item && (item.start! + item.length < this.range.from || item.start! > this.range.to)) {
      const middle = item.start! + item.length / 2;
      this.range.moveTo(middle - this.range.span / 2, middle + this.range.span / 2);
    }
    this.surface.redraw();
  }

  // Shows other colours faintly. An empty set shows all.
  show(only: Set<string>): void {
    this.only = only;
    this.surface.redraw();
  }

  private itemOf(id: string): Item | undefined {
    for (const lane of this.lanes) {
      const found = lane.items.find((item) => item.id === id);
      if (found) return found;
    }
    return undefined;
  }

  private barTop(lane: number): number {
    const below = lane > 0 ? (this.track ? TRACK : 0) + heightOf(this.sections) : 0;
    return AXIS + lane * LANE + LABEL + below;
  }

  private trackTop(): number {
    return AXIS + LANE + LABEL;
  }

  private sectionsTop(): number {
    return this.trackTop() + (this.track ? TRACK : 0);
  }

  private xOf(us: number): number {
    return ((us - this.range.from) / this.range.span) * this.surface.width;
  }

  // A message that is too short to see is three pixels wide.
  private boxOf(item: Item): [x: number, width: number] {
    const x = this.xOf(item.start!);
    return [x, Math.max(this.xOf(item.start! + item.length) - x, item.message ? 3 : 0.5)];
  }

  // The shortest item under the pointer, because it lies inside the others. Else the nearest.
  private itemAt(x: number, y: number): Item | null {
    const lane = this.lanes.findIndex((_, i) => y >= this.barTop(i) && y <= this.barTop(i) + BAR + STRIP + 3);
    let best: Item | null = null;
    let distance = 4;
    for (const item of this.lanes[lane]?.items ?? []) {
      const [left, width] = this.boxOf(item);
      const away = Math.max(left - x, x - left - width, 0);
      if (away < distance || (away === distance && (!best || item.length <= best.length)))
        [best, distance] = [item, away];
    }
    return best;
  }

  private hitAt(x: number, y: number): Hit | null {
    const top = this.trackTop();
    if (this.track && y >= top && y < top + TRACK_BAR) {
      const at = this.range.from + (x / this.surface.width) * this.range.span;
      const slack = (3 / this.surface.width) * this.range.span;
      const frozen = this.track.frozen.find(({ start, end }) => at > start - slack && at < end + slack);
      if (frozen) return { id: frozen.id, text: `Screen frozen: ${frozen.text}` };
      const drawn = this.track.drawn.find(({ due, end }) => at > due - slack && at < end + slack);
      const item = drawn && this.itemOf(drawn.id);
      return item ? { id: item.id, text: summaryOf(item) } : null;
    }
    const down = y - this.sectionsTop();
    if (this.sections && down >= 0 && down < this.sections.height) {
      const at = this.range.from + (x / this.surface.width) * this.range.span;
      const section = this.sections.at(at, down, (2 / this.surface.width) * this.range.span);
      const around = this.lanes[0]?.items.find((each) => at >= each.start! && at < each.start! + each.length);
      return section && { id: around?.id ?? "", text: sectionText(section) };
    }
    const item = this.itemAt(x, y);
    return item && { id: item.id, text: summaryOf(item) };
  }

  private click(x: number, y: number, double: boolean): void {
    this.canvas.focus({ preventScroll: true });
    const hit = this.hitAt(x, y);
    if (!hit?.id) return;
    this.events.selected(hit.id);
    if (double) this.zoomTo(this.itemOf(hit.id));
  }

  private zoomTo(item: Item | undefined): void {
    if (!item) return;
    const margin = Math.max(item.length * 0.1, 500);
    this.range.moveTo(item.start! - margin, item.start! + item.length + margin);
  }

  private hover(x: number, y: number): void {
    const hit = x < 0 ? null : this.hitAt(x, y);
    this.tooltip.show(hit?.text ?? "", x, y);
    if (hit?.text === this.hovered?.text) return;
    this.hovered = hit;
    this.canvas.style.cursor = hit ? "pointer" : "default";
    this.events.hovered(hit?.text ?? "");
    this.surface.redraw();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const lane = Math.max(
      0,
      this.lanes.findIndex((each) => each.items.some((item) => item.id === this.selected)),
    );
    const items = this.lanes[lane]?.items ?? [];
    const index = items.findIndex((item) => item.id === this.selected);
    const go = (item: Item | undefined): void => {
      if (item) this.events.selected(item.id);
    };
    const messageFrom = (from: number, step: number): Item | undefined => {
      for (let i = from + step; i >= 0 && i < items.length; i += step) if (items[i]!.message) return items[i];
      return undefined;
    };
    const actions: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? this.range.pan(-0.2) : go(index < 0 ? items.at(-1) : items[index - 1])),
      ArrowRight: () => (event.shiftKey ? this.range.pan(0.2) : go(items[index + 1])),
      PageUp: () => go(messageFrom(index < 0 ? items.length : index, -1)),
      PageDown: () => go(messageFrom(index, 1)),
      ArrowUp: () => go(this.lanes[lane - 1]?.items.at(-1)),
      ArrowDown: () => go(this.lanes[lane + 1]?.items.at(-1)),
      End: () => go(items.at(-1)),
      Home: () => go(items[0]),
      Enter: () => this.zoomTo(items[index]),
      Escape: () => this.range.reset(),
      "+": () => this.range.zoom(0.7),
      "=": () => this.range.zoom(0.7),
      "-": () => this.range.zoom(1 / 0.7),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private draw(): void {
    const { context, width, height } = this.surface;
    context.fillStyle = this.colours.get("card");
    context.fillRect(0, 0, width, height);
    context.font = AXIS_FONT;
    context.textBaseline = "middle";
    drawAxis(this.surface, this.colours, this.range, height, timeLabel("dump"));
    for (const [index, lane] of this.lanes.entries()) this.drawLane(lane, this.barTop(index));
    if (this.track) this.drawTrack(this.track);
    if (this.sections) {
      this.drawLabel("sections of the trace marker", this.sectionsTop());
      this.sections.draw(this.surface, this.colours, this.range, this.sectionsTop());
    }
    const dump = this.xOf(0);
    context.fillStyle = this.colours.get("accent");
    context.fillRect(dump - 1, AXIS - 4, 2, height);
  }

  // Text on its own background, so that axis lines do not cross it.
  private drawLabel(text: string, top: number): void {
    const { context } = this.surface;
    context.fillStyle = this.colours.get("card");
    context.fillRect(0, top - LABEL, context.measureText(text).width + 8, LABEL);
    context.fillStyle = this.colours.get("quiet");
    context.fillText(text, 4, top - LABEL / 2);
  }

  private drawLane(lane: Lane, top: number): void {
    const { context, width } = this.surface;
    this.drawLabel(lane.name, top);
    context.fillStyle = this.colours.get("lane");
    context.fillRect(0, top, width, BAR);
    const visible = lane.items
      .slice(0, startsAt.right(lane.items, this.range.to))
      .filter((item) => item.start! + item.length >= this.range.from);
    let drawnTo = -1;
    for (const item of visible) {
      if (item.message || this.xOf(item.start! + item.length) < drawnTo + 0.25) continue;
      drawnTo = this.drawItem(item, top);
    }
    for (const item of visible) if (item.message) this.drawItem(item, top);
  }

  private drawItem(item: Item, top: number): number {
    const { context, width } = this.surface;
    const [left, full] = this.boxOf(item);
    const x = Math.max(left, -4);
    const end = Math.min(left + full, width + 4);
    const nested = item.message?.nested ? BAR / 2 : 0;
    context.globalAlpha = this.only.size > 0 && !this.only.has(item.colour) ? 0.15 : 1;
    context.fillStyle = this.colours.get(item.colour);
    context.fillRect(x, top + nested, end - x, BAR - nested);
    this.drawStrip(item, x, end, top + BAR + 2);
    context.globalAlpha = 1;
    if (end - x > 40) {
      context.fillStyle = this.colours.get("on-box");
      context.fillText(fitName(item.label, Math.floor((end - x - 10) / 7.4)), x + 6, top + nested + (BAR - nested) / 2);
    }
    if (item.message?.isRunning) {
      context.fillStyle = this.colours.get("accent");
      context.fillRect(x, top - 3, end - x, 3);
    }
    if (item.id === this.selected || item.id === this.hovered?.id) {
      context.strokeStyle = this.colours.get(item.id === this.selected ? "text" : "quiet");
      context.lineWidth = 2;
      context.strokeRect(x + 1, top + nested + 1, Math.max(end - x - 2, 1), BAR - nested - 2);
    }
    return end;
  }

  // The thread's states in order. Without samples the order is unknown: heights then show the shares of running and of
  // being ready, along the whole message.
  private drawStrip(item: Item, x: number, end: number, y: number): void {
    const { context } = this.surface;
    if (item.length <= 0) return;
    context.fillStyle = this.colours.get("strip");
    context.fillRect(x, y, end - x, STRIP);
    if (item.states.length > 0)
      return drawStates(this.surface, this.colours, this.range, item.states, item.start!, y, STRIP);
    let bottom = y + STRIP;
    for (const [colour, us] of [["app", item.cpu] as const, ["ready", item.queue] as const]) {
      const tall = (STRIP * Math.min(us ?? 0, item.length)) / item.length;
      const top = Math.max(bottom - tall, y);
      context.fillStyle = this.colours.get(colour);
      context.fillRect(x, top, end - x, bottom - top);
      bottom = top;
    }
  }

  private drawTrack(track: FrameTrack): void {
    const { context, width } = this.surface;
    const top = this.trackTop();
    this.drawLabel(track.name, top);
    context.fillStyle = this.colours.get("lane");
    context.fillRect(0, top, width, TRACK_BAR);
    this.drawRefreshes(track);
    for (const { due, end } of track.drawn) this.drawFrame(due, end, "class-frame", "");
    for (const { start, end, text } of track.frozen) this.drawFrame(start, end, "class-frozen", text);
  }

  // A line for each screen refresh since the previous frame, if there is space.
  private drawRefreshes({ drawn, refresh }: FrameTrack): void {
    if (!this.hasRoomFor(refresh)) return;
    const { context } = this.surface;
    context.fillStyle = this.colours.get("quiet");
    for (
      let i = Math.max(dueAt.right(drawn, this.range.from) - 1, 0);
      i < drawn.length && drawn[i]!.due < this.range.to;
      i++
    ) {
      const until = Math.min(drawn[i + 1]?.due ?? 0, this.range.to);
      const passed = Math.max(0, Math.ceil((this.range.from - drawn[i]!.due) / refresh));
      for (let at = drawn[i]!.due + passed * refresh; at < until; at += refresh) {
        context.fillRect(this.xOf(at), this.trackTop() + TRACK_BAR - 4, 1, 4);
      }
    }
  }

  private hasRoomFor(us: number): boolean {
    return us > 0 && (us / this.range.span) * this.surface.width >= 3;
  }

  // From its due time. Each screen refresh that it missed is a line.
  private drawFrame(due: number, end: number, colour: string, text: string): void {
    const { context, width } = this.surface;
    const top = this.trackTop();
    const [x, right] = [Math.max(this.xOf(due), 0), Math.min(this.xOf(end), width)];
    if (right < 0 || x > width) return;
    context.fillStyle = this.colours.get(colour);
    context.fillRect(x, top, Math.max(right - x, 2), TRACK_BAR);
    const { refresh } = this.track!;
    if (this.hasRoomFor(refresh)) {
      context.fillStyle = this.colours.get("card");
      const first = Math.max(1, Math.ceil((this.range.from - due) / refresh));
      for (let at = due + first * refresh; at < Math.min(end, this.range.to); at += refresh)
        context.fillRect(this.xOf(at), top + TRACK_BAR - 4, 1, 4);
    }
    if (right - x > 60) {
      context.fillStyle = this.colours.get("on-box");
      context.fillText(fitName(text, Math.floor((right - x - 10) / 7.4)), x + 6, top + (TRACK_BAR - 4) / 2);
    }
  }
}
