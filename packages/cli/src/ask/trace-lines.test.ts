import { describe, expect, it } from "vitest";
import { traceLines } from "./trace-lines.ts";

const run = {
  run: "7f#1",
  controller: "web",
  key: "shop/web",
  startedAt: 0,
  waitedMs: 1,
  tookMs: 2,
  attempts: 0,
  causes: [],
  causeCount: 0,
  calls: [],
  callCount: 0,
  result: { type: "done" },
};
const text = `: hello\n\nevent: missed\ndata: {"missed":3}\n\nevent: run\ndata: ${JSON.stringify(run)}\n\nid: 1\nevent: cursor\ndata: {"cursor":1}\n\n`;

async function* cut(size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size));
}

describe("traceLines", () => {
  it.each([1, 7, 10_000])("prints runs and gaps from chunks of %s characters", async (size) => {
    const lines: string[] = [];
    for await (const line of traceLines(cut(size), "text")) lines.push(line);
    expect(lines).toEqual([
      "3 runs are missing: the tape does not keep them any more",
      "00:00:00.000  run 7f#1 of web for shop/web, 2 ms, waited 1 ms: done",
      "    because  unknown cause",
    ]);
  });

  it("prints one run of JSON per line", async () => {
    const lines: string[] = [];
    for await (const line of traceLines(cut(50), "json")) lines.push(line);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([run]);
  });
});
