// Drives the report page as a person does, by mouse and by keyboard alone, over a dump of the real runtime.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { BUILD, coloursOf, dumpOfRealArt, folder, inspect, launch, open, report, skipReason, threadTime } from "./browser.mjs";

describe("the report page", { skip: skipReason }, () => {
  let browser, page, file, facts, dump;

  before(async () => {
    execFileSync(path.join(BUILD, "bin/make_dumps"), [folder]);
    [browser, dump] = await Promise.all([launch(), dumpOfRealArt()]);
    facts = inspect(dump);
    file = report("report.html", dump);
    page = await open(browser, file);
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const tab = (name) => page.getByRole("tab", { name }).click();
  const graph = () => page.locator(".flame canvas");
  // The facts beside the table as an object.
  const messageFacts = () => page.locator("#message-facts div").evaluateAll((rows) =>
    Object.fromEntries(rows.map((row) => [row.querySelector("dt").textContent, row.querySelector("dd").textContent])));

  it("says whose fault it was", async () => {
    assert.equal(await page.locator("#verdict").textContent(), facts.verdict.sentence);
    const evidence = await page.locator(".evidence").textContent();
    for (const sentence of facts.verdict.evidence) assert.ok(evidence.includes(sentence), sentence);
    const culprit = `${facts.verdict.culprit.method} (${facts.verdict.culprit.place})`;
    if (facts.verdict.sentence.includes(culprit)) assert.equal(await page.locator("#verdict em").textContent(), culprit);
  });

  it("shows the facts of a message that is clicked in the timeline", async () => {
    const busy = facts.history.find((message) => message.callback.includes("Busy"));
    const first = Math.min(...facts.history.map((message) => message.start_ns)) - facts.taken_monotonic_ns;
    const canvas = page.locator("canvas.timeline");
    assert.ok((await coloursOf(canvas)) > 4);
    const { width } = await canvas.boundingBox();
    const at = (busy.start_ns + busy.wall_ns / 2 - facts.taken_monotonic_ns) / -first;
    await canvas.click({ position: { x: ((at + 1.02) / 1.04) * width, y: 55 } });
    const shown = await messageFacts();
    assert.equal(shown.token, String(busy.token));
    assert.ok(shown.ran.includes("ms") && shown.callback.includes("Busy") && shown["on a CPU"].includes("%"), JSON.stringify(shown));
  });

  it("opens the message's flame graph", async () => {
    await page.getByRole("button", { name: "Open its flame graph" }).click();
    const token = (await messageFacts()).token;
    assert.equal(await page.locator(`#t${token} input`).isChecked(), true);
    assert.equal(await page.locator(".pick input:checked").count(), 1);
    assert.ok((await coloursOf(graph())) > 4);
    await graph().click({ position: { x: 300, y: 19 * 4 + 8 } });
    assert.match(await page.locator(".detail").textContent(), /\(\S+\.java\).* ms \(\d+ %\), itself|\w+\.\w+ .* ms \(\d+ %\), itself/);
    await page.getByRole("button", { name: "Copy stack" }).click();
    await page.locator("#copied", { hasText: "copied" }).waitFor();
  });

  it("switches between the four views", async () => {
    const pictures = new Set();
    for (const view of ["In time order", "Merged, top-down", "Bottom-up"]) {
      await tab(view);
      await page.waitForTimeout(50);
      assert.ok((await coloursOf(graph())) > 4, view);
      pictures.add(await graph().evaluate((element) => element.toDataURL()));
    }
    assert.ok(pictures.size >= 2);
    await tab("Methods");
    const rows = page.locator(".butterfly tbody tr");
    assert.ok((await rows.count()) > 3);
    await rows.filter({ hasText: "android.os.Handler.handleCallback" }).getByRole("button").click();
    assert.match(await page.locator("#butterfly").textContent(), /Called from.*android\.os\.Handler\.dispatchMessage.*Calls.*fixture\.\S+\.run$/);
    await page.locator("#butterfly").getByRole("button", { name: /^fixture/ }).click();
    assert.match(await page.locator("#butterfly").textContent(), /^fixture\.\S+\.run .*Called from.*android\.os\.Handler\.handleCallback/);
  });

  it("agrees with the host tool on the time of a method", async () => {
    await page.getByRole("button", { name: new RegExp(`token ${facts.verdict.token},`) }).click();
    const row = page.locator(".butterfly tbody tr").filter({ hasText: facts.verdict.culprit.method }).first();
    const total = Number((await row.locator("td").nth(1).textContent()).replace(/[^\d.]/g, ""));
    assert.ok(Math.abs(total - facts.verdict.culprit.held_us / 1000) <= 1, `${total} and ${facts.verdict.culprit.held_us}`);
  });

  it("searches a method", async () => {
    await tab("Merged, top-down");
    const before = await graph().evaluate((element) => element.toDataURL());
    await page.locator("#search").fill("decimal.multiply");
    await page.locator("#found", { hasText: /ms, \d+ %/ }).waitFor();
    assert.notEqual(await graph().evaluate((element) => element.toDataURL()), before);
    await page.locator("#search").fill("no such method");
    await page.locator("#found", { hasText: /\b0 ms, 0 %|^0.00 ms, 0 %/ }).waitFor();
    await page.locator("#search").fill("");
  });

  it("merges messages and tells lines apart", async () => {
    const whole = async () => page.locator(".detail b").textContent();
    const alone = await whole();
    const boxes = page.locator(".pick input");
    for (let i = 0; i < (await boxes.count()); ++i) await boxes.nth(i).check();
    assert.notEqual(await whole(), alone);
    await page.locator("#lines").check();
    assert.match(await page.locator(".detail").textContent(), /messages/);
  });

  it("filters the pending queue", async () => {
    const texts = facts.pending.messages;
    assert.ok(texts.length > 5);
    assert.equal(await page.locator("#pending-count").textContent(), `${texts.length} messages`);
    assert.ok((await coloursOf(page.locator("canvas.pending"))) > 4);
    const badge = texts.filter((message) => message.target.includes("CartBadge")).length;
    await page.locator("#pending-filter").fill("cartbadge");
    assert.equal(await page.locator("#pending-count").textContent(), `${badge} messages`);
    assert.equal(await page.locator("#pending tbody tr").count(), badge);
    await page.locator("#pending-filter").fill("");
    await page.locator("#pending-kind").selectOption("system");
    const system = texts.filter((message) => message.target === "android.app.ActivityThread$H").length;
    assert.equal(await page.locator("#pending tbody tr").count(), system);
  });

  it("says what is not in the dump", async () => {
    assert.match(await page.locator("#context").textContent(), /Android Runtime/);
    assert.match(await page.locator("#cost").textContent(), /handler time/);
  });

  it("complained about nothing and asked for nothing", () => assert.deepEqual(page.trouble, []));

  it("works by keyboard alone", async () => {
    const other = await open(browser, file);
    const press = async (...keys) => {
      for (const key of keys) await other.keyboard.press(key);
    };
    const tabTo = async (selector) => {
      for (let i = 0; i < 400; ++i) {
        await press("Tab");
        if (await other.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
      }
      assert.fail(`Tab does not come to ${selector}`);
    };
    const token = () => other.locator("#message-facts dd").nth(2).textContent();
    await tabTo("canvas.timeline");
    assert.equal(await token(), String(facts.verdict.token));
    await press("End");
    assert.equal(await token(), String(facts.running.token));
    await press("ArrowLeft");
    assert.equal(await token(), String(facts.history.at(-1).token));
    await press("Home", "+", "+", "Shift+ArrowLeft", "Escape");
    assert.equal(await token(), String(facts.history[0].token));
    await tabTo("#message-facts button");
    await press("Enter");
    assert.equal(await other.evaluate(() => document.activeElement.getAttribute("role")), "tab");
    await press("ArrowLeft");
    assert.equal(await other.locator("[aria-selected=true]").textContent(), "In time order");
    await tabTo(".flame canvas");
    await press("ArrowDown", "ArrowDown", "ArrowDown");
    const third = await other.locator(".detail code").first().textContent();
    assert.match(third, /\./);
    await press("ArrowDown", "ArrowUp", "Enter", "+", "Escape");
    assert.equal(await other.locator(".detail code").first().textContent(), third);
    await press("/");
    await other.keyboard.type("busy");
    await other.locator("#found", { hasText: /ms, \d+ %/ }).waitFor();
    await tabTo("#pending-filter");
    await other.keyboard.type("cart");
    assert.ok((await other.locator("#pending tbody tr").count()) < facts.pending.messages.length);
    assert.deepEqual(other.trouble, []);
    await other.close();
  });

  it("is dark where the reader's desk is", async () => {
    const ground = async () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    const drawn = await page.locator("canvas.timeline").evaluate((element) => element.toDataURL());
    await page.emulateMedia({ colorScheme: "dark" });
    assert.notEqual(await ground(), light);
    assert.notEqual(await page.locator("canvas.timeline").evaluate((element) => element.toDataURL()), drawn);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.locator("canvas.timeline").evaluate((element) => element.toDataURL()).then((now) => now.length > 1000), true);
  });

  it("shows several dumps, the costliest first, and keeps names text", async () => {
    const several = await open(browser, report("several.html", path.join(folder, "hostile.sfdump"), dump, dump));
    assert.match(await several.locator("#dumps h2").textContent(), /^3 dumps, 2 stacks$/);
    assert.match(await several.locator("header").textContent(), /<script>alert\('x'\)/);
    await several.locator("#dumps button", { hasText: path.basename(dump) }).first().click();
    assert.equal(await several.locator("#verdict").textContent(), facts.verdict.sentence);
    await several.locator("#dumps button", { hasText: "hostile" }).click();
    for (const view of ["In time order", "Bottom-up", "Methods"]) await several.getByRole("tab", { name: view }).click();
    assert.equal(await several.locator("script").count(), 2);
    assert.deepEqual(several.trouble, []);
    await several.close();
  });

  // What gates is CPU time of the page's thread, since other work on the machine takes frames away.
  it("is quick with ten trees of 5,000 samples, 500,000 nodes in all", async () => {
    const large = report("large.html", path.join(folder, "large.sfdump"));
    const page = await open(browser, large);
    const usable = await page.evaluate(() => Math.round(performance.now()));
    const opening = await threadTime(page);
    await page.getByRole("tab", { name: "In time order" }).click();
    const boxes = Number((await page.locator(".flame canvas").getAttribute("aria-label")).match(/([\d,]+) boxes/)[1].replace(",", ""));
    assert.ok(boxes > 45_000, `${boxes} boxes`);
    const before = await threadTime(page);
    const frames = await page.locator(".flame canvas").evaluate((canvas) => new Promise((resolve) => {
      const intervals = [];
      let last = 0;
      const step = (now) => {
        if (last) intervals.push(now - last);
        last = now;
        if (intervals.length === 120) return resolve(intervals.sort((a, b) => a - b));
        canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: intervals.length % 40 < 20 ? -20 : 20, ctrlKey: true, cancelable: true, bubbles: true }));
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    }));
    const busy = (1000 * ((await threadTime(page)) - before)) / frames.length;
    console.log(`usable ${usable} ms after opening, ${Math.round(1000 * opening)} ms of CPU time; zoom of ${boxes} boxes: frame every ` +
      `${frames[60].toFixed(1)} ms (median), ${frames[114].toFixed(1)} ms (95 %), ${busy.toFixed(1)} ms of CPU time a frame`);
    assert.ok(opening < 2, `${opening} s of CPU time`);
    assert.ok(busy < 16, `${busy} ms of CPU time a frame`);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });
});
