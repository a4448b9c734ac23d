// SPDX-License-Identifier: Apache-2.0
// Chromium and the pages that it shows, for all browser tests.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

export const BUILD = process.env.STILLFRAME_BUILD ?? "build";
const PAGE = process.env.STILLFRAME_PAGE ?? "build/page";
const CHROMIUM = "/usr/bin/chromium";
export const TOOL = path.join(BUILD, "bin/stillframe");
export const folder = mkdtempSync(path.join(os.tmpdir(), "stillframe-page-"));

// A suite that node skips counts as passed.
if (!existsSync(CHROMIUM)) {
  console.log(`SKIPPED: ${CHROMIUM} is missing: run tools/setup/install-packages`);
  process.exit(77);
}

export async function launch() {
  const { chromium } = createRequire(path.resolve(PAGE, "package.json"))("playwright-core");
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
}

// Another program on the real runtime, which leaves a dump when it ends.
export async function dumpAtExit(what, settings) {
  const dumps = path.join(folder, what);
  mkdirSync(dumps);
  const program = spawn(path.join(BUILD, "bin/art-run"), [
    "--art", "11", "--preload", path.join(BUILD, "lib/libstillframe.so"), "-cp", path.join(BUILD, "art/process_apps.jar"), "Loopers", what,
  ], { env: { ...process.env, STILLFRAME_DUMP_DIR: dumps, STILLFRAME_DUMP_AT_EXIT: 1, ...settings }, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  program.stderr.on("data", (text) => (log += text));
  const [code] = await once(program, "close");
  assert.equal(code, 0, log);
  const [dump] = readdirSync(dumps).filter((name) => name.endsWith(".sfdump"));
  assert.ok(dump, log);
  return path.join(dumps, dump);
}

// The demonstration's application on the real runtime: two messages of the past with trees, one that hangs while the
// dump is taken, and a queue behind it.
export async function dumpOfRealArt() {
  const log = path.join(folder, "application.log");
  const out = openSync(log, "w");
  const application = spawn(path.join(BUILD, "bin/art-run"), [
    "--art", "11", "--preload", path.join(BUILD, "lib/libstillframe.so"), "--library", path.join(BUILD, "art/libfixture.so"),
    "-cp", path.join(BUILD, "art/fixture.jar"), "fixture.App", "tap:60000", "busy:1200", "javaSleep:200", "lock:1100", "quick:50", "stuck:30",
  ], { env: { ...process.env, STILLFRAME_DUMP_DIR: folder }, stdio: ["ignore", out, out] });
  const until = async (what, found) => {
    for (let i = 0; i < 600; ++i) {
      if (found()) return;
      assert.equal(application.exitCode, null, `the application ended before ${what}:\n${readFileSync(log)}`);
      await sleep(100);
    }
    assert.fail(`no ${what} within a minute:\n${readFileSync(log)}`);
  };
  try {
    await until("its stuck message", () => readFileSync(log, "utf8").includes("stuck"));
    await sleep(1500);
    application.kill("SIGQUIT");
    await until("dump", () => readdirSync(folder).some((name) => name.endsWith("-sigquit.sfdump")));
  } finally {
    application.kill("SIGKILL");
  }
  return path.join(folder, readdirSync(folder).find((name) => name.endsWith("-sigquit.sfdump")));
}

export function report(name, ...dumps) {
  const page = path.join(folder, name);
  execFileSync(TOOL, ["report", ...dumps, "-o", page], { stdio: ["ignore", "inherit", "inherit"] });
  return page;
}

// CPU time that a page of these dumps takes, in 200 MB.
export function secondsToReport(dumps, page) {
  const command = 'ulimit -v 204800; TIMEFORMAT="%U %S"; time "$0" report "$1" -o "$2"';
  const { status, stderr } = spawnSync("bash", ["-c", command, TOOL, dumps, page], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stderr.trim().split(" ").reduce((sum, each) => sum + Number(each), 0);
}

// "outer;inner 1200" lines, in microseconds.
export const collapsed = (dump, token) =>
  execFileSync(TOOL, ["export", "--format", "collapsed", "--unit", "us", "--message", String(token), dump], { encoding: "utf8" }).trim().split("\n");

export const inspect = (dump) => JSON.parse(execFileSync(TOOL, ["inspect", "--json", dump], { maxBuffer: 1 << 28 }));

// A page with its errors and requests in `trouble`, which must stay empty.
export async function open(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 }, ...options });
  page.setDefaultTimeout(120_000); // the machine may be busy
  page.trouble = [];
  page.on("pageerror", (error) => page.trouble.push(error.message));
  page.on("console", (message) => page.trouble.push(message.text()));
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) page.trouble.push(`asked for ${request.url()}`);
  });
  page.metrics = await page.context().newCDPSession(page);
  await page.metrics.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("#verdict, #dumps");
  return page;
}

// CPU time in seconds that this machine's browser needs for a table of 20,000 cells: limits are multiples of it.
export async function timeOfATable(browser) {
  const page = await browser.newPage();
  page.metrics = await page.context().newCDPSession(page);
  await page.metrics.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.evaluate(() => {
    const row = (_, i) => `<tr>${Array.from({ length: 10 }, (__, j) => `<td>cell ${i} ${j}</td>`).join("")}</tr>`;
    document.body.innerHTML = `<table>${Array.from({ length: 2_000 }, row).join("")}</table>`;
    return document.body.offsetHeight;
  });
  const seconds = await threadTime(page);
  await page.close();
  return seconds;
}

// Nothing was drawn if it has one colour.
export const coloursOf = (canvas) => canvas.evaluate((element) => {
  const copy = new OffscreenCanvas(element.width, element.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(element, 0, 0);
  const { data } = copy.getImageData(0, 0, element.width, element.height);
  return new Set(new Uint32Array(data.buffer)).size;
});

// CPU time in seconds that the page's main thread has used for its tasks since it was opened.
export async function threadTime(page) {
  const { metrics } = await page.metrics.send("Performance.getMetrics");
  return metrics.find((metric) => metric.name === "TaskDuration").value;
}
