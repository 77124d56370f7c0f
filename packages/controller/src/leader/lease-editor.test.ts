/**
 * Leases that a user edits by hand. Deleting a lease, clearing its holder or restoring an old copy does not stop its holder:
 * candidates used to take such a lease at once, and two led at the same time.
 */
import type { Lease } from "@drover/api/coordination/v1";
import { createClient } from "@drover/client";
import { createLog, createMetrics, createRandom } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LeaderElector } from "./leader-elector.ts";
import type { AfterMissingLease } from "./lease-state.ts";
import { holderOf } from "./lease-record.ts";
import { LeaseModel, editNames } from "./testing/lease-model.ts";
import type { EditName } from "./testing/lease-model.ts";
import { LeaseServer } from "./testing/lease-server.ts";
import { MachineClock } from "./testing/machine-clock.ts";

const isLong = process.env["DROVER_LONG"] === "1";

/** Plays every path of ticks with up to `edits` edits, before either candidate acts, and up to `stalls` stalled candidates. */
function explore(model: LeaseModel, ticks: number, edits: number, stalls: number): number {
  if (ticks === 0) {
    model.mustRecover();
    return 1;
  }
  let paths = 0;
  const play = (first: EditName | undefined, second: EditName | undefined, stalled: string | undefined): void => {
    const next = model.copy();
    next.tick(first, second, stalled);
    const used = Number(first !== undefined) + Number(second !== undefined);
    paths += explore(next, ticks - 1, edits - used, stalls - Number(stalled !== undefined));
  };
  for (const stalled of stalls > 0 ? [undefined, "a", "b"] : [undefined]) {
    play(undefined, undefined, stalled);
    if (edits === 0) continue;
    for (const edit of editNames) {
      play(edit, undefined, stalled);
      play(undefined, edit, stalled);
    }
  }
  return paths;
}

describe("stepLease with an editor of the lease", () => {
  it.each([
    ["two edits", 12, 2, 0, 1],
    ["one edit and two stalled attempts", 10, 1, 2, 1],
    ["two edits, and a candidate whose clock is 20 % fast", 12, 2, 0, 1.2],
  ] as const)("never has two leaders, and finds one afterwards, on every path of %s (SEC8)", (_, ticks, edits, stalls, rate) => {
    const paths = explore(LeaseModel.led(rate), isLong ? ticks : ticks - 4, isLong ? edits + 1 : edits, stalls);
    console.log(`leases: ${paths} paths of ${ticks} seconds`);
    expect(paths).toBeGreaterThan(1000);
  });

  it("never has two leaders, and finds one afterwards, for random edits, delays and rates of clocks (SEC8)", () => {
    const name = fc.option(fc.constantFrom(...editNames), { nil: undefined, freq: 2 });
    const tick = fc.tuple(
      name,
      name,
      fc.constantFrom(undefined, undefined, undefined, "a", "b"),
      fc.constantFrom(100, 250, 500, 1000, 1500),
    );
    fc.assert(
      fc.property(fc.array(tick, { maxLength: 60 }), fc.constantFrom(0.85, 1, 1.2), (list, rate) => {
        const model = LeaseModel.led(rate);
        for (const [first, second, stalled, ms] of list) model.tick(first, second, stalled, ms);
        model.mustRecover();
      }),
    );
  });
});

/**
 * Plays every path on which the lease of "a" is deleted, "b" starts anew up to 3 s later, and "a" may stall meanwhile. Returns how many
 * paths had two leaders.
 */
function restartsAfterDeletion(afterMissingLease: AfterMissingLease): { readonly paths: number; readonly overlaps: number } {
  const counts = { paths: 0, overlaps: 0 };
  for (const rate of [0.85, 1, 1.2])
    for (const before of [0, 250, 500, 750])
      for (const after of [0, 250, 500, 1000, 1500, 3000])
        for (const stalls of [0, 1, 2, 4, 8]) {
          counts.paths++;
          const model = LeaseModel.led(rate);
          try {
            model.tick(undefined, undefined, undefined, before);
            model.tick("delete", undefined, "a", 0);
            model.tick(undefined, undefined, after === 0 ? "a" : undefined, after);
            model.tick("delete", undefined, "a", 0);
            model.restartB(afterMissingLease);
            for (let tick = 0; tick < 24; tick++) model.tick(undefined, undefined, tick < stalls ? "a" : undefined, 250);
            model.mustRecover();
          } catch (error) {
            if (!String(error).includes("two leaders")) throw error;
            counts.overlaps++;
          }
        }
  return counts;
}

