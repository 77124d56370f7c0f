/**
 * One random history of a sharded operator, from a seed: replicas with wrong clocks on a faulty network, stopped, suspended, killed, added
 * and restarted, some with another number of shards, while their work keeps writing through the fences. Then all faults end, one replica is
 * killed, and another stops cleanly.
 *
 *     shardHistory(seed) → who wrote which key, and how long a shard had no holder
 */
import { createRandom, isOutcomeUnknown, objectKey, pick, sleep } from "@drover/machinery";
import type { HttpRequest, HttpResponse, ObjectKey, Random } from "@drover/machinery";
import { isFenced } from "../../leader/fenced-error.ts";
import { holderOf } from "../../leader/lease-record.ts";
import { FaultyFleet } from "../../leader/testing/faulty-fleet.ts";
import type { FleetMachine } from "../../leader/testing/faulty-fleet.ts";
import { shardOf } from "../shard-layout.ts";
import type { ShardLayout } from "../shard-layout.ts";
import { shardLeaseName } from "../shard-lease.ts";
import { ShardSet } from "../shard-set.ts";
import type { ShardWorker } from "../shards.ts";
import { ShardServer } from "./shard-server.ts";

/** Counts of what happened. */
export interface ShardHistoryCounts {
  readonly terms: number;
  readonly sent: number;
  readonly fenced: number;
  readonly unknown: number;
  readonly pauses: number;
  readonly kills: number;
  readonly stops: number;
  /** Times at which the keys went to replicas with another number of shards. */
  readonly layoutChanges: number;
}

export interface ShardHistory {
  /** Whether replicas had two layouts. */
  readonly isMixed: boolean;
  /** Violations, one sentence each. */
  readonly violations: readonly string[];
  readonly counts: ShardHistoryCounts;
  /** Time from the end of all faults until every shard had a holder. */
  readonly recoveryMs: number;
  /** Time from the death of a replica until every shard had a holder. */
  readonly failoverMs: number;
  /** Time from stopping a replica until every shard had a holder. */
  readonly handoverMs: number;
}

interface Replica {
  readonly machine: FleetMachine;
  readonly layout: ShardLayout;
  readonly shards: ShardSet;
  readonly stop: AbortController;
}

const dataPath = "/api/v1/namespaces/shop/configmaps/";
const keys: readonly ObjectKey[] = Array.from({ length: 8 }, (_, n) => objectKey(`key-${n}`));
const faultLengths: readonly number[] = [500, 3000, 9000, 12_000, 16_000, 25_000, 40_000];
const replicasMax = 5;

export interface ShardHistoryOptions {
  /** How long there are faults. @default 60 s */
  readonly chaosMs?: number;
}

/** Plays one history. Every other has replicas with two layouts. */
export function shardHistory(seed: number, { chaosMs = 60_000 }: ShardHistoryOptions = {}): Promise<ShardHistory> {
  return new Fleet(createRandom(seed), 2 + (seed % 3), { chaosMs, isMixed: seed % 2 === 0 }).play();
}

class Fleet {
  readonly #random: Random;
  readonly #chaosMs: number;
  readonly #layouts: readonly ShardLayout[];
  readonly #fleet: FaultyFleet;
  readonly #server = new ShardServer();
  readonly #counts = { terms: 0, sent: 0, fenced: 0, unknown: 0, stops: 0, layoutChanges: 0 };
  readonly #replicas: Replica[] = [];
  /** By key: who wrote it last, and everybody before, who must never write it again. */
  readonly #writers = new Map<string, { term: string; layout: string; readonly past: Set<string> }>();

