import type { Transport } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { inTurns } from "./in-turns.ts";

const request = { method: "GET", path: "/api", headers: {} };
const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const spend = (ms: number): void => {
  for (const startedMs = performance.now(); performance.now() - startedMs < ms;);
};

describe("inTurns", () => {
  it("answers everything that 100 callers ask at once, each in its order, in turns of the given length", async () => {
    const begun: number[] = [];
    let turns = 0;
    const perTurn: number[] = [];
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    // Most of the time passes after the transport was called, as in a server that first awaits admission.
    const transport: Transport = async ({ path }) => {
      begun.push(Number(path));
      await Promise.resolve();
      spend(1);
      perTurn[turns] = (perTurn[turns] ?? 0) + 1;
      return { status: 200, headers: {}, body: path };
    };
    const send = inTurns({ holdMs: 5 })(transport);
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => send({ ...request, path: String(index) })));
    isOver = true;
    expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 100 }, (_, index) => String(index)));
    expect(begun).toEqual(Array.from({ length: 100 }, (_, index) => index));
    // Five of a millisecond each, and those that had begun beside the last.
    expect(Math.max(...perTurn.filter(Boolean))).toBeLessThanOrEqual(5 + 16);
  });

  it("does not wait for requests that take longer than a turn", async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    const send = inTurns({ holdMs: 20 })(async () => {
      begun++;
      await released;
      return { status: 200, headers: {}, body: "" };
    });
    const all = Promise.all(Array.from({ length: 20 }, () => send(request)));
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(begun).toBe(20);
    release();
    expect(await all).toHaveLength(20);
  });

  it("passes a failure on, and goes on with the others", async () => {
    const send = inTurns({ holdMs: 20 })(({ path }) =>
      path === "/bad" ? Promise.reject(new Error("reset")) : Promise.resolve({ status: 200, headers: {}, body: path }),
    );
    const results = await Promise.allSettled(["/bad", "/bad", "/bad", "/bad", "/bad", "/good"].map((path) => send({ ...request, path })));
    expect(results.map(({ status }) => status)).toEqual([...Array<string>(5).fill("rejected"), "fulfilled"]);
  });

  it("counts the requests of all transports together", async () => {
    const begun: string[] = [];
    const turns = inTurns({ holdMs: 20 });
    const senders = ["a", "b"].map((name) =>
      turns(() => {
        begun.push(name);
        return new Promise<never>(() => undefined);
      }),
    );
    for (let index = 0; index < 40; index++) void senders[index % 2]?.(request);
    await Promise.resolve();
    expect(begun).toHaveLength(16);
    expect(new Set(begun)).toEqual(new Set(["a", "b"]));
  });

  it("starts no request while others should be answered first, and all of them afterwards, in their order", async () => {
    let isBusy = true;
    const begun: string[] = [];
    const send = inTurns({ holdMs: 20, giveWay: () => isBusy })(({ path }) => {
      begun.push(path);
      return Promise.resolve({ status: 200, headers: {}, body: path });
    });
    const all = Promise.all(["/1", "/2", "/3"].map((path) => send({ ...request, path })));
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(begun).toEqual([]);
    isBusy = false;
    await all;
    expect(begun).toEqual(["/1", "/2", "/3"]);
  });
});
