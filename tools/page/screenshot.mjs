// SPDX-License-Identifier: Apache-2.0
// Pictures of a report page. Uses the browser package that the page's own build installed.
//   node tools/page/screenshot.mjs REPORT.html FOLDER               light and dark, wide and narrow, and printed
//   node tools/page/screenshot.mjs REPORT.html --picture FILE.png   one for documents: from the verdict to the timeline
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const MOST_BYTES = 200 * 1024; // of a picture for documents

const [report, ...rest] = process.argv.slice(2);
const picture = rest[0] === "--picture" ? rest[1] : undefined;
const folder = rest[0] === "--picture" ? undefined : rest[0];
if (!report || !(picture ?? folder)) {
  console.error("usage: screenshot.mjs REPORT.html FOLDER | screenshot.mjs REPORT.html --picture FILE.png");
  process.exit(2);
}
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = createRequire(path.join(root, "build/page/package.json"))("playwright-core");

async function open(browser, options) {
  const page = await browser.newPage({ colorScheme: "light", ...options });
  page.on("pageerror", (error) => console.error(error.message));
  await page.goto(pathToFileURL(path.resolve(report)).href);
  await page.waitForSelector("#verdict, #dumps");
  await page.waitForTimeout(300);
  return page;
}

async function takeAll(browser) {
  for (const [name, width, colorScheme] of [
    ["light", 1360, "light"],
    ["dark", 1360, "dark"],
    ["narrow", 420, "light"],
  ]) {
    const page = await open(browser, { viewport: { width, height: 900 }, colorScheme });
    await page.screenshot({ path: path.join(folder, `report-${name}.png`), fullPage: true });
    if (name === "light")
      await page.pdf({
        path: path.join(folder, "report.pdf"),
        format: "A4",
        margin: { top: "12mm", bottom: "12mm", left: "12mm", right: "12mm" },
      });
    await page.close();
  }
}

// The line above the verdict is left out: it holds the path of the process. Of the contributors the two largest are shown.
async function takePicture(browser) {
  const width = 1000;
  const page = await open(browser, { viewport: { width, height: 1200 } });
  await page.locator("#contributors tr:nth-child(n + 3)").evaluateAll((rows) => rows.forEach((row) => row.remove()));
  const verdict = await page.locator("#verdict").boundingBox();
  const timeline = await page.locator("canvas.timeline").boundingBox();
  const status = await page.locator("canvas.timeline + .status").boundingBox();
  const top = verdict.y - 14;
  const bottom = Math.max(timeline.y + timeline.height, status.y + status.height) + 6;
  await page.screenshot({ path: picture, fullPage: true, clip: { x: 0, y: top, width, height: bottom - top } });
  const bytes = statSync(picture).size;
  if (bytes > MOST_BYTES) throw new Error(`${picture} has ${bytes} bytes, ${MOST_BYTES} are allowed`);
}

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
try {
  await (picture ? takePicture(browser) : takeAll(browser));
} finally {
  await browser.close();
}
