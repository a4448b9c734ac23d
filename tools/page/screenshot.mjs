// SPDX-License-Identifier: Apache-2.0
// Pictures of a report page, light and dark, wide and narrow, and printed: node tools/page/screenshot.mjs REPORT.html FOLDER
// Uses the browser package that the page's own build installed.
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [report, folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: screenshot.mjs REPORT.html FOLDER");
  process.exit(2);
}
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = createRequire(path.join(root, "build/page/package.json"))("playwright-core");
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
for (const [name, width, colorScheme] of [
  ["light", 1360, "light"],
  ["dark", 1360, "dark"],
  ["narrow", 420, "light"],
]) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.on("pageerror", (error) => console.error(error.message));
  await page.goto(pathToFileURL(path.resolve(report)).href);
  await page.waitForSelector("#verdict");
  await page.waitForTimeout(300);
  await page.screenshot({ path: path.join(folder, `report-${name}.png`), fullPage: true });
  if (name === "light")
    await page.pdf({
      path: path.join(folder, "report.pdf"),
      format: "A4",
      margin: { top: "12mm", bottom: "12mm", left: "12mm", right: "12mm" },
    });
  await page.close();
}
await browser.close();
