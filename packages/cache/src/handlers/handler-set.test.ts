import { prometheusText } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddedChange, DeletedChange, UpdatedChange } from "../store/change.ts";
import type { Change, StoreChange } from "../store/change.ts";
import type { HandlerOptions } from "./handler-runner.ts";
import { HandlerSet } from "./handler-set.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

const { signal } = new AbortController();
const added = (key: string, at: number, isInInitialList = false): StoreChange<TestPod> =>
  new AddedChange({
    version: podVersion(key, at),
    isInInitialList,
  });
const updated = (key: string, from: number, to: number): StoreChange<TestPod> =>
  new UpdatedChange({
    version: podVersion(key, to),
    before: podVersion(key, from),
    isResync: false,
  });
const deleted = (key: string, at: number): StoreChange<TestPod> =>
  new DeletedChange({
    version: podVersion(key, at),
    isFinalStateUnknown: false,
  });
const word = (change: Change<TestPod>): string => `${change.type} ${change.key}@${change.object.metadata?.resourceVersion}`;

interface Stage {
  readonly runtime: TestRuntime;
  readonly set: HandlerSet<TestPod>;
}

function stage(): Stage {
  const runtime = testRuntime();
  return { runtime, set: new HandlerSet<TestPod>({ runtime, name: "pods", sliceMs: 10 }) };
}

/** A handler that records its changes and reacts to each as the test says. */
function recorder(act: (change: Change<TestPod>) => void | Promise<void> = () => undefined): {
  told: string[];
  handler: (change: Change<TestPod>) => void | Promise<void>;
} {
  const told: string[] = [];
  return {
    told,
    handler: (change) => {
      told.push(word(change));
      return act(change);
    },
  };
}

