// SPDX-License-Identifier: Apache-2.0
// One page of many dumps: groups of what is to blame, the search for one, and how long a thousand take.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { BUILD, dumpOfRealArt, folder, inspect, launch, open, report, secondsToReport, threadTime, timeOfATable } from "./browser.mjs";

describe("the report page of many dumps", () => {
  let browser, real, many, crowd;
  const dump = (name) => path.join(folder, `${name}.sfdump`);
  const column = (page, table, number) => page.locator(`${table} tbody tr > td:nth-child(${number})`).allTextContents();
  const figures = (texts) => texts.map((text) => Number(text.replace(/[^\d.]/g, "")));

  before(async () => {
    execFileSync(path.join(BUILD, "bin/make_dumps"), [folder]);
    [browser, real] = await Promise.all([launch(), dumpOfRealArt()]);
    many = report("many.html", dump("anr"), dump("anr"), dump("blocked"), dump("feed_1"), dump("feed_2"), dump("hostile"));
    const sixty = path.join(folder, "sixty");
    mkdirSync(sixty);
    execFileSync(path.join(BUILD, "bin/make_dumps"), [sixty, dump("anr"), "60"]);
    crowd = report("crowd.html", sixty, path.join(sixty, "7.sfdump"), dump("blocked"), dump("feed_1"));
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has a line for each cause, the costliest first, and says what became of copies", async () => {
    const page = await open(browser, crowd, { viewport: { width: 1400, height: 900 } });
    assert.match(await page.locator("#dumps h2").textContent(), /^63 dumps, 3 causes$/);
    const lines = page.locator("#dumps table > tbody > tr");
    assert.deepEqual(await column(page, "#dumps table >", 3), ["60", "1", "1"]);
    const heights = await lines.evaluateAll((rows) => rows.map((row) => row.offsetHeight));
    assert.ok(Math.max(...heights) < 45, heights.join());
    assert.match(await lines.nth(0).textContent(), /1\.0 \u2013 1\.24.*1 copy ignored$/);
    assert.equal(await lines.nth(0).locator("svg").count(), 1);
    const shares = figures(await column(page, "#dumps table >", 1));
    assert.ok(shares[0] > 90 && shares[1] < 5, shares.join());
    assert.doesNotMatch(await page.locator("#dumps").textContent(), /unidentified|unknown|\|/);
    await page.close();
  });

  it("groups many dumps by cause", async () => {
    const page = await open(browser, many);
    const groups = page.locator("#dumps table > tbody > tr");
    assert.match(await page.locator("#dumps h2").textContent(), /^6 dumps, 4 causes$/);
    // One message in two dumps of one process; one bug in two versions of the application.
    const twice = groups.filter({ hasText: "fixture.Decimal" });
    const [time] = /[\d.]+ s$/.exec(inspect(dump("anr")).verdict.headline);
    assert.deepEqual((await twice.locator("> td").allTextContents()).slice(1, 3), [time, "1"]);
    const feed = groups.filter({ hasText: "app.Feed" });
    await feed.locator("summary").click();
    assert.deepEqual((await feed.locator("> td").allTextContents()).slice(2, 4), ["2", "1.0 \u2013 1.1"]);
    assert.match(await feed.locator(".counts").textContent(), /version: 1\.0 \(1\), 1\.1 \(1\).*device: Pixel 6 \(2\).*API level: 30 \(1\), 34 \(1\)/);
    await page.locator("#dumps-search").fill("pixel 6");
    assert.equal(await groups.count(), 1);
    assert.equal(await page.locator("#dumps-found").textContent(), "2 dumps");
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  // The limits are on CPU time of the command and of the page's thread, which other work on the machine hardly affects.
  it("is small of one dump, and of a thousand made in seconds and usable in one", async () => {
    const one = statSync(report("one.html", real)).size;
    assert.ok(one < 1.5e6, `${one} bytes`);
    const thousand = path.join(folder, "thousand");
    mkdirSync(thousand);
    execFileSync(path.join(BUILD, "bin/make_dumps"), [thousand, real, "1000"]);
    const file = path.join(folder, "thousand.html");
    const made = secondsToReport(thousand, file);
    const table = await timeOfATable(browser);
    const page = await open(browser, file);
    const usable = await page.evaluate(() => Math.round(performance.now()));
    const opening = await threadTime(page);
    console.log(`a dump: ${Math.round(one / 1024)} KiB; a thousand: ${Math.round(statSync(file).size / 1024)} KiB made in ` +
      `${made.toFixed(2)} s, usable ${usable} ms after opening, ${Math.round(1000 * opening)} ms of CPU time, a table ${Math.round(1000 * table)} ms`);
    assert.ok(statSync(file).size < 4e6, `${statSync(file).size} bytes`);
    assert.ok(made < 10, `${made} s of CPU time`);
    assert.ok(opening < 3 * table, `${opening} s of CPU time`);
    assert.match(await page.locator("#dumps h2").textContent(), /^1,000 dumps, 1 cause$/);
    assert.match(await page.locator("#dumps .counts").textContent(), /version: 1\.\d+ \(40\).*device: Phone \d+ \(25\).*API level: \d+ \(100\)/);
    assert.equal(await page.locator("#dumps li").count(), 100);
    await page.getByRole("button", { name: "Show more (900 left)" }).click();
    assert.equal(await page.locator("#dumps li a").count(), 200);
    const before = await threadTime(page);
    await page.locator("#dumps-search").fill("phone 7");
    assert.equal(await page.locator("#dumps-found").textContent(), "25 dumps");
    const searching = (await threadTime(page)) - before;
    assert.ok(searching < 2 * table, `${searching} s of CPU time`);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });
});