  constructor(random: Random, size: number, { chaosMs, isMixed }: { readonly chaosMs: number; readonly isMixed: boolean }) {
    this.#random = random;
    this.#chaosMs = chaosMs;
    this.#layouts = isMixed
      ? [
          { count: 3, by: "hash" },
          { count: 4, by: "hash" },
        ]
      : [{ count: 4, by: "hash" }];
    this.#fleet = new FaultyFleet({
      random,
      handle: (request) => this.#handle(request),
      onSent: (request) => this.#mayWrite(request, "sent"),
    });
    for (let n = 0; n < size; n++) this.#start();
  }

  async play(): Promise<ShardHistory> {
    for (let passedMs = 0; passedMs < this.#chaosMs;) {
      const stepMs = 100 + this.#random.int(3000);
      this.#trouble();
      await this.#fleet.truth.advance(stepMs);
      passedMs += stepMs;
    }
    this.#fleet.heal();
    while (this.#alive().length < 3) this.#start(this.#alive()[0]?.layout);
    const recoveryMs = await this.#untilHeld(90_000, "after all trouble was over");
    await this.#fleet.truth.advance(30_000);
    this.#mustBeBalanced();
    const [victim] = this.#working();
    this.#fleet.kill(victim?.machine);
    // One that starts just before the leases expire does not know how old they are.
    this.#fleet.truth.timer(12_000, () => this.#start(victim?.layout));
    const failoverMs = await this.#untilHeld(60_000, "after a replica was killed");
    // The new one may first wait for a lease of another layout whose holder is dead.
    await this.#fleet.truth.advance(45_000);
    this.#mustBeBalanced();
    while (this.#working().length < 2) {
      this.#start(this.#working()[0]?.layout);
      await this.#fleet.truth.advance(20_000);
    }
    this.#working()[0]?.stop.abort();
    const handoverMs = await this.#untilHeld(60_000, "after a replica had left");
    // A shard that was lost with a write in progress is left to expire, and may still name its last holder.
    const held = new Set(
      this.#alive().flatMap(({ shards, layout }) => shards.state().held.map((shard) => shardLeaseName("web", shard, layout))),
    );
    for (const { stop } of this.#replicas) stop.abort();
    await this.#fleet.truth.advance(30_000);
    for (const [name, lease] of this.#server.leases)
      if (held.has(name) && holderOf(lease) !== "") this.#fleet.violate(`at the end, ${holderOf(lease)} had not released ${name}`);
    return {
      isMixed: this.#layouts.length > 1,
      violations: this.#fleet.violations,
      counts: { ...this.#fleet.counts, ...this.#counts },
      recoveryMs,
      failoverMs,
      handoverMs,
    };
  }

  #start(layout: ShardLayout = pick(this.#random, this.#layouts)): void {
    const machine = this.#fleet.join();
    const { identity, runtime, client } = machine;
    const shards = new ShardSet({
      runtime,
      client,
      namespace: "shop",
      name: "web",
      identity,
      layout,
      drainMs: () => 10_000,
      mayRelease: () => true,
    });
    shards.add(this.#worker(shards, machine));
    const stop = new AbortController();
    this.#replicas.push({ machine, layout, shards, stop });
    this.#fleet.run(machine, shards.run(stop.signal));
  }

  /** Writes its keys until the shard is given up, ends late, and if the shard was lost, keeps trying to write for a while. */
  #worker(shards: ShardSet, { identity, clock, data, random }: FleetMachine): ShardWorker {
    const terms = new Map<number, number>();
    const write = (shard: number): void => {
      const { wrapper } = shards.fenceOf(shard);
      for (const key of keys.filter((one) => shards.shardOf(one) === shard)) {
        const headers = { who: identity, lease: shardLeaseName("web", shard, shards.layout), term: String(terms.get(shard)) };
        wrapper(data)({ method: "PATCH", path: `${dataPath}${key}`, headers, body: "" }).catch((error: unknown) => {
          if (isOutcomeUnknown(error)) this.#counts.unknown++;
          else if (isFenced(error)) this.#counts.fenced++;
        });
      }
    };
    return {
      acquired: (shard) => {
        terms.set(shard, ++this.#counts.terms);
        void (async () => {
          while (shards.holds(shard)) {
            write(shard);
            await sleep(clock, 500 + random.int(1500));
          }
        })();
      },
      released: async (shard, reason) => {
        for (let left = pick(random, isFenced(reason) ? [0, 3, 12] : [0, 2]); left > 0; left--) {
          write(shard);
          await sleep(clock, random.int(1000));
        }
        return true;
      },
    };
  }

  #handle(request: HttpRequest): HttpResponse {
    if (request.path.startsWith(dataPath)) this.#arrived(request);
    return this.#server.handle(request);
  }

  #arrived(request: HttpRequest): void {
    this.#mayWrite(request, "had arrive");
    const { who = "", lease = "", term = "" } = request.headers as Record<string, string>;
    const now = `${who} in term ${term} of ${lease}`;
    const layout = lease.replace(/.*-of-/, "");
    const last = this.#writers.get(request.path);
    if (last?.past.has(now) === true) this.#fleet.violate(`${now} wrote ${request.path} again, after ${last.term}`);
    if (last === undefined) this.#writers.set(request.path, { term: now, layout, past: new Set() });
    else if (last.term !== now) {
      if (last.layout !== layout) this.#counts.layoutChanges++;
      last.past.add(last.term);
      last.term = now;
      last.layout = layout;
    }
  }

  /** The server's leases must show the writer as holder. */
  #mayWrite({ path, headers }: HttpRequest, what: string): void {
    if (!path.startsWith(dataPath)) return;
    this.#counts.sent++;
    const { who = "", lease = "" } = headers as Record<string, string>;
    const holder = holderOf(this.#server.leases.get(lease));
    if (holder !== who) this.#fleet.violate(`${who} ${what} a write while ${holder === "" ? "nobody" : holder} held ${lease}`);
  }

  /** Starts one fault, or ends or starts a replica. */
  #trouble(): void {
    const { machine, stop } = pick(this.#random, this.#replicas);
    const forMs = pick(this.#random, faultLengths);
    switch (this.#random.int(8)) {
      case 0:
      case 1:
        return this.#fleet.pause(machine, forMs);
      case 2:
        return this.#fleet.disturb(machine, "cut", forMs);
      case 3:
        return this.#fleet.disturb(machine, "lose", forMs);
      case 4:
        return this.#fleet.disturb(machine, "slow", forMs);
      case 5:
        if (this.#alive().length < replicasMax) this.#start();
        return;
      case 6:
        if (this.#random.int(2) === 0) return this.#fleet.kill(machine);
        this.#counts.stops++;
        return stop.abort();
      default:
        this.#fleet.setWall(machine);
    }
  }

  #alive(): readonly Replica[] {
    return this.#replicas.filter(({ machine, stop }) => machine.isAlive && !stop.signal.aborted);
  }

  /** Replicas that hold a shard. */
  #working(): readonly Replica[] {
    return this.#alive().filter(({ shards }) => shards.state().held.length > 0);
  }

  #mustBeBalanced(): void {
    const { layout } = this.#working()[0] ?? {};
    const loads = this.#alive()
      .filter((replica) => replica.layout === layout)
      .map(({ shards }) => shards.state().held.length);
    if (Math.max(...loads) - Math.min(...loads) > 1) this.#fleet.violate(`replicas held ${loads.join(", ")} shards`);
  }

  /** Returns the time until every key has one holder. */
  #untilHeld(limitMs: number, when: string): Promise<number> {
    const free = (): readonly ObjectKey[] =>
      keys.filter((key) => !this.#alive().some(({ shards, layout }) => shards.holds(shardOf(key, layout))));
    const violation = (): string => `${free().join(", ")} had no holder ${limitMs} ms ${when}`;
    return this.#fleet.until(limitMs, violation, () => free().length === 0);
  }
}