describe("HandlerSet", () => {
  it("calls an idle handler at once, in the same turn", () => {
    const { set } = stage();
    const { told, handler } = recorder();
    set.add(handler, {}, []);
    set.tell(added("a", 1));
    set.tell(updated("a", 1, 2));
    expect(told).toEqual(["added a@1", "updated a@2"]);
  });

  it("waits for the promise of a handler before its next call, while others continue (§9.40)", async () => {
    const { runtime, set } = stage();
    let finish = (): void => undefined;
    const slow = recorder(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    const quick = recorder();
    set.add(slow.handler, {}, []);
    set.add(quick.handler, {}, []);
    for (const change of [added("a", 1), updated("a", 1, 2), updated("a", 2, 3), added("b", 4), deleted("b", 5)]) set.tell(change);
    expect(slow.told).toEqual(["added a@1"]);
    expect(quick.told).toHaveLength(5);
    finish();
    await runtime.clock.settle();
    expect(slow.told).toEqual(["added a@1", "updated a@3"]);
    expect(set.states()[0]).toMatchObject({ pendingKeys: 0, running: { key: "a", ms: 0 } });
  });

  it("counts a handler as synced when all its initial objects were deleted before delivery", async () => {
    const { runtime, set } = stage();
    set.markSynced();
    const { told, handler } = recorder();
    const late = set.add(handler, {}, [podVersion("a", 1)]);
    expect(late.hasSynced).toBe(false);
    set.tell(deleted("a", 2));
    await runtime.clock.advance(0);
    expect([told, late.hasSynced]).toEqual([[], true]);
  });

  it("bounds pending changes by the number of keys (A10)", async () => {
    const { runtime, set } = stage();
    const slow = recorder(
      () =>
        new Promise<void>((resolve) => {
          runtime.clock.timer(1000, resolve);
        }),
    );
    set.add(slow.handler, { warnAfterMs: Infinity }, []);
    const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
    for (const key of keys) set.tell(added(key, 1));
    for (let round = 1; round < 200; round++) for (const key of keys) set.tell(updated(key, round, round + 1));
    expect(set.states()[0]?.pendingKeys).toBe(50);
    expect(prometheusText(runtime.metrics)).toContain('informer_handler_pending_keys{handler="handler",name="pods"} 50');
    await runtime.clock.advance(52_000);
    expect(slow.told).toHaveLength(51);
    expect(new Set(slow.told.slice(1))).toEqual(new Set(keys.map((key) => (key === "k0" ? "updated k0@200" : `added ${key}@200`))));
    expect(prometheusText(runtime.metrics)).toContain(`informer_handler_merged_total{handler="handler",name="pods"} ${50 * 199 - 1}`);
  });

  it.each(["throws", "rejects"])("retries a change with backoff when the handler %s, then drops and logs it (A9)", async (how) => {
    const { runtime, set } = stage();
    const calls: number[] = [];
    const bad = recorder((change) => {
      if (change.key !== "bad") return undefined;
      calls.push(runtime.clock.monotonic());
      const error = new Error("no");
      if (how === "throws") throw error;
      return Promise.reject(error);
    });
    const good = recorder();
    const registration = set.add(bad.handler, { name: "bad one", retriesMax: 3, retryBackoff: { duration: 100, factor: 2, steps: 9 } }, []);
    set.add(good.handler, {}, []);
    set.markSynced();
    set.tell(added("bad", 1));
    await runtime.clock.settle();
    set.tell(added("fine", 2));
    expect(bad.told).toEqual(["added bad@1", "added fine@2"]);
    await runtime.clock.runAll();
    expect(calls).toEqual([0, 100, 300, 700]);
    expect(good.told).toEqual(["added bad@1", "added fine@2"]);
    expect(registration.state()).toMatchObject({ errors: 4, givenUp: 1, pendingKeys: 0 });
    expect(runtime.log.entries.map(({ level, message }) => `${level} ${message}`)).toEqual([
      ...Array.from({ length: 3 }, () => "warn handler failed, retrying the change"),
      "error handler failed, dropping the change",
    ]);
    expect(runtime.log.entries[0]?.fields).toMatchObject({
      informer: "pods",
      handler: "bad one",
      key: "bad",
      change: "added",
      attempt: 1,
    });
    expect(prometheusText(runtime.metrics)).toContain('informer_handler_errors_total{handler="bad one",name="pods"} 4');
    set.tell(updated("bad", 1, 3));
    expect(bad.told.at(-1)).toBe("updated bad@3");
  });

  it("limits log lines per second when everything fails", () => {
    const { runtime, set } = stage();
    set.add(
      () => {
        throw new Error("no");
      },
      {},
      [],
    );
    for (let index = 0; index < 1000; index++) set.tell(added(`k${index}`, 1));
    expect([runtime.log.entries.length, set.states()[0]?.errors]).toEqual([10, 1000]);
  });

  it("resets the retries of a key after a success", async () => {
    const { runtime, set } = stage();
    let failures = 2;
    const handler = recorder(() => {
      if (failures-- > 0) throw new Error("not yet");
    });
    set.add(handler.handler, { retriesMax: 2 }, []);
    set.tell(added("a", 1));
    await runtime.clock.runAll();
    failures = 2;
    set.tell(updated("a", 1, 2));
    await runtime.clock.runAll();
    expect(handler.told).toEqual(["added a@1", "added a@1", "added a@1", "updated a@2", "updated a@2", "updated a@2"]);
    expect(set.states()[0]?.givenUp).toBe(0);
  });

  it("merges changes of a key that waits for its retry", async () => {
    const { runtime, set } = stage();
    let isDown = true;
    const handler = recorder(() => {
      if (isDown) throw new Error("down");
    });
    set.add(handler.handler, {}, []);
    set.tell(added("a", 1));
    set.tell(updated("a", 1, 2));
    isDown = false;
    await runtime.clock.runAll();
    expect(handler.told).toEqual(["added a@1", "added a@2"]);
  });

  it("warns about a call that never settles, and abandons it after timeoutMs", async () => {
    const { runtime, set } = stage();
    let calls = 0;
    const stuck = recorder(() => (calls++ === 0 ? new Promise<void>(() => undefined) : undefined));
    set.add(stuck.handler, { name: "stuck", timeoutMs: 90_000, retryBackoff: { duration: 1000 } }, []);
    set.tell(added("a", 1));
    set.tell(added("b", 2));
    await runtime.clock.advance(60_000);
    expect(runtime.log.entries.map(({ message, fields }) => [message, fields["handler"], fields["key"]])).toEqual([
      ["handler is slow, its other changes wait", "stuck", "a"],
    ]);
    expect(stuck.told).toEqual(["added a@1"]);
    await runtime.clock.advance(31_000);
    expect(stuck.told).toEqual(["added a@1", "added b@2", "added a@1"]);
    expect(runtime.clock.pending).toEqual([]);
  });

  it("ignores the result of an abandoned call", async () => {
    const { runtime, set } = stage();
    const ends: ((error: Error) => void)[] = [];
    const late = recorder(
      () =>
        new Promise<void>((_, reject) => {
          ends.push(reject);
        }),
    );
    set.add(late.handler, { timeoutMs: 10, retriesMax: 1, retryBackoff: { duration: 5 } }, []);
    set.tell(added("a", 1));
    await runtime.clock.advance(15);
    expect(late.told).toHaveLength(2);
    ends[0]?.(new Error("late"));
    await runtime.clock.settle();
    expect(set.states()[0]).toMatchObject({ errors: 1, running: { key: "a" } });
  });

  it("names the handler that tried to modify a cached object (A28)", () => {
    const { runtime, set } = stage();
    const original = added("a", 1);
    set.add(
      (change) => {
        (change.object.metadata as { name: string }).name = "mine";
      },
      { name: "meddler" },
      [],
    );
    set.tell(original);
    expect(runtime.log.entries[0]).toMatchObject({
      message: expect.stringContaining("tried to modify a frozen object") as string,
      fields: { handler: "meddler", key: "a" },
    });
    expect(original.object.metadata?.name).toBe("a");
  });

  it("sends a late handler every object once, as added, after it has its registration (A25)", async () => {
    const { runtime, set } = stage();
    set.markSynced();
    const late = recorder();
    const initial: boolean[] = [];
    const registration = set.add(
      (change) => {
        initial.push(change.type === "added" && change.isInInitialList);
        return late.handler(change);
      },
      {},
      [podVersion("a", 1), podVersion("b", 2)],
    );
    set.tell(updated("b", 2, 3));
    expect([late.told, registration.hasSynced]).toEqual([[], false]);
    await runtime.clock.advance(0);
    expect([late.told, initial, registration.hasSynced]).toEqual([["added a@1", "added b@3"], [true, true], true]);
  });

  it("counts a handler as synced when it has processed all initial objects, not when they were delivered", async () => {
    const { runtime, set } = stage();
    const finish: (() => void)[] = [];
    const slow = recorder(
      () =>
        new Promise<void>((resolve) => {
          finish.push(resolve);
        }),
    );
    const registration = set.add(slow.handler, {}, []);
    for (const change of [added("a", 1, true), added("b", 2, true), added("gone", 3, true)]) set.tell(change);
    set.markSynced();
    set.tell(deleted("gone", 4));
    set.tell(added("later", 5));
    let hasSynced = false;
    const waiting = registration.synced(signal).then(() => {
      hasSynced = true;
    });
    for (const expected of [false, true]) {
      finish.shift()?.();
      await runtime.clock.settle();
      expect([hasSynced, registration.hasSynced]).toEqual([expected, expected]);
    }
    await waiting;
    expect(slow.told).toEqual(["added a@1", "added b@2", "added later@5"]);
  });

  it("counts a handler as synced although an initial object was dropped", async () => {
    const { runtime, set } = stage();
    const registration = set.add(
      () => {
        throw new Error("never");
      },
      { retriesMax: 1, retryBackoff: { duration: 10 } },
      [],
    );
    set.tell(added("a", 1, true));
    set.markSynced();
    expect(registration.hasSynced).toBe(false);
    await runtime.clock.runAll();
    expect(registration.hasSynced).toBe(true);
  });

  it("delivers nothing after removal, not even pending changes, and rejects waits for its sync", async () => {
    const { runtime, set } = stage();
    const slow = recorder(
      () =>
        new Promise<void>((resolve) => {
          runtime.clock.timer(10, resolve);
        }),
    );
    const failing = recorder(() => {
      throw new Error("no");
    });
    const registrations = [set.add(slow.handler, { name: "slow" }, []), set.add(failing.handler, { name: "failing" }, [])];
    set.tell(added("a", 1, true));
    set.tell(added("b", 2, true));
    const waiting = registrations.map((registration) =>
      expect(registration.synced(signal)).rejects.toThrow("was removed before it had synced"),
    );
    for (const registration of [...registrations, ...registrations]) registration.remove();
    set.tell(added("c", 3));
    await runtime.clock.runAll();
    await Promise.all(waiting);
    expect([slow.told, failing.told, set.states()]).toEqual([["added a@1"], ["added a@1", "added b@2"], []]);
    expect(runtime.clock.pending).toEqual([]);
    expect(prometheusText(runtime.metrics)).not.toContain('handler="slow"');
  });

  it("lets a handler remove itself during a call", async () => {
    const { runtime, set } = stage();
    const once = recorder(() => registration.remove());
    const registration = set.add(once.handler, {}, [podVersion("a", 1), podVersion("b", 2)]);
    await runtime.clock.runAll();
    expect(once.told).toEqual(["added a@1"]);
  });

  it("yields to the event loop while a handler works through a backlog", async () => {
    for (const end of [() => undefined, () => Promise.resolve()]) {
      const { runtime, set } = stage();
      let nowMs = 0;
      const clock = {
        now: () => nowMs,
        monotonic: () => nowMs,
        timer: (delayMs: number, callback: () => void) => runtime.clock.timer(delayMs, callback),
      };
      const busy = new HandlerSet<TestPod>({ runtime: { ...runtime, clock }, name: "busy", sliceMs: 10 });
      const told = recorder(() => {
        nowMs += 4;
        return end();
      });
      busy.add(
        told.handler,
        { warnAfterMs: Infinity },
        Array.from({ length: 10 }, (_, index) => podVersion(`k${index}`, index + 1)),
      );
      const turns: number[] = [];
      const watchTurns = (): void => {
        turns.push(told.told.length);
        if (told.told.length < 10) runtime.clock.timer(0, watchTurns);
      };
      watchTurns();
      await runtime.clock.runAll();
      expect(told.told).toHaveLength(10);
      expect(turns).toEqual(expect.arrayContaining([3, 6, 9]));
      set.close();
    }
  });

  it("stops when it is closed, and returns the handlers that are still running", async () => {
    const { runtime, set } = stage();
    set.add(
      () =>
        new Promise<void>((resolve) => {
          runtime.clock.timer(10, resolve);
        }),
      { name: "at work" },
      [],
    );
    set.add(() => undefined, {}, []);
    set.tell(added("a", 1));
    const running = set.close();
    expect(running.map(({ name }) => name)).toEqual(["at work"]);
    await runtime.clock.runAll();
    await running[0]?.settled;
    expect(() => set.add(() => undefined, {}, [])).toThrow("cannot add a handler to pods: the informer has stopped");
  });

  it("brings every handler to the same state, in order per object, whatever its speed and failures (A11)", async () => {
    const step = fc.record({ key: fc.constantFrom("a", "b", "c"), isDeletion: fc.boolean(), pauseMs: fc.nat(20) });
    const temper = fc.record({
      latencies: fc.array(fc.nat(30), { minLength: 1, maxLength: 5 }),
      failures: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
    });
    const options: HandlerOptions = { retriesMax: Infinity, retryBackoff: { duration: 7 }, warnAfterMs: Infinity };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), temper, async (steps, { latencies, failures }) => {
        fc.pre(failures.includes(false));
        const { runtime, set } = stage();
        const known = new Map<string, number>();
        let calls = 0;
        set.add(
          (change) => {
            const call = calls++;
            const latency = latencies[call % latencies.length] ?? 0;
            const fails = failures[call % failures.length] === true;
            const end = (): void => {
              if (fails) throw new Error("told in vain");
              const at = Number(change.object.metadata?.resourceVersion);
              expect(at).toBeGreaterThan(known.get(change.key) ?? 0);
              if (change.type === "deleted") known.delete(change.key);
              else known.set(change.key, at);
            };
            return latency === 0
              ? end()
              : new Promise<void>((resolve) => {
                  runtime.clock.timer(latency, resolve);
                }).then(end);
          },
          options,
          [],
        );
        const store = new Map<string, number>();
        for (const [index, { key, isDeletion, pauseMs }] of steps.entries()) {
          const at = index + 1;
          const old = store.get(key);
          if (isDeletion && old !== undefined) {
            store.delete(key);
            set.tell(deleted(key, at));
          } else {
            store.set(key, at);
            set.tell(old === undefined ? added(key, at) : updated(key, old, at));
          }
          if (pauseMs > 10) await runtime.clock.advance(pauseMs);
        }
        await runtime.clock.runAll();
        expect(known).toEqual(store);
        expect(set.states()[0]?.pendingKeys).toBe(0);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 20) },
    );
  });
});
