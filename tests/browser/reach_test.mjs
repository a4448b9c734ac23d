// SPDX-License-Identifier: Apache-2.0
// The first screen, and the page without a mouse, on a small screen, in forced colours, or in print.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { BUILD, coloursOf, dumpOfRealArt, folder, inspect, launch, open, report } from "./browser.mjs";

const SOURCES = "https://git.example/shop/{file}#L{line}";

describe("the first screen and the page's reach", () => {
  let browser, dump, demo, files;

  before(async () => {
    execFileSync(path.join(BUILD, "bin/make_dumps"), [folder]);
    [browser, dump] = await Promise.all([launch(), dumpOfRealArt()]);
    demo = report("demo.html", dump, "--source-url", SOURCES);
    files = { demo, ...Object.fromEntries(["anr", "blocked", "hostile"].map((name) => [name, report(`${name}.html`, path.join(folder, `${name}.sfdump`))])) };
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const top = async (page, selector) => (await page.locator(selector).first().boundingBox())?.y ?? Infinity;
  const press = async (page, ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.tagName);

  it("says what happened, what to do, when, where and on what", async () => {
    for (const [name, file] of Object.entries(files)) {
      for (const colorScheme of ["light", "dark"]) {
        const page = await open(browser, file, { viewport: { width: 1400, height: 900 }, colorScheme });
        for (const part of ["#verdict", "#sentence", "#next-step", "canvas.timeline", "#stack", "#contributors"])
          assert.ok((await top(page, part)) < 800, `${name}: ${part} at ${await top(page, part)}`);
        assert.ok((await coloursOf(page.locator("canvas.timeline"))) > 2);
        assert.deepEqual(page.trouble, [], name);
        await page.close();
      }
    }
  });

  it("has headline, next step and stack first on a phone", async () => {
    const page = await open(browser, demo, { viewport: { width: 390, height: 844 } });
    const tops = [];
    for (const part of ["#verdict", "#next-step", "#stack", "#contributors", "#timeline", "#evidence"]) tops.push(await top(page, part));
    assert.deepEqual(tops, tops.toSorted((a, b) => a - b));
    const stack = await page.locator("#stack").boundingBox();
    assert.ok(stack.y + 100 < 844, `${stack.y}`);
    await page.close();
  });

  it("shows all of the time in question as parts of one bar", async () => {
    const page = await open(browser, demo);
    const whole = (await page.locator("#contributors .whole").boundingBox()).width;
    const parts = await page.locator("#contributors .whole i").evaluateAll((bars) => bars.map((bar) => bar.offsetWidth));
    const { contributors, window_ns } = inspect(dump).verdict;
    assert.equal(parts.length, contributors.length);
    assert.ok(Math.abs(parts[0] / whole - contributors[0].ns / window_ns) < 0.05, `${parts} of ${whole}`);
    await page.close();
  });

  it("leads from a line to its source", async () => {
    const page = await open(browser, demo);
    const link = page.locator("#stack a").first();
    const [, file, line] = /^(.*):(\d+)$/.exec(await link.textContent());
    // The innermost method may be of the package fixture.scenario.
    const href = (await link.getAttribute("href")).replace("/fixture/scenario/", "/fixture/");
    assert.equal(href, `https://git.example/shop/fixture/${file}#L${line}`);
    assert.equal(await page.locator("#threads a[href*='/android/']").count(), 0);
    assert.ok((await page.locator("#threads a[href^='https://git.example/shop/fixture/']").count()) > 0);
    await page.close();
    const plain = await open(browser, files.anr);
    assert.equal(await plain.locator("a[href^=http]").count(), 0);
    await plain.close();
  });

  it("comes to the flame graph in 12 keys", async () => {
    const page = await open(browser, demo);
    for (let i = 0; i < 12 && (await focused(page)) !== "skip"; ++i) await press(page, "Tab");
    assert.equal(await focused(page), "skip");
    await press(page, "Enter");
    let keys = 2;
    const isThere = () => page.evaluate(() => document.activeElement.matches(".flame canvas"));
    while (!(await isThere()) && keys < 12) {
      await press(page, "Tab");
      ++keys;
    }
    assert.ok(await isThere(), `after ${keys} keys at ${await focused(page)}`);
    await page.close();
  });

  it("searches with / and lists its keys with ? from everywhere, and leaves both to who types", async () => {
    const page = await open(browser, demo);
    await press(page, "/");
    assert.equal(await focused(page), "search");
    await page.keyboard.type("a/?");
    assert.equal(await page.locator("#search").inputValue(), "a/?");
    assert.equal(await page.locator("#keys").isVisible(), false);
    await page.locator("#search").fill("");
    await page.locator("canvas.timeline").focus();
    await press(page, "?");
    assert.match(await page.locator("#keys").textContent(), /Everywhere:.*Timeline:.*Flame graph:/);
    await press(page, "Escape");
    assert.equal(await page.locator("#keys").isVisible(), false);
    assert.deepEqual(page.trouble, []);
    await page.close();
    const several = await open(browser, report("two.html", path.join(folder, "anr.sfdump"), path.join(folder, "blocked.sfdump")));
    await press(several, "/");
    assert.equal(await focused(several), "dumps-search");
    await several.close();
  });

  it("has targets of 24 pixels", async () => {
    for (const width of [390, 1400]) {
      const page = await open(browser, demo, { viewport: { width, height: 900 } });
      for (const closed of await page.locator("details:not([open]) > summary").all()) if (await closed.isVisible()) await closed.click();
      const small = await page.evaluate(() => [...document.querySelectorAll("button, summary, input, select, nav a, #contributors a")]
        .map((each) => (each.matches("label input") ? each.closest("label") : each))
        .filter((each) => each.checkVisibility())
        .map((each) => ({ box: each.getBoundingClientRect(), name: each.outerHTML.slice(0, 80) }))
        .filter(({ box }) => box.height > 0 && (box.height < 23.9 || box.width < 19.9))
        .map(({ box, name }) => `${box.width} x ${box.height}: ${name}`));
      assert.deepEqual(small, [], `${width}`);
      await page.close();
    }
  });

  it("keeps what colours mean where the reader's are forced", async () => {
    const page = await open(browser, demo, { forcedColors: "active" });
    const colours = await page.locator("#contributors .whole i").evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).backgroundColor));
    assert.ok(new Set(colours).size > 2, colours.join());
    assert.ok((await coloursOf(page.locator("canvas.timeline"))) > 4);
    await page.close();
  });

  it("prints the answer, the charts and the data on three pages", async () => {
    const page = await open(browser, demo);
    const printed = (await page.pdf({ format: "A4", margin: { left: "10mm", right: "10mm", top: "10mm", bottom: "10mm" } })).toString("latin1");
    const pages = printed.match(/\/Type ?\/Page\b/g).length;
    assert.ok(pages <= 3, `${pages} pages`);
    await page.emulateMedia({ media: "print" });
    for (const part of ["#verdict", "#next-step", "canvas.timeline", "#stack", "#contributors", ".flame canvas", "#pending", "#threads"])
      assert.ok(await page.locator(part).first().isVisible(), part);
    await page.close();
  });

  it("has a title of its own, an icon, and no part that says nothing", async () => {
    const page = await open(browser, files.blocked);
    assert.match(await page.title(), /^The main thread waited .* \u2013 .* \u2013 Stillframe$/);
    assert.match(await page.locator("link[rel=icon]").getAttribute("href"), /^data:image\/svg/);
    await page.close();
    const empty = await open(browser, report("quiet.html", path.join(folder, "hostile.sfdump")));
    assert.equal(await empty.locator("section", { hasText: /^[^.]*\bunknown\b/ }).locator("dd", { hasText: /^(unknown|0|0 ms)$/ }).count(), 0);
    await empty.close();
  });
});
