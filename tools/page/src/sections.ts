// SPDX-License-Identifier: Apache-2.0
// The main thread's sections of the trace marker along time: a row for each depth, and one for asynchronous sections.

import type { Palette } from "./palette";
import type { Range, Surface } from "./range";
import { startIn, type Dump, type TraceSection } from "./data";
import { duration, fitName, relative } from "./format";

const ROW = 15;
const MOST_ROWS = 6; // the last row holds all deeper ones

interface Placed extends TraceSection {
  start: number;
  length: number;
}

export class SectionRows {
  private readonly rows: Placed[][];

  constructor(dump: Dump, told: TraceSection[]) {
    const sections = told.map((each) => ({
      ...each,
      start: startIn(dump, each.begin_ns) ?? 0,
      length: (each.end_ns - each.begin_ns) / 1000,
    }));
    const depths = Math.max(0, ...sections.map((each) => (each.async ? 0 : each.depth + 1)));
    const rows = Math.min(depths, MOST_ROWS);
    this.rows = Array.from({ length: rows }, (_, depth) =>
      sections.filter((each) => !each.async && Math.min(each.depth, MOST_ROWS - 1) === depth),
    );
    const apart = sections.filter((each) => each.async);
    if (apart.length > 0) this.rows.push(apart);
  }

  get height(): number {
    return this.rows.length * ROW;
  }

  // The shortest section under the pointer.
  at(us: number, y: number, slack: number): Placed | null {
    let best: Placed | null = null;
    for (const each of this.rows[Math.floor(y / ROW)] ?? []) {
      const inside = us >= each.start - slack && us <= each.start + each.length + slack;
      if (inside && (!best || each.length < best.length)) best = each;
    }
    return best;
  }

  draw(surface: Surface, colours: Palette, range: Range, top: number): void {
    const { context, width } = surface;
    for (const [index, row] of this.rows.entries()) {
      const y = top + index * ROW;
      context.fillStyle = colours.get("lane");
      context.fillRect(0, y, width, ROW - 1);
      let drawnTo = -1;
      for (const each of row) {
        const x = Math.max(((each.start - range.from) / range.span) * width, 0);
        const end = Math.min(((each.start + each.length - range.from) / range.span) * width, width);
        if (end < 0 || x > width || (end < drawnTo + 0.25 && end - x < 1)) continue;
        context.fillStyle = colours.get(each.async ? "class-system" : "class-frame");
        context.fillRect(x, y, Math.max(end - x - 0.5, 0.5), ROW - 1);
        drawnTo = end;
        if (end - x <= 40) continue;
        context.fillStyle = colours.get("on-box");
        context.fillText(fitName(each.name, Math.floor((end - x - 8) / 7.4)), x + 4, y + ROW / 2);
      }
    }
  }
}

export const sectionText = (section: Placed): string =>
  `Section ${section.name}: ${duration(section.length)}${section.open ? " so far" : ""}, from ${relative(section.start)}`;
