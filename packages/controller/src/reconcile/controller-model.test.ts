/** A controller under every schedule: which keys change, and when, while runs are in progress. */
import fc from "fast-check";
import type { ObjectKey } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { after, done, retry, stop } from "./result.ts";
import type { Result } from "./result.ts";
import { controllerRig } from "./testing/controller-rig.ts";

type Ending = "done" | "after" | "retry" | "throw" | "stop" | "never";

/**
 * One step: a change of a key, a step of the oldest run (its last one decides how it ends), passing time, another number of
 * workers.
 */
type Event =
  | { readonly type: "change"; readonly key: string }
  | { readonly type: "step"; readonly ending: Ending }
  | { readonly type: "time"; readonly ms: number }
  | { readonly type: "workers"; readonly count: number };

const results: Readonly<Record<Exclude<Ending, "never" | "throw">, Result>> = {
  done,
  after: after(10),
  retry: retry(new Error("failed")),
  stop: stop("as it is"),
};

/** Number of points in a run at which something may happen. */
const pointsOfRun = 2;
const deadlineMs = 5000;

/** Keys with versions, and a controller that must have seen the last version of each. */
class World {
  readonly #versions = new Map<string, number>();
  readonly #seen = new Map<string, number>();
  readonly #underWay = new Map<string, number>();
  readonly #points: ((ending: Ending) => void)[] = [];
  readonly #rig;
  readonly #mistakes: string[] = [];
  #workers: number;
  #last: Ending | undefined;

  constructor({ workers = 1 }: { readonly workers?: number } = {}) {
    this.#workers = workers;
    this.#rig = controllerRig({
      workers,
      runtime: testRuntime({ clock: new ManualClock({ quietTurns: 12 }) }),
      deadlineMs,
      retry: { jitter: 0, capMs: 1000 },
      reconcile: ({ key, signal }) => this.#reconcile(key, signal),
    });
  }

  async play(events: readonly Event[]): Promise<readonly string[]> {
    await this.#rig.start();
    for (const event of events) await this.#happen(event);
    await this.#comeToRest();
    for (const [key, version] of this.#versions)
      if (this.#seen.get(key) !== version)
        this.#mistakes.push(`${key} is at ${version}, and the last run saw ${this.#seen.get(key) ?? "nothing"}`);
    const { active, ready } = this.#rig.controller.state();
    if (active + ready > 0) this.#mistakes.push(`${active} active, ${ready} ready at the end`);
    await this.#rig.stop();
    if (this.#rig.clock.pending.length > 0) this.#mistakes.push("a timer was left behind");
    if (this.#rig.controller.inspectAll().some(({ state }) => state === "running")) this.#mistakes.push("a key was left running");
    return this.#mistakes;
  }

  async #happen(event: Event): Promise<void> {
    const { clock, source, controller } = this.#rig;
    switch (event.type) {
      case "change":
        this.#versions.set(event.key, (this.#versions.get(event.key) ?? 0) + 1);
        source.request(event.key);
        return clock.settle();
      case "step":
        this.#points.shift()?.(event.ending);
        return clock.settle();
      case "time":
        return clock.advance(event.ms);
      case "workers":
        this.#workers = event.count;
        controller.setWorkers(event.count);
        return clock.settle();
    }
  }

  async #comeToRest(): Promise<void> {
    for (let round = 0; round < 200; round++) {
      while (this.#points.length > 0) await this.#happen({ type: "step", ending: "done" });
      const { active, ready, waiting } = this.#rig.controller.state();
      if (active + ready + waiting === 0) return;
      await this.#rig.clock.advance(1000);
    }
    this.#mistakes.push("it does not come to rest");
  }

  async #reconcile(key: ObjectKey, signal: AbortSignal): Promise<Result> {
    // An abandoned run has ended, whatever it still does.
    const leave = (): void => {
      this.#underWay.set(key, (this.#underWay.get(key) ?? 0) - 1);
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
    if ((this.#underWay.get(key) ?? 0) > 1) this.#mistakes.push(`two runs on ${key}`);
    if (this.#rig.controller.state().active > this.#workers) this.#mistakes.push(`more runs than ${this.#workers} workers`);
    this.#seen.set(key, this.#versions.get(key) ?? 0);
    for (let point = 0; point < pointsOfRun; point++) await this.#point();
    if (this.#last === "never") return new Promise(() => undefined);
    if (!signal.aborted) leave();
    signal.removeEventListener("abort", leave);
    if (this.#last === "throw") throw new Error("thrown");
    return results[this.#last ?? "done"];
  }

  async #point(): Promise<void> {
    this.#last = await new Promise<Ending>((resolve) => {
      this.#points.push(resolve);
    });
  }
}

const keys = ["shop/a", "shop/b"];

describe("Controller on a change during a run", () => {
  it("B1: at every point of it, of up to five events on two keys, six in long mode, leads to another run afterwards", async () => {
    const choices: readonly Event[] = [...keys.map((key): Event => ({ type: "change", key })), { type: "step", ending: "done" }];
    const length = process.env["DROVER_LONG"] === "1" ? 6 : 5;
    let count = 0;
    const walk = async (events: readonly Event[], workers: number): Promise<void> => {
      if (events.length === length) {
        count++;
        expect(await new World({ workers }).play(events), JSON.stringify(events)).toEqual([]);
        return;
      }
      for (const choice of choices) await walk([...events, choice], workers);
    };
    // A step before the first change does nothing, and the two keys are interchangeable: so start with a change of the first key.
    for (const workers of [1, 2]) await walk(choices.slice(0, 1), workers);
    expect(count).toBe(2 * 3 ** (length - 1));
  });

  it("B1, B17: loses no key and never runs one twice at a time, for random results, delays and numbers of workers", async () => {
    const event: fc.Arbitrary<Event> = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ type: fc.constant("change" as const), key: fc.constantFrom("shop/a", "shop/b", "shop/c", "shop/d") }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          type: fc.constant("step" as const),
          ending: fc.constantFrom<Ending>("done", "after", "retry", "throw", "stop", "never"),
        }),
      },
      { weight: 1, arbitrary: fc.record({ type: fc.constant("time" as const), ms: fc.constantFrom(1, 5, 10, 100, deadlineMs) }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant("workers" as const), count: fc.constantFrom(1, 2, 64) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        expect(await new World().play(events)).toEqual([]);
      }),
      { numRuns: Math.max(100, (fc.readConfigureGlobal()?.numRuns ?? 200) / 40) },
    );
  });
});
