// The messages of the watched threads along time: one lane a thread, the dump at the right end. A bar is
// as long as the message ran; the strip below it is the part of that time on a CPU.

import { bisector } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { Jank, Message, Span } from "./data";
import { axisLabel, fitName } from "./format";
import { Palette, onPaletteChange } from "./palette";
import { Range, Surface, listen } from "./range";

const AXIS = 24;
const BAR = 30;
const STRIP = 7;
const LANE = BAR + STRIP + 14;
const LABEL = 18;

export interface Lane {
  name: string;
  messages: Message[]; // with a start, in order
  spans: Span[]; // what lies between them: quick messages merged, nothing to do
  frozen: Jank["frozen"];
}

export const laneHeight = (lanes: Lane[]): number => AXIS + lanes.length * (LANE + LABEL) + 4;

const startsAt = bisector<Message, number>((message) => message.start!);

export class Timeline {
  readonly range: Range;
  selected = "";
  private hovered: Message | null = null;
  private readonly surface: Surface;
  private readonly stops: (() => void)[];
  private colours = new Palette();

  constructor(
    private readonly canvas: HTMLCanvasElement, private readonly lanes: Lane[],
    private readonly events: { selected(message: Message): void; hovered(message: Message | null): void },
  ) {
    const first = Math.min(-1e6, ...lanes.map((lane) => Math.min(lane.messages[0]?.start ?? 0, lane.spans[0]?.start ?? 0)));
    this.range = new Range(first * 1.02, Math.max(-first * 0.02, 1), 1000, () => this.surface.redraw());
    this.surface = new Surface(canvas, () => this.draw());
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
    this.surface.end();
  }

  recolour(): void {
    this.colours = new Palette();
    this.surface.now();
  }

  select(token: string, reveal: boolean): void {
    this.selected = token;
    const message = this.lanes.flatMap((lane) => lane.messages).find((each) => each.token === token);
    if (message && reveal) {
      const [from, to] = [message.start!, message.start! + (message.wall ?? 0)];
      if (to < this.range.from || from > this.range.to) {
        const middle = (from + to) / 2;
        this.range.moveTo(middle - this.range.span / 2, middle + this.range.span / 2);
      }
    }
    this.surface.redraw();
  }

  private laneTop(lane: number): number {
    return AXIS + lane * (LANE + LABEL) + LABEL;
  }

  private xOf(us: number): number {
    return ((us - this.range.from) / this.range.span) * this.surface.width;
  }

  // The box of a message; what is too short to see is three pixels wide.
  private boxOf(message: Message): [x: number, width: number] {
    const x = this.xOf(message.start!);
    return [x, Math.max(this.xOf(message.start! + (message.wall ?? 0)) - x, 3)];
  }

  private messageAt(x: number, y: number): Message | null {
    const lane = this.lanes.findIndex((_, i) => y >= this.laneTop(i) && y <= this.laneTop(i) + BAR + STRIP + 3);
    let best: Message | null = null;
    let distance = 4;
    for (const message of this.lanes[lane]?.messages ?? []) {
      const [left, width] = this.boxOf(message);
      const away = x < left ? left - x : x > left + width ? x - left - width : 0;
      if (away < distance || (away === 0 && distance === 0)) [best, distance] = [message, away]; // nested: the later one
    }
    return best;
  }

  private click(x: number, y: number, double: boolean): void {
    this.canvas.focus({ preventScroll: true });
    const message = this.messageAt(x, y);
    if (!message) return;
    this.events.selected(message);
    if (double) this.zoomTo(message);
  }

  private zoomTo(message: Message): void {
    const margin = Math.max((message.wall ?? 0) * 0.1, 500);
    this.range.moveTo(message.start! - margin, message.start! + (message.wall ?? 0) + margin);
  }

