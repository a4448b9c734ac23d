// SPDX-License-Identifier: Apache-2.0
// What a part of the page keeps in the address: an order, a filter, a choice.

import { createContext } from "preact";
import { useContext } from "preact/hooks";

interface Kept {
  values: Record<string, string>;
  keep: (name: string, value: string) => void;
}

export const KeptContext = createContext<Kept>({ values: {}, keep: () => undefined });

// As useState(""). An empty value is not in the address.
export function useKept(name: string): [string, (value: string) => void] {
  const { values, keep } = useContext(KeptContext);
  return [values[name] ?? "", (value) => keep(name, value)];
}

export function useKeptSet(name: string): [Set<string>, (values: Set<string>) => void] {
  const [text, keep] = useKept(name);
  return [new Set(text ? text.split(",") : []), (values) => keep([...values].join())];
}
