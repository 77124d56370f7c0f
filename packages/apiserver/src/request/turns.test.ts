import { describe, expect, it } from "vitest";
import { Turns } from "./turns.ts";

/** An event loop whose turns are taken by hand, and requests that take a fixed time each. */
function scene(): {
  readonly turns: Turns;
  readonly serve: (name: string, ms: number, large?: boolean, connection?: object) => void;
  readonly turn: () => Promise<string[]>;
} {
  let nowMs = 0;
  let callbacks: (() => void)[] = [];
  let served: string[] = [];
  const turns = new Turns({ clock: { monotonic: () => nowMs }, nextTurn: (callback) => void callbacks.push(callback) });
  const work = (name: string, ms: number): void => {
    nowMs += ms;
    served.push(name);
  };
  return {
    turns,
    serve: (name, ms, large = false, connection = turns) => {
      const later = turns.enter(large, connection);
      if (later === undefined) work(name, ms);
      else void later.then(() => work(name, ms));
    },
    turn: async () => {
      const due = callbacks;
      callbacks = [];
      for (const callback of due) {
        callback();
        // Node runs promise reactions between two callbacks.
        await Promise.resolve();
      }
      const result = served;
      served = [];
      return result;
    },
  };
}

describe("Turns", () => {
  it("lets requests begin at once while a turn is short", async () => {
    const { serve, turn } = scene();
    for (const name of ["a", "b", "c"]) serve(name, 5);
    expect(await turn()).toEqual(["a", "b", "c"]);
    expect(await turn()).toEqual([]);
  });

  it("makes requests wait when the turn has lasted long enough, in order", async () => {
    const { serve, turn } = scene();
    for (const name of ["a", "b", "c", "d", "e", "f"]) serve(name, 20);
    expect(await turn()).toEqual(["a", "b"]);
    expect(await turn()).toEqual(["c", "d"]);
    serve("g", 20);
    expect(await turn()).toEqual(["e", "f"]);
    expect(await turn()).toEqual(["g"]);
  });

  it("serves connections in turn, so that one with many requests does not make the others wait for all (S19)", async () => {
    const { serve, turn } = scene();
    const [many, other] = [{}, {}];
    serve("first", 30, false, many);
    for (let n = 0; n < 100; n++) serve(`many ${n}`, 20, false, many);
    for (let n = 0; n < 2; n++) serve(`other ${n}`, 20, false, other);
    expect(await turn()).toEqual(["first"]);
    expect(await turn()).toEqual(["many 0", "other 0"]);
    expect(await turn()).toEqual(["many 1", "other 1"]);
    expect(await turn()).toEqual(["many 2", "many 3"]);
  });

  it("lets small requests pass sixty large ones, of which one begins in each turn", async () => {
    const { serve, turn } = scene();
    for (let n = 0; n < 60; n++) serve(`large ${n}`, 30, true);
    expect(await turn()).toEqual(["large 0"]);
    serve("small", 1);
    expect(await turn()).toEqual(["small", "large 1"]);
    expect(await turn()).toEqual(["large 2"]);
  });

  it("starves large requests not, however many small ones there are", async () => {
    const { serve, turn } = scene();
    serve("first", 30);
    serve("large", 30, true);
    for (let n = 0; n < 100; n++) serve(`small ${n}`, 30);
    await turn();
    expect(await turn()).toEqual(["small 0", "large"]);
  });

  it("asks for no turn while there are no requests", async () => {
    const { serve, turn, turns } = scene();
    serve("a", 1);
    await turn();
    expect(turns.enter(false, turns)).toBeUndefined();
  });
});
