// SPDX-License-Identifier: Apache-2.0
// The report page in use: links to a place, a verdict for a bug tracker, sorted tables, searches, folded frames, colour
// filters. On a phone, a small and a wide screen, in dark mode and in print.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { BUILD, coloursOf, folder, inspect, launch, open, report } from "./browser.mjs";

const WIDTHS = [390, 1000, 1400];

describe("the report page and its reader", () => {
  let browser, anr, blocked, many, fits;
  const dump = (name) => path.join(folder, `${name}.sfdump`);
  const tab = (page, name) => page.getByRole("tab", { name }).click();
  const graph = (page) => page.locator(".flame canvas");
  const picture = (canvas) => canvas.evaluate((element) => element.toDataURL());
  const column = (page, table, number) => page.locator(`${table} tbody tr > td:nth-child(${number})`).allTextContents();
  const figures = (texts) => texts.map((text) => Number(text.replace(/[^\d.]/g, "")));
  // The page allows no eval, which waitForFunction needs.
  const until = async (page, holds) => {
    for (let i = 0; i < 200 && !(await page.evaluate(holds)); ++i) await page.waitForTimeout(50);
    assert.ok(await page.evaluate(holds), holds.toString());
  };
  // It is drawn in a frame of the browser's, which may be late.
  const isDrawn = async (page, canvas) => {
    for (let i = 0; i < 200 && (await coloursOf(canvas)) <= 1; ++i) await page.waitForTimeout(50);
    return (await coloursOf(canvas)) > 1;
  };
  // The text that "copy" puts on the clipboard, whatever browsers allow for file: pages.
  const copied = async (page, press) => {
    await page.evaluate(() => {
      window.copied = undefined;
      Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => { window.copied = text; } } });
    });
    await press();
    await until(page, () => window.copied !== undefined);
    return page.evaluate(() => window.copied);
  };
  const state = (page) => page.evaluate(() => ({
    message: document.querySelector("#messages tr.chosen")?.id,
    trees: [...document.querySelectorAll(".pick input")].map((box) => box.checked).join(),
    view: document.querySelector("[role=tab][aria-selected=true]").textContent,
    search: document.querySelector("#search").value,
    switches: ["lines", "recursion", "libraries"].map((id) => document.getElementById(id).checked).join(),
    detail: document.querySelector(".detail")?.textContent,
    verdict: document.querySelector("#verdict").textContent,
  }));

  before(async () => {
    execFileSync(path.join(BUILD, "bin/make_dumps"), [folder]);
    browser = await launch();
    anr = report("anr.html", dump("anr"));
    blocked = report("blocked.html", dump("blocked"));
    many = report("many.html", dump("anr"), dump("anr"), dump("blocked"), dump("feed_1"), dump("feed_2"), dump("hostile"));
    fits = report("fits.html", dump("feed_1"), dump("feed_2"), dump("anr"), dump("blocked"));
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has a link to every place, which a reload and another reader come to", async () => {
    const page = await open(browser, many);
    await page.locator("#dumps-search").fill("Decimal");
    await page.locator("#dumps summary").first().click();
    await page.locator("#dumps a", { hasText: "anr.sfdump" }).first().click();
    const row = page.locator("#messages tbody tr:not(.chosen)").first();
    const id = await row.getAttribute("id");
    await row.getByRole("button").click();
    await page.locator(".pick input").nth(1).check();
    await tab(page, "In time order");
    await page.locator("#recursion").check();
    await page.locator("#search").fill("decimal");
    await graph(page).focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await until(page, () => /frame=/.test(location.hash));
    await page.mouse.move(0, 0);
    const there = await state(page);
    assert.equal(there.message, id);
    assert.equal(there.view, "In time order");
    const name = await copied(page, () => page.getByRole("button", { name: "Copy link" }).click());
    assert.equal(name, page.url().split("/").at(-1)); // a path on this machine is of no use to others
    const link = page.url();
    await page.reload();
    await page.waitForSelector("#verdict");
    await page.waitForTimeout(400);
    assert.deepEqual(await state(page), there);
    // The back button and an address that is typed.
    await page.evaluate(() => (location.hash = "#view=methods&search=sum"));
    await page.locator("[aria-selected=true]", { hasText: "Methods" }).waitFor();
    assert.equal(await page.locator("#search").inputValue(), "sum");
    await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
    await page.locator("[aria-selected=true]", { hasText: "In time order" }).waitFor();
    await page.waitForTimeout(400);
    assert.deepEqual(await state(page), there);
    assert.deepEqual(page.trouble, []);
    await page.close();
    const other = await browser.newPage();
    await other.goto(link);
    await other.waitForSelector("#verdict");
    await other.waitForTimeout(400);
    assert.deepEqual(await state(other), there);
    await other.close();
  });

  it("opens several dumps on the overview, and comes back to it and its search", async () => {
    const page = await open(browser, many);
    const headline = () => page.locator("#verdict").textContent();
    assert.equal(await page.locator("#verdict").count(), 0);
    await page.locator("#dumps-search").fill("Feed");
    await page.locator("#dumps summary").click();
    await page.locator("#dumps a", { hasText: "feed_2" }).click();
    assert.match(await headline(), /Feed/);
    assert.ok(await page.locator("#dumps").isHidden());
    await until(page, () => /dump=.*dumps=Feed/.test(location.hash));
    await page.reload();
    await page.waitForSelector("#verdict");
    const link = page.url();
    await page.getByRole("link", { name: "All 6 dumps" }).click();
    assert.equal(await page.locator("#dumps-search").inputValue(), "Feed");
    assert.equal(await page.locator("#dumps-found").textContent(), "2 dumps");
    await page.goBack();
    assert.match(await headline(), /Feed/);
    // One dump more in front: the address of content is the same, the older one counts.
    const more = report("more.html", dump("states"), ...["anr", "blocked", "feed_1", "feed_2"].map(dump));
    for (const hash of [new URL(link).hash, "#dump=5"]) {
      const again = await browser.newPage();
      await again.goto(`file://${more}${hash}`);
      assert.equal(await again.locator("#verdict").textContent(), await headline());
      assert.equal(await again.locator("header").textContent(), await page.locator("header").textContent());
      await again.close();
    }
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  it("follows links at once on a device that is slow to draw, and goes back to what they left", async () => {
    const page = await open(browser, many);
    await page.evaluate(async () => {
      // Until timers are due; no frame is drawn.
      const beSlow = () => {
        for (const end = performance.now() + 200; performance.now() < end; );
      };
      const follow = (link) => new Promise((resolve) => {
        addEventListener("hashchange", resolve, { once: true });
        setTimeout(resolve, 20_000);
        link.click();
        beSlow();
      });
      document.querySelector("#dumps summary").click();
      for (let i = 0; i < 10; ++i) await null; // long enough to render it
      await follow(document.querySelector("#dumps a"));
      beSlow();
      await new Promise((resolve) => setTimeout(resolve));
      await follow(document.querySelector("nav a"));
    });
    await page.locator("#dumps").waitFor({ timeout: 20_000 });
    assert.equal(await page.locator("#verdict").count(), 0);
    await page.goBack();
    await page.waitForSelector("#verdict");
    await page.goBack();
    await page.waitForSelector("#dumps details[open]");
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  it("shows the chosen row whole, wherever the table was", async () => {
    const page = await open(browser, anr, { viewport: { width: 1400, height: 700 } });
    const cut = () => page.evaluate(() => {
      const row = document.querySelector("#messages tr.chosen").getBoundingClientRect();
      const box = document.querySelector("#messages .scroll").getBoundingClientRect();
      const head = document.querySelector("#messages thead").getBoundingClientRect();
      return [row.bottom > box.bottom + 1, row.top < head.bottom - 1];
    });
    await page.evaluate(() => (document.querySelector("#messages .scroll").style.maxHeight = "130px"));
    const rows = page.locator("#messages tbody tr");
    for (const which of [0, (await rows.count()) - 1, 1]) {
      await page.evaluate((token) => (location.hash = `#message=${token}`), (await rows.nth(which).getAttribute("id")).slice(1));
      await page.locator(`#messages tbody tr:nth-child(${which + 1}).chosen`).waitFor();
      // It is scrolled to after it was painted.
      for (let i = 0; i < 100 && (await cut()).includes(true); ++i) await page.waitForTimeout(50);
      assert.deepEqual(await cut(), [false, false], `row ${which}`);
    }
    await page.close();
  });

  it("gives names the width of a phone", async () => {
    const page = await open(browser, anr, { viewport: { width: 390, height: 800 } });
    const names = await page.locator("#contributors td:last-child").evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
    assert.ok(Math.min(...names) > 300, names.join());
    const { scrollWidth, clientWidth } = await page.locator("#messages .scroll").evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    assert.ok(scrollWidth <= clientWidth, `the table of messages is ${scrollWidth} px wide in ${clientWidth}`);
    await page.close();
  });

  it("takes nothing from a link that this report does not have", async () => {
    const page = await open(browser, anr);
    const plain = await state(page);
    await page.evaluate(() => (location.hash = "#dump=99&message=<b>&trees=77,x&view=constructor&fold=x&frame=3:no.such"));
    await page.waitForTimeout(200);
    assert.deepEqual(await state(page), plain);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  it("copies the verdict as Markdown", async () => {
    const page = await open(browser, anr);
    const { verdict } = inspect(dump("anr"));
    const text = await copied(page, () => page.getByRole("button", { name: "Copy as Markdown" }).click());
    const plain = text.replace(/\\([\\`*_[\]<>|#~&])/g, "$1");
    assert.ok(plain.startsWith(`**${verdict.headline}**\n\n${verdict.sentence}`), text);
    assert.ok(plain.includes(`Next step: ${verdict.next_step}\n`) && plain.includes(`; confidence ${verdict.confidence}: `), text);
    for (const [i, line] of verdict.evidence.entries()) assert.equal(plain.includes(`- ${line}`), i < 3, line);
    for (const { text: who } of verdict.contributors.slice(0, 5)) assert.ok(plain.includes(`| ${who}`), who);
    assert.match(text, /\n```\n( {4}at [\w.$<>]+\(\S+\.java:\d+\)\n)+/);
    assert.ok(text.includes(`    at ${verdict.culprit.method}(`), text);
    await page.close();
    const hostile = await open(browser, report("hostile.html", dump("hostile")));
    const escaped = await copied(hostile, () => hostile.getByRole("button", { name: "Copy as Markdown" }).click());
    const fence = /\n(`{3,})\n/.exec(escaped)?.[1] ?? "";
    const outside = fence ? escaped.split(fence).filter((_, i) => i % 2 === 0).join("") : escaped;
    assert.doesNotMatch(outside, /(?<!\\)</);
    await hostile.close();
  });

  it("keeps folds, zooms and an empty choice in its address, whatever link of the page is followed", async () => {
    const page = await open(browser, blocked);
    await page.locator("#meaning summary").click();
    await page.locator("#search").fill("save");
    await page.locator("canvas.timeline").focus();
    for (const key of ["+", "+"]) await page.keyboard.press(key);
    await graph(page).focus();
    for (const key of ["+", "+"]) await page.keyboard.press(key);
    await until(page, () => /the-folds=meaning/.test(location.hash) && /the-time=/.test(location.hash) && /the-zoom=/.test(location.hash));
    await page.locator("#verdict a").first().click();
    await until(page, () => /search=save.*the-folds=meaning/.test(location.hash));
    const address = page.url();
    await page.reload();
    await page.waitForSelector("#meaning[open]");
    await page.waitForTimeout(600);
    assert.equal(page.url(), address);
    assert.equal(await page.locator("canvas.minimap:not(.idle)").count(), 1);
    for (const box of await page.locator(".pick input:checked").all()) await box.uncheck();
    await until(page, () => /trees=(&|$)/.test(location.hash));
    await page.reload();
    await page.waitForSelector("#verdict");
    assert.equal(await page.locator(".pick input:checked").count(), 0);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  it("keeps nothing of a chart that has gone", async () => {
    const page = await open(browser, many);
    await page.evaluate(() => (location.hash = "#dump=1"));
    await page.waitForSelector("#verdict");
    await page.locator("canvas.timeline").focus();
    await page.evaluate(() => {
      document.querySelector("canvas.timeline").dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
      document.querySelector("nav a").click();
    });
    await page.waitForTimeout(800);
    assert.doesNotMatch(page.url(), /the-time/);
    await page.close();
  });

  it("finds in the flame graph what is clicked in the heaviest stack, and chooses a row wherever it is clicked", async () => {
    const page = await open(browser, anr);
    await page.locator("#stack button").first().click();
    assert.match(await page.locator("#search").inputValue(), /^fixture\./);
    await page.locator("#found", { hasText: /1 box|boxes/ }).waitFor();
    const row = page.locator("#messages tbody tr:not(.chosen)").first();
    const id = await row.getAttribute("id");
    await row.locator("td").first().click();
    assert.equal(await page.locator("#messages tr.chosen").getAttribute("id"), id);
    await page.close();
  });

  it("says which ANR it was", async () => {
    const page = await open(browser, blocked);
    const { anr: which } = inspect(dump("blocked")).verdict;
    const lines = await page.locator(".evidence li").allTextContents();
    const told = lines.filter((line) => [which.kind, which.limit, which.component, which.reason].every((part) => line.includes(part)));
    assert.equal(told.length, 1, lines.join("\n"));
    await page.close();
  });

  it("puts tables in order, by keyboard as well", async () => {
    const page = await open(browser, anr);
    const before = await column(page, "#messages", 2);
    const ran = page.locator("#messages th", { hasText: "ran" });
    await ran.getByRole("button").click();
    assert.equal(await ran.getAttribute("aria-sort"), "descending");
    const down = figures(await column(page, "#messages", 2));
    assert.deepEqual(down, [...down].sort((a, b) => b - a));
    await page.keyboard.press("Enter");
    assert.equal(await ran.getAttribute("aria-sort"), "ascending");
    assert.deepEqual(figures(await column(page, "#messages", 2)), down.reverse());
    await page.keyboard.press("Space");
    assert.equal(await ran.getAttribute("aria-sort"), "none");
    assert.deepEqual(await column(page, "#messages", 2), before);
    await page.locator("#pending th button", { hasText: "message" }).click();
    const texts = await column(page, "#pending", 3);
    assert.deepEqual(texts, [...texts].sort());
    await tab(page, "Methods");
    await page.locator(".butterfly th button", { hasText: "total" }).click();
    const totals = figures(await column(page, ".butterfly", 2));
    assert.ok(totals.length > 3);
    assert.deepEqual(totals, [...totals].sort((a, b) => b - a));
    await page.close();
    const threads = await open(browser, blocked);
    const listed = await threads.locator("#threads summary").allTextContents();
    assert.ok(listed.length > 1 && listed[0].startsWith("main "), listed.join("\n"));
    const all = await copied(threads, () => threads.getByRole("button", { name: "Copy all" }).click());
    assert.equal(all.match(/^".*" sysTid=\d+/gm).length, listed.length, all);
    await threads.close();
  });

  it("folds equal messages that wait in a row", async () => {
    const page = await open(browser, report("row.html", dump("recursion")));
    assert.deepEqual(await column(page, "#pending", 1), ["0\u20132", "3"]);
    assert.match(await page.locator("#pending tbody tr").first().textContent(), /app\.Tick3 in a row$/);
    await page.locator("#pending th button", { hasText: "message" }).click();
    assert.deepEqual(await column(page, "#pending", 1), ["3", "0", "1", "2"]);
    await page.close();
  });

  it("filters by what a colour means", async () => {
    const page = await open(browser, anr);
    const rows = page.locator("#messages tbody tr");
    const all = await rows.count();
    const timeline = await picture(page.locator("canvas.timeline"));
    const busy = page.locator("#timeline .legend").getByRole("button", { name: "computing" });
    await busy.click();
    assert.equal(await busy.getAttribute("aria-pressed"), "true");
    await page.waitForTimeout(100);
    assert.notEqual(await picture(page.locator("canvas.timeline")), timeline);
    const some = await rows.count();
    assert.ok(some > 0 && some < all, `${some} of ${all}`);
    await until(page, () => /the-shown=/.test(location.hash));
    await page.reload();
    await page.waitForSelector("#verdict");
    assert.equal(await rows.count(), some);
    await busy.click();
    assert.equal(await rows.count(), all);
    const whole = await picture(graph(page));
    await page.locator("#trees .legend button").first().click();
    await page.waitForTimeout(100);
    assert.notEqual(await picture(graph(page)), whole);
    const waiting = await page.locator("#pending-count").textContent();
    await page.locator("#pending .legend button", { hasText: /^system/ }).click();
    assert.notEqual(await page.locator("#pending-count").textContent(), waiting);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  it("searches by expressions, counts what it found and goes through it", async () => {
    const page = await open(browser, anr);
    const found = () => page.locator("#found").textContent();
    await page.locator("#search").fill("decimal\\.(multiply|carry)$|checkout");
    await page.waitForTimeout(100);
    assert.match(await found(), /^[\d,.]+ ms, [\d.]+%, [\d,]+ box(es)?$/);
    const boxes = Number(/([\d,]+) box/.exec(await found())[1]);
    assert.ok(boxes > 1, await found());
    await page.getByRole("button", { name: "Next found" }).click();
    assert.match(await found(), new RegExp(`, 1 of ${boxes} boxes$`));
    await page.locator("#search").press("Enter");
    assert.match(await found(), new RegExp(`, 2 of ${boxes} boxes$`));
    await page.locator("#search").press("Shift+Enter");
    await page.locator("#search").press("Shift+Enter");
    assert.match(await found(), new RegExp(`, ${boxes} of ${boxes} boxes$`));
    assert.match(await page.locator(".detail code").first().textContent(), /Decimal|Checkout/);
    await page.locator("#search").fill("multiply(");
    await page.waitForTimeout(100);
    assert.match(await found(), /^not a valid regex; searching for the plain text: 0 ms, 0%, 0 boxes$/);
    assert.equal(await page.locator("#search").getAttribute("aria-invalid"), "true");
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  it("folds recursion and libraries", async () => {
    const page = await open(browser, report("recursion.html", dump("recursion")));
    const boxes = async () => Number((await graph(page).getAttribute("aria-label")).match(/([\d,]+) box/)[1]);
    for (const view of ["Merged, top-down", "In time order", "Bottom-up"]) {
      await tab(page, view);
      const all = await boxes();
      const time = await page.locator(".detail b").textContent();
      await page.locator("#recursion").check();
      const folded = await boxes();
      assert.ok(folded < all, `${view}: ${folded} of ${all}`);
      await page.locator("#libraries").check();
      assert.ok((await boxes()) < folded, `${view}: ${await boxes()} of ${folded}`);
      assert.equal(await page.locator(".detail b").textContent(), time);
      await page.locator("#recursion").uncheck();
      await page.locator("#libraries").uncheck();
      assert.equal(await boxes(), all);
    }
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  it("has a note at the pointer and a map of the whole when it is zoomed", async () => {
    const page = await open(browser, anr);
    const map = page.locator("canvas.minimap");
    const whole = await picture(map);
    await graph(page).scrollIntoViewIfNeeded();
    const { x, y } = await graph(page).boundingBox();
    await page.mouse.move(x + 60, y + 22 + 19 * 3 + 8);
    const note = page.locator(".tooltip:visible");
    assert.match(await note.textContent(), /\S+\n[\d,.]+ ms \(\d+%\), self .*, \d+ samples\n\w+.* \d+%/);
    const box = await note.boundingBox();
    assert.ok(Math.abs(box.x - x - 60) < 40 && box.x + box.width <= 1300, JSON.stringify(box));
    await graph(page).focus();
    for (const key of ["+", "+", "+"]) await page.keyboard.press(key);
    await page.waitForTimeout(300);
    assert.notEqual(await picture(map), whole);
    await page.close();
  });

  it("draws the states of the thread in their order", async () => {
    const page = await open(browser, report("states.html", dump("states")));
    await tab(page, "In time order");
    await page.waitForTimeout(300);
    // Colours of the track, from left to right.
    const colours = async (canvas, y) => canvas.evaluate((element, at) => {
      const copy = new OffscreenCanvas(element.width, element.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(element, 0, 0);
      const { data } = copy.getImageData(0, at, element.width, 1);
      const seen = [];
      for (let i = 0; i < data.length; i += 4) {
        const colour = [data[i], data[i + 1], data[i + 2]].join();
        if (seen.at(-1) !== colour) seen.push(colour);
      }
      return seen;
    }, y);
    const variable = (name) => page.evaluate((which) => {
      const value = getComputedStyle(document.documentElement).getPropertyValue(`--${which}`).trim();
      return [1, 3, 5].map((i) => parseInt(value.slice(i, i + 2), 16)).join();
    }, name);
    const wanted = await Promise.all(["app", "binder", "io", "ready", "runtime", "sleeping", "blocked", "app"].map(variable));
    assert.deepEqual(await colours(graph(page), 27), wanted);
    const canvas = page.locator("canvas.timeline");
    const strip = await colours(canvas, 22 + 18 + 30 + 5);
    assert.ok(strip.join(" ").includes(wanted.join(" ")), `${strip.join(" ")} has not ${wanted.join(" ")}`);
    await page.close();
  });

  // All content fits into its part of the page, in every colour scheme.
  for (const width of WIDTHS) {
    it(`fits a screen of ${width} px, dark and light`, async () => {
      for (const colorScheme of ["light", "dark"]) {
        const page = await open(browser, fits, { viewport: { width, height: 900 }, colorScheme });
        for (const summary of await page.locator("#dumps summary").all()) await summary.click();
        assert.deepEqual(await clipped(page), [], `${colorScheme}, overview`);
        await page.locator("#dumps a", { hasText: "anr" }).click();
        for (const view of ["In time order", "Merged, top-down", "Bottom-up", "Methods"]) {
          await tab(page, view);
          assert.deepEqual(await clipped(page), [], `${colorScheme}, ${view}`);
        }
        await tab(page, "In time order");
        for (const canvas of await page.locator("canvas:visible").all()) assert.ok(await isDrawn(page, canvas));
        const [ground, ink] = await page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body);
          return [backgroundColor, color].map((each) => each.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0));
        });
        assert.equal(ground < ink, colorScheme === "dark");
        assert.deepEqual(page.trouble, []);
        await page.close();
      }
    });
  }

  it("fits paper, upright and across", async () => {
    for (const [width, landscape] of [[718, false], [1047, true]]) {
      const page = await open(browser, fits, { viewport: { width, height: 700 } });
      assert.deepEqual(await clipped(page), [], `overview, landscape: ${landscape}`);
      await page.evaluate(() => (location.hash = "#dump=3"));
      await page.waitForSelector("#verdict");
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.waitForTimeout(200);
      assert.deepEqual(await clipped(page), [], `landscape: ${landscape}`);
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
      const printed = await page.pdf({ format: "A4", landscape, margin: { left: "10mm", right: "10mm" } });
      assert.ok(printed.length > 20_000, `${printed.length} bytes`);
      await page.close();
    }
  });

  // Elements that extend beyond the window, or beyond a box that should hold them without scrolling.
  const clipped = (page) => page.evaluate(() => {
    const bad = [];
    if (document.documentElement.scrollWidth > innerWidth) bad.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    // On a phone tables scroll sideways within their part.
    const boxes = `.split, .butterfly, section, header, aside${innerWidth >= 700 ? ", .scroll" : ""}`;
    for (const box of document.querySelectorAll(boxes)) {
      if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== "none")
        bad.push(`${box.id || box.ariaLabel || box.className}: ${box.scrollWidth} in ${box.clientWidth}`);
    }
    return bad;
  });
});
