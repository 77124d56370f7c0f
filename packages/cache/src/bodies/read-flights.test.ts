import { isBudgetExceededError } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ReadFlights, waitingReads } from "./read-flights.ts";

const key = (name: string): ObjectKey => name as ObjectKey;

function stage(flightsMax = 2) {
  const open: number[] = [];
  let refusals = 0;
  const flights = new ReadFlights<string>({ flightsMax, onOpen: (count) => void open.push(count), onRefused: () => void refusals++ });
  const landings: (() => void)[] = [];
  /** Flies until the test lands it. */
  const fly = (result: string) => (signal: AbortSignal, landed: () => void) =>
    new Promise<string>((resolve, reject) => {
      landings.push(() => {
        landed();
        resolve(result);
      });
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  return { flights, open, landings, fly, refusals: () => refusals };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("ReadFlights", () => {
  it("starts another flight for a reader that comes after the landing, although the first reader has no answer yet", async () => {
    const { flights, landings, fly } = stage();
    const first = flights.join(key("a"), fly("old"), undefined);
    const same = flights.join(key("a"), fly("unused"), undefined);
    landings[0]?.();
    const second = flights.join(key("a"), fly("new"), undefined);
    landings[1]?.();
    expect(await Promise.all([first, same, second])).toEqual(["old", "old", "new"]);
  });

  it("hands a free place to the next key in order, and skips one whose readers have left", async () => {
    const { flights, open, landings, fly } = stage(1);
    const leaver = new AbortController();
    const a = flights.join(key("a"), fly("a"), undefined);
    const b = flights.join(key("b"), fly("b"), leaver.signal).catch((error: unknown) => error);
    const c = flights.join(key("c"), fly("c"), undefined);
    await turn();
    leaver.abort(new Error("left"));
    expect(await b).toEqual(new Error("left"));
    landings[0]?.();
    expect(await a).toBe("a");
    await turn();
    landings[1]?.();
    expect(await c).toBe("c");
    await turn();
    expect([Math.max(...open), open.at(-1), flights.readers]).toEqual([1, 0, 0]);
  });

  it("refuses readers beyond the budget, and takes them again later", async () => {
    const { flights, landings, fly, refusals } = stage();
    const readers = Array.from({ length: waitingReads.limit }, () => flights.join(key("a"), fly("a"), undefined));
    const error: unknown = await flights.join(key("b"), fly("b"), undefined).catch((thrown: unknown) => thrown);
    expect([isBudgetExceededError(error), refusals()]).toEqual([true, 1]);
    landings[0]?.();
    await Promise.all(readers);
    const again = flights.join(key("b"), fly("b"), undefined);
    landings[1]?.();
    expect(await again).toBe("b");
  });

  it("ends every flight with the reason of its close", async () => {
    const { flights, fly } = stage(1);
    const reads = ["a", "b"].map((name) => flights.join(key(name), fly(name), undefined).catch((error: unknown) => error));
    flights.close(new Error("over"));
    expect(await Promise.all(reads)).toEqual([new Error("over"), new Error("over")]);
    await expect(flights.join(key("c"), fly("c"), undefined)).rejects.toThrow("over");
  });
});