describe("stepLease of a process that starts while the lease is missing", () => {
  it('never leads beside the leader whose lease was deleted, with afterMissingLease "wait" (SEC8)', () => {
    expect(restartsAfterDeletion("wait")).toEqual({ paths: 360, overlaps: 0 });
  });

  it('may lead beside it until its next renewal, with "lead"', () => {
    expect(restartsAfterDeletion("lead").overlaps).toBeGreaterThan(0);
  });
});

/** Three replicas on clocks with small errors, and an editor. */
class Scene {
  readonly truth = new ManualClock({ quietTurns: 24 });
  readonly server = new LeaseServer();
  readonly electors: LeaderElector[] = [];
  overlapMs = 0;

  constructor(seed: number) {
    const random = createRandom(seed);
    [0.98, 1, 1.02].forEach((rate, index) => {
      const clock = new MachineClock(this.truth, {
        rate,
        monotonicMs: random.int(1_000_000),
        wallAheadMs: random.int(7_200_000) - 3_600_000,
      });
      const log = createLog({ clock, write: () => undefined, level: "error" });
      const client = createClient({ transport: this.server.transport, clock, log, namespace: "shop" });
      const elector = new LeaderElector({
        runtime: { clock, random: random.stream(`replica ${index}`), log, metrics: createMetrics() },
        client,
        identity: `replica-${index}`,
        lease: { namespace: "shop", name: "web" },
        onStartedLeading: () => undefined,
      });
      void elector.run(new AbortController().signal);
      this.electors.push(elector);
    });
  }

  /** Advances in small steps and adds up the time with two open fences. */
  async advance(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += 100) {
      await this.truth.advance(100);
      if (this.electors.filter(({ isLeader }) => isLeader).length > 1) this.overlapMs += 100;
    }
  }

  async untilLed(limitMs: number): Promise<boolean> {
    for (let passedMs = 0; passedMs < limitMs; passedMs += 100) {
      if (this.electors.some(({ isLeader }) => isLeader)) return true;
      await this.advance(100);
    }
    return false;
  }
}

describe("LeaderElector with an editor of the lease", () => {
  const edit = (server: LeaseServer, changes: Lease["spec"]): void => {
    if (server.lease !== undefined) server.put({ ...server.lease.spec, ...changes });
  };
  const scenes: readonly [string, number, (server: LeaseServer, old: Lease["spec"]) => void][] = [
    ["deleted every second for a minute", 60, (server) => server.put(undefined)],
    ["cleared every second for a minute", 60, (server) => edit(server, { holderIdentity: "" })],
    ["cleared once", 1, (server) => edit(server, { holderIdentity: "" })],
    ["given to a stranger once", 1, (server) => edit(server, { holderIdentity: "stranger" })],
    ["given to a stranger every second for a minute", 60, (server) => edit(server, { holderIdentity: "stranger" })],
    ["shortened to a second every second for a minute", 60, (server) => edit(server, { leaseDurationSeconds: 1 })],
    [
      "given an absurd duration and number of transitions",
      1,
      (server) => edit(server, { leaseDurationSeconds: 2 ** 31 - 1, leaseTransitions: 2 ** 31 - 1 }),
    ],
    ["restored from a backup once", 1, (server, old) => server.put(old)],
    ["restored from a backup every second for a minute", 60, (server, old) => server.put(old)],
  ];
  it.each(scenes)(
    "never has two leaders while the lease is %s, and has one within three lease durations (SEC8)",
    async (_, times, change) => {
      for (const seed of [1, 2, 3]) {
        const scene = new Scene(seed);
        await scene.advance(5000);
        // The backup is of an earlier term, of a replica that does not lead any more but competes.
        const follower = scene.electors.findIndex(({ isLeader }) => !isLeader);
        const old = { ...scene.server.lease?.spec, holderIdentity: `replica-${follower}` };
        await scene.advance(60_000);
        for (let time = 0; time < times; time++) {
          change(scene.server, old);
          await scene.advance(1000);
        }
        expect([seed, await scene.untilLed(45_000), scene.overlapMs]).toEqual([seed, true, 0]);
      }
    },
  );

  it("stops leading when another process takes the lease that it creates again, without waiting for its next attempt (SEC8)", async () => {
    const scene = new Scene(1);
    await scene.advance(5000);
    const leader = scene.electors.find(({ isLeader }) => isLeader);
    const handle = scene.server.handle.bind(scene.server);
    scene.server.put(undefined);
    // A candidate of another implementation creates the lease just before the leader does.
    scene.server.handle = (request) => {
      if (request.method === "POST" && scene.server.lease === undefined)
        scene.server.put({ holderIdentity: "client-go", leaseDurationSeconds: 15, leaseTransitions: 0 });
      return handle(request);
    };
    await scene.advance(2200);
    expect([leader?.isLeader, holderOf(scene.server.lease)]).toEqual([false, "client-go"]);
  });
});
