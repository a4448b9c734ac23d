// SPDX-License-Identifier: Apache-2.0
// Shared by all search fields of the page: a regular expression or literal text, ignoring case.

import type { Report, Tree } from "./data";

export interface Search {
  matches: (text: string) => boolean;
  error: string; // "" unless the text is an invalid expression, which is then searched literally
}

// Null for an empty text. "ActivityThread$H" finds that name, although "$" ends a text in an expression.
export function searchFor(text: string): Search | null {
  const body = /^\/(.+)\/$/.exec(text.trim())?.[1] ?? text.trim();
  const plain = body.toLowerCase();
  if (!plain) return null;
  const stands = (where: string): boolean => where.toLowerCase().includes(plain);
  try {
    const expression = new RegExp(body, "i");
    return { matches: (where) => expression.test(where) || stands(where), error: "" };
  } catch {
    return { matches: stands, error: "not a valid regex; searching for the plain text" };
  }
}

// By method: 1 if its name or file matches.
export const matchingMethods = (report: Report, search: Search): Uint8Array =>
  Uint8Array.from(report.methods, (each) => Number(search.matches(each.name) || search.matches(each.file)));

// Time of all samples with a matching frame, folded or not.
export function foundTime(report: Report, trees: Tree[], search: Search): number {
  const matches = matchingMethods(report, search);
  let time = 0;
  for (const tree of trees) {
    let counted = 0; // samples before this index
    for (const [i, frame] of tree.frame.entries()) {
      if (matches[report.frameMethod[frame]!] !== 1) continue;
      const end = tree.offset[i]! + tree.count[i]!;
      for (let at = Math.max(counted, tree.offset[i]!); at < end; ++at) time += tree.weight[at]!;
      counted = Math.max(counted, end);
    }
  }
  return time;
}
