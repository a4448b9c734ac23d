// SPDX-License-Identifier: Apache-2.0
// A canvas with a drawing that lives as long as its `inputs` stay the same; none if the
// canvas is not on the page.

import { useEffect, useRef } from "preact/hooks";

export function useDrawing<T extends { end: () => void }>(make: (canvas: HTMLCanvasElement) => T, inputs: unknown[]) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<T | null>(null);
  useEffect(() => {
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
