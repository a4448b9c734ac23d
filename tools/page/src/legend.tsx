// SPDX-License-Identifier: Apache-2.0
// Meaning of the colours. Each is a switch: if any is on, only the colours that are on are shown.

import { ACTS, type Act } from "./palette";

export interface LegendEntry {
  key: string;
  mark: string; // class of the mark
  text: string;
}

export function Legend({
  entries,
  only,
  show,
  label,
  others = [],
}: {
  entries: LegendEntry[];
  others?: Act[]; // in the strips only
  only: Set<string>; // empty: shows everything
  show: (only: Set<string>) => void;
  label: string;
}) {
  const toggle = (key: string): void => {
    const next = new Set(only);
    if (!next.delete(key)) next.add(key);
    show(next.size === entries.length ? new Set() : next);
  };
  return (
    <ul class="legend" aria-label={label}>
      {entries.map(({ key, mark, text }) => (
        <li>
          <button type="button" class="plain" aria-pressed={only.has(key)} onClick={() => toggle(key)}>
            <i class={mark} />
            {text}
          </button>
        </li>
      ))}
      {others.map((act) => (
        <li>
          <i class={`kind-${act}`} />
          {ACTS[act]} (strip)
        </li>
      ))}
    </ul>
  );
}

export function Acts({ acts, label }: { acts: Act[]; label: string }) {
  if (acts.length === 0) return null;
  return (
    <ul class="legend acts" aria-label={label}>
      <li>{label}:</li>
      {acts.map((act) => (
        <li>
          <i class={`kind-${act}`} />
          {ACTS[act]}
        </li>
      ))}
    </ul>
  );
}
