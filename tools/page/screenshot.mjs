// SPDX-License-Identifier: Apache-2.0
// Pictures of a report page. Uses the browser package that the page's own build installed.
//   node tools/page/screenshot.mjs REPORT.html FOLDER               light and dark, wide and narrow, and printed
//   node tools/page/screenshot.mjs REPORT.html --picture FILE.png   one for documents: the first screen
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

// The first screen: from the chips to the contributors.
async function takePicture(browser) {
  const width = 1200;
  const page = await open(browser, { viewport: { width, height: 900 } });
  const { y, height } = await page.locator(".pair").boundingBox();
  await page.screenshot({ path: picture, fullPage: true, clip: { x: 0, y: 0, width, height: y + height + 14 } });
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
