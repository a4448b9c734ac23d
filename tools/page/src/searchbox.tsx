// SPDX-License-Identifier: Apache-2.0
// The head of a list: a field for an expression, other tools, and the number of results.

import type { ComponentChildren } from "preact";
import type { Search } from "./search";

interface SearchToolsProps {
  label: string;
  id: string;
  text: string;
  change: (text: string) => void;
  hint: string; // names the searched items
  search: Search | null;
  outputId: string;
  found: string | null;
  children?: ComponentChildren;
}

export function SearchTools({ label, id, text, change, hint, search, outputId, found, children }: SearchToolsProps) {
  return (
    <form class="tools" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        {label}{" "}
        <input
          type="search"
          id={id}
          value={text}
          placeholder={hint}
          aria-invalid={search?.error ? "true" : "false"}
          onInput={(event) => change(event.currentTarget.value)}
        />
      </label>
      {children}
      <output id={outputId}>
        {search?.error && <b>{search.error}: </b>}
        {found}
      </output>
    </form>
  );
}
