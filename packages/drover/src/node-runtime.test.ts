import { sleep } from "@drover/machinery";
import { afterEach, describe, expect, it, vi } from "vitest";
import { nodeRuntime } from "./node-runtime.ts";

afterEach(() => void vi.unstubAllEnvs());

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

  it("uses a log of the program, and refuses options that it would ignore", () => {
    const lines: string[] = [];
    const program = nodeRuntime({ logFormat: "json", write: (line) => lines.push(line) }).log;
    nodeRuntime({ log: program }).log.info("through");
    expect(lines).toHaveLength(1);
    expect(() => nodeRuntime({ log: program, logLevel: "debug" })).toThrow("nodeRuntime: logLevel has no effect together with log");
  });

  it("logs text from the given level", () => {
    const lines: string[] = [];
    const { log } = nodeRuntime({ logLevel: "debug", logFormat: "text", write: (line) => lines.push(line) });
    log.debug("quiet", { a: 1 });
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\dZ DEBUG quiet a=1$/);
  });

  it("takes level and format from the environment, and refuses those that are none", () => {
    const lines: string[] = [];
    vi.stubEnv("DROVER_LOG", "warn,controller/web=debug").stubEnv("DROVER_LOG_FORMAT", "logfmt");
    const { log } = nodeRuntime({ write: (line) => lines.push(line) });
    log.info("quiet");
    log.with({ controller: "web" }).debug("loud");
    log.with({ controller: "api" }).debug("quiet");
    expect(lines).toEqual([expect.stringMatching(/^time=\S+ level=debug msg=loud controller=web$/)]);
    vi.stubEnv("DROVER_LOG", "verbose");
    expect(() => nodeRuntime()).toThrow('log level (logLevel, DROVER_LOG): "verbose" has no level\n  fix: debug, info, warn or error');
    vi.stubEnv("DROVER_LOG", "").stubEnv("DROVER_LOG_FORMAT", "xml");
    expect(() => nodeRuntime()).toThrow('DROVER_LOG_FORMAT: "xml" is not a format\n  fix: json, logfmt or text');
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
