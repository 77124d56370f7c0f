import { createClock } from "@drover/machinery";
import type { Clock, HttpRequest, Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { inProcessTurns } from "./in-process-turns.ts";

/** An event loop whose turns are taken by hand; time passes only in requests. */
class HandLoop {
  ms = 0;
  readonly clock: Clock = createClock({
    now: () => this.ms,
    monotonic: () => this.ms,
    setTimeout: () => expect.unreachable(),
    clearTimeout: () => undefined,
    setImmediate: (callback) => this.#due.push(callback),
    clearImmediate: () => undefined,
  });
  #due: (() => void)[] = [];

  async turn(): Promise<void> {
    for (const callback of this.#due.splice(0)) {
      callback();
      await quiet();
    }
  }
}

/** Long enough for all promise chains here. */
async function quiet(): Promise<void> {
  for (let index = 0; index < 50; index++) await Promise.resolve();
}

const request: HttpRequest = { method: "GET", path: "/api", headers: {} };

/** A server whose requests take a millisecond each. */
function slowServer(loop: HandLoop, served: string[]): Transport {
  return async ({ path }) => {
    await Promise.resolve();
    loop.ms++;
    served.push(path);
    return { status: 200, headers: {}, body: path };
  };
}

describe("inProcessTurns", () => {
  it("lets the event loop run after 25 ms of requests that follow each other without a pause", async () => {
    const loop = new HandLoop();
    const served: string[] = [];
    const send = inProcessTurns(loop.clock)(slowServer(loop, served));
    const sender = async (): Promise<void> => {
      for (let index = 0; index < 200; index++) await send(request);
    };
    const all = Promise.all(Array.from({ length: 16 }, sender));
    for (let index = 0; index < 20; index++) await quiet();
    let longest = served.length;
    for (let turns = 0; served.length < 16 * 200 && turns < 1000; turns++) {
      const before = served.length;
      await loop.turn();
      longest = Math.max(longest, served.length - before);
    }
    await all;
    expect(served).toHaveLength(16 * 200);
    // Those that had begun at the same moment as the last are answered too.
    expect(longest).toBeLessThanOrEqual(25 + 16);
  });

  it("serves the requests that wait in their order, and each once", async () => {
    const loop = new HandLoop();
    const served: string[] = [];
    const send = inProcessTurns(loop.clock)(slowServer(loop, served));
    await send({ ...request, path: "/first" });
    loop.ms += 30;
    const paths = Array.from({ length: 100 }, (_, index) => `/${index}`);
    const all = Promise.all(paths.map((path) => send({ ...request, path })));
    for (let turns = 0; turns < 50; turns++) await loop.turn();
    expect((await all).map(({ body }) => body)).toEqual(paths);
    expect(served).toEqual(["/first", ...paths]);
  });

  it("shares the turns among all transports that it wraps", async () => {
    const loop = new HandLoop();
    const served: string[] = [];
    const wrap = inProcessTurns(loop.clock);
    const [one, other] = [wrap(slowServer(loop, served)), wrap(slowServer(loop, served))];
    await one(request);
    loop.ms += 30;
    const later = other(request);
    await quiet();
    expect(served).toHaveLength(1);
    for (let turns = 0; turns < 3; turns++) await loop.turn();
    await later;
    expect(served).toHaveLength(2);
  });

  it("passes a failure on, and goes on with the others", async () => {
    const loop = new HandLoop();
    const send = inProcessTurns(loop.clock)(({ path }) => {
      loop.ms += 30;
      return path === "/bad" ? Promise.reject(new Error("closed")) : Promise.resolve({ status: 200, headers: {}, body: path });
    });
    const all = Promise.allSettled(["/1", "/bad", "/2"].map((path) => send({ ...request, path })));
    for (let turns = 0; turns < 10; turns++) await loop.turn();
    expect((await all).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("never waits on a manual clock, whose time the caller advances", async () => {
    const clock = new ManualClock();
    const transport: Transport = ({ path }) => Promise.resolve({ status: 200, headers: {}, body: path });
    const send = inProcessTurns(clock)(transport);
    expect(send).toBe(transport);
    await clock.advance(1000);
    expect((await send(request)).status).toBe(200);
  });
});
