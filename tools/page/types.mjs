// SPDX-License-Identifier: Apache-2.0
// Generates fields.ts, the types and tables of a dump's fields, from the output of the program page_types:
//   node types.mjs TYPES.json FIELDS.ts
import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const [from, to] = process.argv.slice(2);
const { schema, states, spans, causes } = JSON.parse(readFileSync(from, "utf8"));
const types = await compile({ ...schema, title: "DumpJson" }, "DumpJson", {
  additionalProperties: false,
  bannerComment: "// Made by tools/page/types.mjs from the rows of src/dump/fields.h: do not edit.",
  format: false,
});
const tableOf = (name, rows) => `export const ${name} = ${JSON.stringify(rows, null, 1)} as const;\n`;
const byName = (rows) => Object.fromEntries(rows.map(({ name, ...words }) => [name, words]));
writeFileSync(
  to,
  `${types}\n${tableOf("STATES", states)}${tableOf("SPANS", byName(spans))}${tableOf("CAUSES", byName(causes))}`,
);
