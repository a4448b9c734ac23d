// SPDX-License-Identifier: Apache-2.0
// A canvas with a drawing that lives as long as its `inputs` stay the same; none if the
// canvas is not on the page. What a drawing is told belongs into a layout effect as well: an effect after the next
// picture may bring it back to where the reader was a key ago, which tells the page, which tells the drawing, for ever.

import { useLayoutEffect, useRef } from "preact/hooks";

export function useDrawing<T extends { end: () => void }>(make: (canvas: HTMLCanvasElement) => T, inputs: unknown[]) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<T | null>(null);
  useLayoutEffect(() => {
    if (!canvas.current) return;
    const made = make(canvas.current);
    drawing.current = made;
    return () => {
      drawing.current = null;
      made.end();
    };
  }, inputs);
  return { canvas, drawing };
}
