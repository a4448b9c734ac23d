// SPDX-License-Identifier: Apache-2.0
// The visible part of an axis from 0 to `whole`: zoomed, panned and smoothly moved by wheel, pointer and keys. Canvases
// draw from it.

export class Range {
  from: number;
  to: number;
  private animation = 0;

  constructor(
    readonly min: number,
    readonly max: number,
    private readonly smallest: number,
    private readonly changed: () => void,
  ) {
    this.from = min;
    this.to = max;
  }

  get span(): number {
    return this.to - this.from;
  }

  set(from: number, to: number): void {
    const span = Math.min(Math.max(to - from, this.smallest), this.max - this.min);
    this.from = Math.min(Math.max(from, this.min), this.max - span);
    this.to = this.from + span;
    this.changed();
  }

  // The visible part, in thousandths of the whole. "": all.
  get text(): string {
    if (this.span >= this.max - this.min) return "";
    return [this.from, this.to]
      .map((at) => Math.round((1e5 * (at - this.min)) / (this.max - this.min)) / 100)
      .join("~");
  }

  restore(text: string): void {
    cancelAnimationFrame(this.animation);
    const [from, to] = text.split("~").map((part) => this.min + (Number(part) / 1000) * (this.max - this.min));
    if (from! < to!) this.set(from!, to!);
  }

  moveTo(from: number, to: number): void {
    cancelAnimationFrame(this.animation);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.set(from, to);
    const [from0, to0, begin] = [this.from, this.to, performance.now()];
    const step = (now: number): void => {
      const part = Math.min(1, Math.max(0, now - begin) / 180);
      const eased = 1 - (1 - part) ** 3;
      this.set(from0 + (from - from0) * eased, to0 + (to - to0) * eased);
      if (part < 1) this.animation = requestAnimationFrame(step);
    };
    this.animation = requestAnimationFrame(step);
  }

  // Zooms by `factor` (below 1: closer) around `at`.
  zoom(factor: number, at = (this.from + this.to) / 2): void {
    cancelAnimationFrame(this.animation);
    const span = Math.min(Math.max(this.span * factor, this.smallest), this.max - this.min);
    const part = (at - this.from) / this.span;
    this.set(at - span * part, at + span * (1 - part));
  }

  pan(part: number): void {
    cancelAnimationFrame(this.animation);
    this.set(this.from + this.span * part, this.to + this.span * part);
  }

  reset(): void {
    this.moveTo(this.min, this.max);
  }
}

// A canvas as wide as its parent, sharp on every screen. Calls `draw` at most once a frame.
export class Surface {
  width = 0;
  height = 0;
  readonly context: CanvasRenderingContext2D;
  private readonly observer: ResizeObserver;
  private scheduled = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly draw: () => void,
  ) {
    this.context = canvas.getContext("2d", { alpha: false })!;
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(canvas); // calls back at once, which draws the first picture after the drawing is complete
  }

  fit(): void {
    const scale = devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.max(1, Math.round(this.width * scale));
    this.canvas.height = Math.max(1, Math.round(this.height * scale));
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.now();
  }

  redraw = (): void => {
    this.scheduled ||= requestAnimationFrame(() => this.now());
  };

  now(): void {
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
    if (this.width > 0) this.draw();
  }

  end(): void {
    cancelAnimationFrame(this.scheduled);
    this.observer.disconnect();
  }
}

// Ctrl and wheel zooms; the wheel alone scrolls the page, or pans sideways. Dragging pans. A press without movement is
// a click. Returns a function that stops it.
export function listen(
  canvas: HTMLCanvasElement,
  range: () => Range,
  on: {
    click: (x: number, y: number, double: boolean) => void;
    hover: (x: number, y: number) => void;
    drag?: (dy: number) => void;
  },
): () => void {
  const ended = new AbortController();
  const options = { signal: ended.signal };
  const valueAt = (x: number): number => range().from + (x / canvas.clientWidth) * range().span;
  let pressed: { x: number; y: number; moved: boolean } | null = null;
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        range().zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 150), valueAt(event.offsetX));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        range().pan((event.deltaX || event.deltaY) / canvas.clientWidth);
      }
    },
    { ...options, passive: false },
  );
  canvas.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button === 0) pressed = { x: event.offsetX, y: event.offsetY, moved: false };
    },
    options,
  );
  canvas.addEventListener(
    "pointermove",
    (event) => {
      if (!pressed) return on.hover(event.offsetX, event.offsetY);
      const [dx, dy] = [event.offsetX - pressed.x, event.offsetY - pressed.y];
      if (!pressed.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
      if (!pressed.moved) canvas.setPointerCapture(event.pointerId);
      range().pan(-dx / canvas.clientWidth);
      on.drag?.(dy);
      pressed = { x: event.offsetX, y: event.offsetY, moved: true };
    },
    options,
  );
  canvas.addEventListener(
    "pointerup",
    (event) => {
      if (pressed && !pressed.moved) on.click(event.offsetX, event.offsetY, event.detail > 1);
      pressed = null;
    },
    options,
  );
  canvas.addEventListener("pointerleave", () => on.hover(-1, -1), options);
  canvas.addEventListener("pointercancel", () => (pressed = null), options);
  return () => ended.abort();
}
