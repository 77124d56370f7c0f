import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClassicQueueState } from "./classic-queue-state.ts";
import { everySequence, printTried } from "@drover/workqueue/testing";
import type { Pair } from "@drover/workqueue/testing";

type Key = "a" | "b";
type Op = readonly ["add" | "done", Key] | readonly ["get"] | readonly ["shutDown"];

/** Model of client-go's three sets, as documented, with plain lists. */
class Model {
  queue: Key[] = [];
  dirty: Key[] = [];
  processing: Key[] = [];
  down = false;

  add(key: Key): void {
    if (this.down || this.dirty.includes(key)) return;
    this.dirty.push(key);
    if (!this.processing.includes(key)) this.queue.push(key);
  }

  get(): Key | undefined {
    const key = this.queue.shift();
    if (key === undefined) return undefined;
    this.processing.push(key);
    this.dirty = this.dirty.filter((other) => other !== key);
    return key;
  }

  done(key: Key): void {
    if (!this.processing.includes(key)) return;
    this.processing = this.processing.filter((other) => other !== key);
    if (this.dirty.includes(key)) this.queue.push(key);
  }
}

function pair(): Pair<Op> {
  const model = new Model();
  const state = new ClassicQueueState<Key>();
  return {
    apply: ([verb, key]) => {
      if (verb === "get") {
        if (state.take(0) !== model.get()) throw new Error("got another key");
      } else if (verb === "shutDown") {
        model.down = true;
        state.shutDown();
      } else if (verb === "add") {
        model.add(key);
        state.add(0, key);
      } else {
        model.done(key);
        state.done(0, key);
      }
    },
    compare: () => {
      if (state.queuedCount !== model.queue.length || state.shuttingDown !== model.down) throw new Error("queued or shutting down");
      if (state.isDrained !== (model.queue.length === 0 && model.processing.length === 0)) throw new Error("drained");
      if (state.processing.toSorted().join() !== model.processing.toSorted().join()) throw new Error("processing");
    },
    fingerprint: () => JSON.stringify(model),
  };
}

const operations: readonly Op[] = [["add", "a"], ["add", "b"], ["get"], ["done", "a"], ["done", "b"], ["shutDown"]];

describe("ClassicQueueState and its model", () => {
  it("B3: agree on every sequence of operations", () => {
    const raw = process.env["DROVER_LONG"] === "1" ? 7 : 6;
    const shared = { operations, create: pair, keyOf: ([, key]: Op) => key };
    process.stdout.write(printTried("client-go's queue", raw, everySequence({ ...shared, length: raw, skip: "nothing" })));
    const tried = everySequence({ ...shared, length: 9, skip: "idle steps" });
    process.stdout.write(printTried("client-go's queue, without idle steps", 9, tried));
    expect(tried.states).toBeGreaterThan(20);
  });

  it("agree on long random runs", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...operations.filter(([verb]) => verb !== "shutDown")), { minLength: 50, maxLength: 200 }),
        (ops) => {
          const { apply, compare } = pair();
          for (const op of ops) {
            apply(op);
            compare();
          }
        },
      ),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) },
    );
  });
});
