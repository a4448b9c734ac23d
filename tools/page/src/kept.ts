// SPDX-License-Identifier: Apache-2.0
// State of a part of the page that is kept in the address: an order, a filter, a choice.

import { createContext } from "preact";
import { useContext, useEffect, useMemo, useRef } from "preact/hooks";
import type { Range } from "./range";

interface Kept {
  values: Record<string, string>;
  keep: (name: string, value: string) => void;
}

export const KeptContext = createContext<Kept>({ values: {}, keep: () => undefined });

// Like useState(""). Empty values are not in the address.
export function useKept(name: string): [string, (value: string) => void] {
  const { values, keep } = useContext(KeptContext);
  return [values[name] ?? "", (value) => keep(name, value)];
}

export function useKeptSet(name: string): [Set<string>, (values: Set<string>) => void] {
  const [text, keep] = useKept(name);
  return [new Set(text ? text.split(",") : []), (values) => keep([...values].join())];
}

const SETTLED_MS = 300; // after the last move

// A chart's visible part.
export function useKeptRange(name: string) {
  const [text, keep] = useKept(name);
  const latest = useRef({ text, keep });
  latest.current = { text, keep };
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const [moved, restore] = useMemo(
    () => [
      (range: Range): void => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          if (range.text !== latest.current.text) latest.current.keep(range.text);
        }, SETTLED_MS);
      },
      (range: Range | undefined): void => {
        if (range && latest.current.text && latest.current.text !== range.text) range.restore(latest.current.text);
      },
    ],
    [],
  );
  return { text, moved, restore };
}
