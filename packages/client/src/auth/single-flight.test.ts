import { describe, expect, it } from "vitest";
import { SingleFlight } from "./single-flight.ts";

const gate = <T>(): { readonly promise: Promise<T>; readonly open: (value: T) => void; readonly fail: (error: Error) => void } => {
  let open: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
};

describe("SingleFlight", () => {
  it("starts the task once for all who join while it runs, and again for later callers", async () => {
    const flight = new SingleFlight<number>();
    let started = 0;
    const work = (): Promise<number> => Promise.resolve(++started);
    expect(await Promise.all([flight.join(work), flight.join(work), flight.join(work)])).toEqual([1, 1, 1]);
    expect(await flight.join(work)).toBe(2);
  });

  it("rejects for all callers and starts a new task afterwards", async () => {
    const flight = new SingleFlight<string>();
    const boom = (): never => {
      throw new Error("boom");
    };
    const outcomes = await Promise.allSettled([flight.join(boom), flight.join(() => Promise.resolve("unused"))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await flight.join(() => Promise.resolve("fine"))).toBe("fine");
  });

  it("lets one caller leave without affecting the others", async () => {
    const flight = new SingleFlight<string>();
    const { promise, open } = gate<string>();
    let seen: AbortSignal | undefined;
    const leaving = new AbortController();
    const work = (signal: AbortSignal): Promise<string> => {
      seen = signal;
      return promise;
    };
    const first = flight.join(work, { signal: leaving.signal });
    const second = flight.join(work);
    leaving.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect(seen?.aborted).toBe(false);
    open("done");
    expect(await second).toBe("done");
  });

  it("aborts the task when the last caller has left, and starts a new one for the next", async () => {
    const flight = new SingleFlight<string>();
    const signals: AbortSignal[] = [];
    const hang = (signal: AbortSignal): Promise<string> => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const leaving = new AbortController();
    const both = [flight.join(hang, { signal: leaving.signal }), flight.join(hang, { signal: leaving.signal })];
    await Promise.resolve();
    leaving.abort(new Error("enough"));
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(signals.map(({ aborted, reason }) => [aborted, reason as unknown])).toEqual([[true, new Error("enough")]]);
    expect(await flight.join(() => Promise.resolve("anew"))).toBe("anew");
  });

  it("does not start for an aborted signal", async () => {
    let started = false;
    await expect(
      new SingleFlight<void>().join(async () => void (started = true), { signal: AbortSignal.abort(new Error("no")) }),
    ).rejects.toThrow("no");
    expect(started).toBe(false);
  });
});
