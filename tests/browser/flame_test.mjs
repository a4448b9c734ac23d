// SPDX-License-Identifier: Apache-2.0
// Drives the picture that `stillframe flame` draws: hover, zoom, search, with and without its script.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { BUILD, TOOL, folder, launch } from "./browser.mjs";

describe("the flame graph as SVG", () => {
  let browser, page;

  const flame = (dump) => {
    const picture = `${dump}.svg`;
    execFileSync(TOOL, ["flame", dump, "-o", picture], { stdio: ["ignore", "inherit", "inherit"] });
    return pathToFileURL(picture).href;
  };
  const open = async (address, options = {}) => {
    const opened = await browser.newPage(options);
    opened.trouble = [];
    opened.on("pageerror", (error) => opened.trouble.push(error.message));
    opened.on("request", (request) => {
      if (request.url() !== address) opened.trouble.push(`asked for ${request.url()}`);
    });
    await opened.goto(address);
    return opened;
  };
  const frame = (name) => page.locator(".frames > g", { has: page.locator("text", { hasText: name }) }).first();
  const matched = () => page.locator(".matched").textContent();
  // Answers the prompt for a name that `ask` opens.
  const search = async (text, ask = () => page.keyboard.press("Control+f")) => {
    page.once("dialog", (dialog) => dialog.accept(text));
    await ask();
  };

  before(async () => {
    const stacks = path.join(folder, "stacks.txt");
    writeFileSync(stacks, "app.Main.run;app.Sum.add;app.Sum.add 300\napp.Main.run;app.Sum.add;app.Decimal.carry 100\n" +
      "app.Main.run;app.Feed.sort 590\napp.Main.run;app.Feed.sort;app.Sum.add 8\napp.Main.run;app.Sum$Part.of 2\n");
    const dump = path.join(folder, "stacks.sfdump");
    execFileSync(TOOL, ["import", stacks, "-o", dump]);
    execFileSync(path.join(BUILD, "bin/make_dumps"), [folder], { stdio: "ignore" });
    browser = await launch();
    page = await open(flame(dump));
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("shows the facts of the frame under the pointer", async () => {
    await frame("app.Feed.sort").hover();
    assert.match(await page.locator(".hover").textContent(), /^app\.Feed\.sort .*5,980 ms \(60%\), self 5,900 ms/);
  });

  it("zooms in and out", async () => {
    const width = async () => Number(await frame("app.Feed.sort").locator("rect").getAttribute("width"));
    const before = await width();
    await frame("app.Feed.sort").click();
    assert.ok((await width()) > 1199 && before < 720, `${before}`);
    await frame("app.Feed.sort").click();
    assert.equal(await width(), before);
  });

  it("searches, counts nested matches once and colours them", async () => {
    const colour = () => frame("app.Sum.add").locator("rect").evaluate((rect) => getComputedStyle(rect).fill);
    const before = await colour();
    await search("SUM.ADD");
    assert.equal(await matched(), "Matched: 40.8 %");
    assert.notEqual(await colour(), before);
    assert.equal(await page.locator(".found").count(), 3);
    // Narrow frames count with the frames that they represent.
    await search("sum\\$part");
    assert.equal(await matched(), "Matched: 0.2 %");
    // An invalid regular expression is searched for as plain text.
    await search("sort(");
    assert.equal(await matched(), "Matched: 0.0 %");
    await page.locator(".search").click();
    assert.equal(await matched(), "");
    assert.equal(await colour(), before);
    await search("feed|carry", () => page.locator(".search").click());
    assert.equal(await matched(), "Matched: 69.8 %");
    assert.deepEqual(page.trouble, []);
  });

  it("is a picture without its script", async () => {
    const still = await open(page.url(), { javaScriptEnabled: false });
    assert.equal(await still.locator(".frames > g").count(), await page.locator(".frames > g").count());
    assert.equal(await still.locator(".search").count(), 0);
    await still.close();
  });

  it("shows names that want to be markup as text", async () => {
    const hostile = await open(flame(path.join(folder, "hostile.sfdump")));
    const elements = await hostile.evaluate(() => [...new Set([...document.querySelectorAll("*")].map((e) => e.tagName))]);
    assert.deepEqual(elements.sort(), ["g", "rect", "script", "style", "svg", "text", "title"]);
    assert.equal(await hostile.locator("script").count(), 1);
    assert.deepEqual(hostile.trouble, []);
    await hostile.close();
  });
});
