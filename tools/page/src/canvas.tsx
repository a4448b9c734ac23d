// SPDX-License-Identifier: Apache-2.0
// A canvas with a drawing that lives until its `inputs` change; null while the canvas is not on the page. Update the
// drawing in a layout effect too. An effect after the next picture may restore the place of one key press ago. The
// drawing then reports that place to the page, which sets the drawing again, without end.

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
