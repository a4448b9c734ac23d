// SPDX-License-Identifier: Apache-2.0
// A note beside the pointer. For screen readers, the line below the canvas has the same text.

const AWAY = 14; // px from the pointer

export class Tooltip {
  private readonly element = document.createElement("div");

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.element.className = "tooltip";
    this.element.hidden = true;
    this.element.setAttribute("aria-hidden", "true");
    document.body.append(this.element);
  }

  // At (x, y) of the canvas. "" hides it.
  show(text: string, x: number, y: number): void {
    this.element.hidden = !text;
    if (!text) return;
    if (this.element.textContent !== text) this.element.textContent = text;
    const { left, top } = this.canvas.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const place = (at: number, size: number, room: number): number =>
      at + AWAY + size <= room ? at + AWAY : Math.max(at - AWAY - size, 0);
    this.element.style.left = `${place(left + x, width, document.documentElement.clientWidth)}px`;
    this.element.style.top = `${place(top + y, height, innerHeight)}px`;
  }

  end(): void {
    this.element.remove();
  }
}
