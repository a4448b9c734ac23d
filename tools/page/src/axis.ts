// SPDX-License-Identifier: Apache-2.0
// The time axis along the top of a canvas.

import { scaleLinear } from "d3-scale";
import { axisLabel } from "./format";
import type { Palette } from "./palette";
import type { Range, Surface } from "./range";

export const AXIS = 22;
export const AXIS_FONT = '12px system-ui, "DejaVu Sans", sans-serif';

// "0", or a time in a suitable unit.
export const timeLabel =
  (zero: string) =>
  (at: number, step: number): string =>
    at === 0 ? zero : axisLabel(at, step);

// Lines extend down to `bottom`.
export function drawAxis(
  surface: Surface,
  colours: Palette,
  range: Range,
  bottom: number,
  label: (at: number, step: number) => string,
): void {
  const { context, width } = surface;
  const ticks = scaleLinear()
    .domain([range.from, range.to])
    .ticks(Math.max(2, Math.floor(width / 110)));
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : range.span;
  context.fillStyle = colours.get("card");
  context.fillRect(0, 0, width, AXIS - 1);
  context.font = AXIS_FONT;
  context.textAlign = "center";
  for (const tick of ticks) {
    const x = ((tick - range.from) / range.span) * width;
    context.fillStyle = colours.get("line");
    context.fillRect(x, AXIS - 5, 1, bottom - AXIS + 5);
    context.fillStyle = colours.get("quiet");
    if (x > 24 && x < width - 24) context.fillText(label(tick, step), x, AXIS / 2 - 2);
  }
  context.textAlign = "left";
}
