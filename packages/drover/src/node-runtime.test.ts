import { sleep } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { nodeRuntime } from "./node-runtime.ts";

describe("nodeRuntime", () => {
  it("logs JSON lines from level info", () => {
    const lines: string[] = [];
    const { log } = nodeRuntime({ logFormat: "json", write: (line) => lines.push(line) });
    log.debug("quiet");
    log.info("loud", { a: 1, token: "canary" });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "info", msg: "loud", a: 1 });
    expect(lines[0]).not.toContain("canary");
  });

  it("logs text from the given level", () => {
    const lines: string[] = [];
    const { log } = nodeRuntime({ logLevel: "debug", logFormat: "text", write: (line) => lines.push(line) });
    log.debug("quiet", { a: 1 });
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT.* DEBUG quiet a=1$/);
  });

  it("provides a clock that waits and never goes backwards", async () => {
    const { clock } = nodeRuntime();
    const [wall, before] = [clock.now(), clock.monotonic()];
    await sleep(clock, 2);
    expect(clock.monotonic() - before).toBeGreaterThanOrEqual(2);
    expect(Math.abs(wall - Date.now())).toBeLessThan(60_000);
  });

  it("cancels a timer", async () => {
    const { clock } = nodeRuntime();
    let fired = false;
    clock.timer(1, () => (fired = true))();
    await sleep(clock, 3);
    expect(fired).toBe(false);
  });

  it("has new random numbers, ids and metrics on each call", () => {
    const [a, b] = [nodeRuntime(), nodeRuntime()];
    expect(a.random.int(2 ** 50)).not.toBe(b.random.int(2 ** 50));
    expect([a.uid(), b.uid()]).toEqual([expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/), expect.stringMatching(/^[0-9a-f]{8}-/)]);
    a.metrics.counter({ name: "x_total", help: "x" }).add(1, {});
    expect([a.metrics.families().length, b.metrics.families().length]).toEqual([1, 0]);
  });
});
