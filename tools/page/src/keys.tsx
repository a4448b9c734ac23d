// SPDX-License-Identifier: Apache-2.0
// The page's keys. "/" and "?" work everywhere, the others in a focused chart.

import { useEffect, useRef } from "preact/hooks";

export const TIMELINE_KEYS =
  "\u2190 \u2192 previous/next item, PgUp/PgDn previous/next message, \u2191 \u2193 another thread, + \u2212 zoom, Shift+\u2190 \u2192 move, Enter zooms to it, Esc shows all. Mouse: Ctrl+wheel zooms, drag moves, double click zooms.";
export const FLAME_KEYS =
  "Arrows move, Enter zooms to the box, Esc shows all, + \u2212 zoom, Shift+\u2190 \u2192 pan, c copies the stack, n N next and previous found. Mouse: click zooms, Ctrl+wheel zooms, drag moves.";

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;

export function Keys() {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event)) return;
      if (event.key === "?") box.current?.showModal();
      else if (event.key === "/") {
        const fields = document.querySelectorAll<HTMLElement>("#search, #dumps-search");
        [...fields].find((field) => field.offsetParent !== null)?.focus();
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <button type="button" class="plain" onClick={() => box.current?.showModal()}>
        Keys (?)
      </button>
      <dialog ref={box} id="keys" aria-label="Keys">
        {[
          ["Everywhere", "/ searches, ? shows this."],
          ["Timeline", TIMELINE_KEYS],
          ["Flame graph", FLAME_KEYS],
        ].map(([title, text]) => (
          <p>
            <b>{title}:</b> {text}
          </p>
        ))}
        <button type="button" onClick={() => box.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  );
}
