// SPDX-License-Identifier: Apache-2.0
// What all search fields of the page do: a regular expression, or a text as it stands, in any case of letters.

export interface Search {
  matches: (text: string) => boolean;
  error: string; // "" unless the text is no regular expression; then it is looked for as it stands
}

// Null for an empty text. "ActivityThread$H" finds that name although "$" is the end of a text for an expression.
export function searchFor(text: string): Search | null {
  const plain = text.trim().toLowerCase();
  if (!plain) return null;
  const stands = (where: string): boolean => where.toLowerCase().includes(plain);
  try {
    const expression = new RegExp(text.trim(), "i");
    return { matches: (where) => expression.test(where) || stands(where), error: "" };
  } catch {
    return { matches: stands, error: "no regular expression, taken as it stands" };
  }
}
