// SPDX-License-Identifier: Apache-2.0
// The page's graphs, without a browser: random trees against sums over their samples, kept by whole path.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { before, describe, it } from "node:test";

const PAGE = process.env.STILLFRAME_PAGE ?? "build/page";
const SOURCE = path.resolve(PAGE, "src"); // with fields.ts beside it
const ROUNDS = 300;

describe("the graphs of trees", () => {
  let graphs;
  let random = 1;
  const next = (below) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((random / 2 ** 32) * below);
  };

  // Some methods, each at several lines; a tree and the stacks that it was made of.
  const makeReport = () => {
    const methods = Array.from({ length: 1 + next(4) }, () => ({ platform: next(2) === 1, truncated: false }));
    const frameMethod = [];
    const frameLine = [];
    for (let i = 0; i < methods.length * (1 + next(4)); ++i) {
      frameMethod.push(next(methods.length));
      frameLine.push(i);
    }
    return { methods, frameMethod, frameLine };
  };
  const makeTree = (report) => {
    const tree = { frame: [], depth: [], offset: [], count: [], weight: [], state: "" };
    const samples = [];
    let last = [];
    let open = [];
    for (let i = 0; i < 1 + next(12); ++i) {
      const stack = last.slice(0, next(last.length + 1));
      while (stack.length === 0 || next(3) > 0) stack.push(next(report.frameMethod.length));
      let same = 0;
      while (same < stack.length && stack[same] === last[same]) ++same;
      open = open.slice(0, same);
      for (const frame of stack.slice(same)) {
        open.push(tree.frame.length);
        tree.frame.push(frame);
        tree.depth.push(open.length);
        tree.offset.push(i);
        tree.count.push(0);
      }
      for (const node of open) ++tree.count[node];
      tree.weight.push(1 + next(50));
      tree.state += String(next(3));
      samples.push({ stack, weight: tree.weight[i] });
      last = stack;
    }
    return { tree, samples };
  };
  const sumsOf = (graph) => {
    const names = graph.parent.map(() => "");
    const sums = new Map();
    for (let node = 1; node < graph.parent.length; ++node) {
      names[node] = `${names[graph.parent[node]]};${graph.method[node]}:${graph.line[node]}`;
      assert.ok(!sums.has(names[node]), `${names[node]} has two boxes`);
      sums.set(names[node], [graph.total[node], graph.self[node], graph.samples[node]]);
    }
    return sums;
  };
  const sumsOfSamples = (samples, names) => {
    const sums = new Map();
    for (const { stack, weight } of samples) {
      let name = "";
      const all = names(stack);
      for (const [level, each] of all.entries()) {
        name += `;${each}`;
        if (!sums.has(name)) sums.set(name, [0, 0, 0]);
        const sum = sums.get(name);
        sum[0] += weight;
        sum[1] += level === all.length - 1 ? weight : 0;
        sum[2] += 1;
      }
    }
    return sums;
  };
  const sorted = (sums) => [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  const each = (check) => {
    for (let round = 0; round < ROUNDS; ++round) {
      const report = makeReport();
      const made = [makeTree(report), makeTree(report)];
      check(report, made.map(({ tree }) => tree), made.flatMap(({ samples }) => samples));
    }
  };

  before(() => {
    const esbuild = createRequire(path.resolve(PAGE, "package.json"))("esbuild");
    const [built] = esbuild.buildSync({
      entryPoints: [path.join(SOURCE, "graph.ts")], bundle: true, format: "cjs", platform: "node", write: false,
    }).outputFiles;
    const module = { exports: {} };
    new Function("module", "exports", built.text)(module, module.exports);
    graphs = module.exports;
  });

  for (const lines of [false, true]) {
    const nameOf = (report, frame) => `${report.frameMethod[frame]}:${lines ? report.frameLine[frame] : -1}`;
    const shape = { lines, recursion: false, libraries: false, framework: false };
    const title = lines ? "lines apart" : "lines together";

    it(`merge equal calls from the outermost down, ${title}`, () => {
      each((report, trees, samples) => {
        const expected = sumsOfSamples(samples, (stack) => stack.map((frame) => nameOf(report, frame)));
        assert.deepEqual(sorted(sumsOf(graphs.topDown(report, trees, shape))), sorted(expected));
      });
    });

    it(`merge equal calls from the innermost up, ${title}`, () => {
      each((report, trees, samples) => {
        const up = graphs.bottomUp(graphs.topDown(report, trees, shape));
        const expected = sumsOfSamples(samples, (stack) => stack.map((frame) => nameOf(report, frame)).reverse());
        assert.deepEqual(sorted(sumsOf(up)), sorted(expected));
      });
    });

    it(`keep the samples' order in the chart, ${title}`, () => {
      each((report, trees, samples) => {
        const chart = graphs.flameChart(report, trees, shape);
        const whole = samples.reduce((sum, { weight }) => sum + weight, 0);
        assert.equal(chart.total[0], whole);
        let at = 0;
        for (const { stack, weight } of samples) {
          const path = stack.map((frame) => nameOf(report, frame)).join(";");
          let node = 0;
          const seen = [];
          for (const row of chart.rows.slice(1)) {
            node = row.find((box) => chart.start[box] <= at && at < chart.start[box] + chart.total[box]);
            if (node === undefined) break;
            seen.push(`${chart.method[node]}:${chart.line[node]}`);
          }
          assert.equal(seen.join(";"), path);
          at += weight;
        }
      });
    });
  }

  // A stack without its cycles: the frames between two calls of a method are dropped, with the second call.
  const withoutCycles = (stack) => stack.reduce((path, name) => (path.includes(name) ? path.slice(0, path.indexOf(name) + 1) : [...path, name]), []);

  it("fold recursion of any length into the outer call", () => {
    each((report, trees, samples) => {
      const shape = { lines: false, recursion: true, libraries: false, framework: false };
      const names = (stack) => withoutCycles(stack.map((frame) => `${report.frameMethod[frame]}:-1`));
      assert.deepEqual(sorted(sumsOf(graphs.topDown(report, trees, shape))), sorted(sumsOfSamples(samples, names)));
      const chart = graphs.flameChart(report, trees, shape);
      assert.ok(chart.self.every((time) => time >= 0) && chart.total[0] === samples.reduce((sum, { weight }) => sum + weight, 0));
    });
  });

  it("fold what dispatches the message into the whole", () => {
    const report = { methods: ["app.Main.main", "android.os.Looper.loop", "app.Work.run"].map((name) => ({ name })), frameMethod: [0, 1, 2], frameLine: [1, 2, 3] };
    const tree = { frame: [0, 1, 2], depth: [1, 2, 3], offset: [0, 0, 0], count: [2, 2, 1], weight: [3, 4], state: "11" };
    const graph = graphs.topDown(report, [tree], { lines: false, recursion: false, libraries: false, framework: true });
    assert.deepEqual([graph.method, graph.total, graph.self, [...graph.folded[0]]], [[-1, 2], [7, 3], [4, 3], [0, 1]]);
  });
});
