import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ManualClock } from "@drover/machinery/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Terminal, TerminalEvents } from "./terminal.ts";
import { top } from "./top.ts";

const evil = "a\u001b[2Jb";

describe("drover top", () => {
  let [ended, isSilent] = [0, false];
  let server: Server;
  let clock: ManualClock;
  let written = "";
  let frames: string[] = [];
  let events: TerminalEvents | undefined;
  let rows = 24;
  let terminal: Terminal;
  const startedAt = Date.UTC(2026, 0, 1);
  /** An operator whose controller ends ten runs, one of them failed, between two questions. */
  const status = (): object => {
    ended += 10;
    const runs = { ended, failed: ended / 10, tookMs: 12 * ended, waitedMs: 3 * ended };
    const controller = {
      name: evil,
      phase: "running",
      workers: 1,
      running: 1,
      queued: 2,
      waiting: 3,
      failing: 4,
      parked: 0,
      runs,
      waitingFor: [],
    };
    const at = startedAt + 100 * ended;
    return {
      name: "shop",
      version: "1",
      pid: 7,
      startedAt,
      at,
      phase: "running",
      controllers: [controller],
      caches: [],
      problems: [evil],
      tape: "on",
    };
  };
  const key = {
    key: `web/${evil}`,
    controller: evil,
    state: "waiting",
    attempts: 2,
    dueInMs: 2500,
    because: [evil],
    causeCount: 1,
    error: evil,
  };
  beforeEach(async () => {
    [ended, isSilent, written, frames, events, rows, clock] = [0, false, "", [], undefined, 24, new ManualClock()];
    server = createServer(({ url = "" }, response) => {
      if (isSilent) response.destroy();
      else response.end(JSON.stringify(url.startsWith("/debug/drover/status") ? status() : { at: 0, keys: [key], leftOff: 0 }));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
    terminal = {
      size: () => ({ rows, columns: 80 }),
      write: (text) => void frames.push(text),
      take: (given) => {
        events = given;
        return () => void frames.push("given back");
      },
    };
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));
  const start = (options: { readonly json?: boolean; readonly on?: Terminal; readonly signal?: AbortSignal } = {}): Promise<number> => {
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { json = false, on, signal = new AbortController().signal } = options;
    return top({ name: address, address }, { json }, { write: (text) => void (written += text), clock, terminal: on, signal });
  };
  const frame = async (count: number): Promise<string> => {
    while (frames.length < count) await new Promise(setImmediate);
    return frames[count - 1] ?? "";
  };
  const second = async (): Promise<void> => {
    // Until the timer is set.
    while (clock.pending.length === 0) await new Promise(setImmediate);
    await clock.advance(1000);
  };

  it("redraws every second with rates, and gives the terminal back on q and on Ctrl-C", async () => {
    for (const pressed of ["q", "\u0003"]) {
      [frames, ended] = [[], 0];
      const running = start({ on: terminal });
      expect(await frame(1)).toContain("shop (drover 1): running");
      await second();
      const drawn = await frame(2);
      expect(drawn).toMatch(/^a\\x1b\[2Jb +1 +2 +3 +4 +0 +10\.0 +1\.0 +12ms +3ms/m);
      expect(drawn).toContain("00:00:02 UTC  q ends");
      events?.key(pressed);
      expect([await running, frames.at(-1)]).toEqual([0, "given back"]);
    }
  });

  it("sends the terminal no control characters of names, and no line that is too long or too many", async () => {
    const running = start({ on: terminal });
    await frame(1);
    rows = 5;
    events?.resize();
    const small = await frame(2);
    expect(small.split("\r\n")).toHaveLength(5);
    expect(small).toContain("more lines");
    for (const drawn of frames) {
      // oxlint-disable-next-line no-control-regex -- these are the ones that it may contain
      const text = drawn.replaceAll(/\u001b\[[HKJ]/g, "");
      expect(text).not.toContain("\u001b");
      for (const line of text.split("\r\n")) expect(line.length).toBeLessThanOrEqual(80);
    }
    events?.key("q");
    await running;
  });

  it("shows when the operator no longer answers, and goes on when it does", async () => {
    const running = start({ on: terminal });
    await frame(1);
    isSilent = true;
    await second();
    expect(await frame(2)).toContain("no answer since: cannot ask 127.0.0.1:");
    isSilent = false;
    await second();
    expect(await frame(3)).not.toContain("no answer");
    events?.key("q");
    await running;
  });

  it("ends with the signal, and gives the terminal back", async () => {
    const stop = new AbortController();
    const running = start({ on: terminal, signal: stop.signal });
    await frame(1);
    stop.abort();
    expect([await running, frames.at(-1)]).toEqual([0, "given back"]);
  });

  it("prints one state with rates without a terminal, and as JSON", async () => {
    const running = start();
    await second();
    expect(await running).toBe(0);
    expect(written).toMatch(/^shop \(drover 1\)[^]*10\.0 +1\.0 +12ms +3ms\n/);
    expect(written).not.toContain("\u001b");
    written = "";
    const asJson = start({ json: true, on: terminal });
    await second();
    await asJson;
    expect(JSON.parse(written)).toMatchObject({ rates: [{ runsPerSecond: 10, tookMs: 12 }], status: { pid: 7 }, queue: { leftOff: 0 } });
    expect(frames).toEqual([]);
  });
});