  private hover(x: number, y: number): void {
    const message = x < 0 ? null : this.messageAt(x, y);
    if (message === this.hovered) return;
    this.hovered = message;
    this.canvas.style.cursor = message ? "pointer" : "default";
    this.events.hovered(message);
    this.surface.redraw();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const lane = Math.max(0, this.lanes.findIndex((each) => each.messages.some((message) => message.token === this.selected)));
    const messages = this.lanes[lane]?.messages ?? [];
    const index = messages.findIndex((message) => message.token === this.selected);
    const go = (message: Message | undefined): void => {
      if (message) this.events.selected(message);
    };
    const actions: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? this.range.pan(-0.2) : go(messages[index < 0 ? messages.length - 1 : index - 1])),
      ArrowRight: () => (event.shiftKey ? this.range.pan(0.2) : go(messages[index + 1])),
      ArrowUp: () => go(this.lanes[lane - 1]?.messages.at(-1)),
      ArrowDown: () => go(this.lanes[lane + 1]?.messages.at(-1)),
      End: () => go(messages.at(-1)),
      Home: () => go(messages[0]),
      Enter: () => messages[index] && this.zoomTo(messages[index]),
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
    context.textBaseline = "middle";
    this.drawAxis();
    for (const [index, lane] of this.lanes.entries()) this.drawLane(lane, this.laneTop(index));
    const dump = this.xOf(0);
    context.fillStyle = this.colours.get("accent");
    context.fillRect(dump - 1, 0, 2, height);
  }

  private drawAxis(): void {
    const { context, width, height } = this.surface;
    const ticks = scaleLinear().domain([this.range.from, this.range.to]).ticks(Math.max(2, Math.floor(width / 110)));
    const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : this.range.span;
    context.font = '12px system-ui, "DejaVu Sans", sans-serif';
    context.textAlign = "center";
    for (const tick of ticks) {
      const x = this.xOf(tick);
      context.fillStyle = this.colours.get("line");
      context.fillRect(x, AXIS - 4, 1, height);
      context.fillStyle = this.colours.get("quiet");
      if (x > 24 && x < width - 24) context.fillText(tick === 0 ? "dump" : axisLabel(tick, step), x, AXIS / 2 - 1);
    }
    context.textAlign = "left";
  }

  private drawLane(lane: Lane, top: number): void {
    const { context, width } = this.surface;
    context.fillStyle = this.colours.get("quiet");
    context.fillText(lane.name, 4, top - LABEL / 2);
    context.fillStyle = this.colours.get("lane");
    context.fillRect(0, top, width, BAR);
    for (const span of lane.spans) {
      const x = this.xOf(span.start!);
      if (x > width) break;
      const end = this.xOf(span.start! + span.span);
      if (end < 0) continue;
      context.fillStyle = this.colours.get(`class-${span.class}`);
      context.fillRect(x, top, Math.max(end - x, 0.5), BAR);
      const busy = (us: number): number => (span.span > 0 ? ((end - x) * Math.min(us, span.span)) / span.span : 0);
      context.fillStyle = this.colours.get("cpu");
      context.fillRect(x, top + BAR + 2, busy(span.cpu ?? 0), STRIP);
    }
    for (const frame of lane.frozen) {
      if (frame.start === null) continue;
      const x = this.xOf(frame.start);
      context.fillStyle = this.colours.get("class-frozen");
      context.fillRect(x, top + BAR + STRIP + 4, Math.max(this.xOf(frame.start + frame.duration) - x, 2), 4);
    }
    // A long message may begin far to the left of what is visible: messages before it ended before it began,
    // unless it is nested, so a few more are looked at.
    const first = Math.max(0, startsAt.left(lane.messages, this.range.from) - 8);
    for (const message of lane.messages.slice(first, startsAt.right(lane.messages, this.range.to))) this.drawMessage(message, top);
  }

  private drawMessage(message: Message, top: number): void {
    const { context, width } = this.surface;
    const [left, full] = this.boxOf(message);
    const x = Math.max(left, -4);
    const end = Math.min(left + full, width + 4);
    if (end < 0) return;
    const nested = message.flags.includes("nested") ? BAR / 2 : 0;
    context.fillStyle = this.colours.get(`class-${message.class}`);
    context.fillRect(x, top + nested, end - x, BAR - nested);
    if (message.wall) {
      const shareOf = (us: number | null): number => (full * Math.min(us ?? 0, message.wall!)) / message.wall!;
      context.fillStyle = this.colours.get("strip");
      context.fillRect(x, top + BAR + 2, end - x, STRIP);
      context.fillStyle = this.colours.get("cpu");
      context.fillRect(x, top + BAR + 2, Math.max(Math.min(left + shareOf(message.cpu), end) - x, 0), STRIP);
      const from = Math.max(left + shareOf(message.cpu), x);
      context.fillStyle = this.colours.get("queue");
      context.fillRect(from, top + BAR + 2, Math.max(Math.min(left + shareOf(message.cpu) + shareOf(message.queue), end) - from, 0), STRIP);
    }
    if (end - x > 40) {
      context.fillStyle = this.colours.get("on-box");
      context.font = '12px system-ui, "DejaVu Sans", sans-serif';
      const name = message.callback || message.target || message.text;
      context.fillText(fitName(name, Math.floor((end - x - 10) / 7.4)), x + 6, top + nested + (BAR - nested) / 2);
    }
    if (message.running) {
      context.fillStyle = this.colours.get("accent");
      context.fillRect(x, top - 3, end - x, 3);
    }
    if (message.token === this.selected || message === this.hovered) {
      context.strokeStyle = this.colours.get(message.token === this.selected ? "text" : "quiet");
      context.lineWidth = 2;
      context.strokeRect(x + 1, top + nested + 1, Math.max(end - x - 2, 1), BAR - nested - 2);
    }
  }
}
