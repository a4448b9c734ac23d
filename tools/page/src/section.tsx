// SPDX-License-Identifier: Apache-2.0
// The frame around each part of the page, and lists of label and value.

import type { ComponentChildren } from "preact";
import type { Fact } from "./data";

export function Section({
  id,
  title,
  note,
  children,
}: {
  id: string;
  title: string;
  note?: string;
  children: ComponentChildren;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {title}
        {note && <span class="quiet"> {note}</span>}
      </h2>
      {children}
    </section>
  );
}

export function Facts({ rows }: { rows: Fact[] }) {
  return (
    <dl>
      {rows.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd class={value === null ? "quiet" : ""}>{value ?? "not in this dump"}</dd>
        </div>
      ))}
    </dl>
  );
}
