/**
 * One random history of a sharded operator, from a seed: replicas with wrong clocks on a faulty network, stopped, suspended, killed, added
 * and restarted, some with another number of shards, while their work keeps writing through the fences. Then all faults end, one replica is
 * killed, and another stops cleanly.
 *
 *     shardHistory(seed) → who wrote which key, and how long a shard had no holder
 */
import { createClient } from "@drover/client";
import { createLog, createMetrics, createRandom, isOutcomeUnknown, objectKey, pick, sleep } from "@drover/machinery";
import type { HttpRequest, HttpResponse, ObjectKey, Random, Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { isFenced } from "../../leader/fenced-error.ts";
import { holderOf } from "../../leader/lease-record.ts";
import { electionNetwork } from "../../leader/testing/election-network.ts";
import type { Weather } from "../../leader/testing/election-network.ts";
import { MachineClock } from "../../leader/testing/machine-clock.ts";
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
  readonly identity: string;
  readonly layout: ShardLayout;
  readonly machine: MachineClock;
  readonly shards: ShardSet;
  readonly weather: Weather;
  readonly stop: AbortController;
  isAlive: boolean;
}

const dataPath = "/api/v1/namespaces/shop/configmaps/";
const keys: readonly ObjectKey[] = Array.from({ length: 8 }, (_, n) => objectKey(`key-${n}`));
const faultLengths: readonly number[] = [500, 3000, 9000, 12_000, 16_000, 25_000, 40_000];
/** With these rates a holder stops 4.5 s before another may follow; by then its last request has arrived. */
const dataDelayMaxMs = 1500;
const rates: readonly number[] = [0.98, 0.99, 1, 1.01, 1.02];
const clear: Readonly<Weather> = { cut: "none", answersLost: 0, delayMaxMs: 50 };
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
  readonly #truth = new ManualClock({ quietTurns: 24 });
  readonly #server = new ShardServer();
  readonly #violations: string[] = [];
  readonly #counts = { terms: 0, sent: 0, fenced: 0, unknown: 0, pauses: 0, kills: 0, stops: 0, layoutChanges: 0 };
  readonly #replicas: Replica[] = [];
  /** A wall clock that is set back while its machine sleeps hides the sleep: no history has both. */
  readonly #hasSuspends: boolean;
  /** By key: who wrote it last, and everybody before, who must never write it again. */
  readonly #writers = new Map<string, { term: string; layout: string; readonly past: Set<string> }>();
  #started = 0;

  constructor(random: Random, size: number, { chaosMs, isMixed }: { readonly chaosMs: number; readonly isMixed: boolean }) {
    this.#random = random;
    this.#chaosMs = chaosMs;
    this.#layouts = isMixed
      ? [
          { count: 3, by: "hash" },
          { count: 4, by: "hash" },
        ]
      : [{ count: 4, by: "hash" }];
    this.#hasSuspends = random.int(2) === 0;
    for (let n = 0; n < size; n++) this.#start();
  }

  async play(): Promise<ShardHistory> {
    for (let passedMs = 0; passedMs < this.#chaosMs;) {
      const stepMs = 100 + this.#random.int(3000);
      this.#trouble();
      await this.#truth.advance(stepMs);
      passedMs += stepMs;
    }
    this.#heal();
    while (this.#alive().length < 3) this.#start(this.#alive()[0]?.layout);
    const recoveryMs = await this.#untilHeld(90_000, "after all trouble was over");
    await this.#truth.advance(30_000);
    this.#mustBeBalanced();
    const [victim] = this.#working();
    this.#kill(victim);
    // One that starts just before the leases expire does not know how old they are.
    this.#truth.timer(12_000, () => this.#start(victim?.layout));
    const failoverMs = await this.#untilHeld(60_000, "after a replica was killed");
    // The new one may first wait for a lease of another layout whose holder is dead.
    await this.#truth.advance(45_000);
    this.#mustBeBalanced();
    while (this.#working().length < 2) {
      this.#start(this.#working()[0]?.layout);
      await this.#truth.advance(20_000);
    }
    this.#working()[0]?.stop.abort();
    const handoverMs = await this.#untilHeld(60_000, "after a replica had left");
    // A shard that was lost with a write in progress is left to expire, and may still name its last holder.
    const held = new Set(
      this.#alive().flatMap(({ shards, layout }) => shards.state().held.map((shard) => shardLeaseName("web", shard, layout))),
    );
    for (const { stop } of this.#replicas) stop.abort();
    await this.#truth.advance(30_000);
    for (const [name, lease] of this.#server.leases)
      if (held.has(name) && holderOf(lease) !== "") this.#violate(`at the end, ${holderOf(lease)} had not released ${name}`);
    return {
      isMixed: this.#layouts.length > 1,
      violations: this.#violations,
      counts: { ...this.#counts },
      recoveryMs,
      failoverMs,
      handoverMs,
    };
  }

  #start(layout: ShardLayout = pick(this.#random, this.#layouts)): void {
    const random = this.#random.stream(`replica ${this.#started}`);
    const identity = `replica-${this.#started++}`;
    const machine = new MachineClock(this.#truth, {
      rate: pick(random, rates),
      monotonicMs: random.int(1_000_000),
      wallAheadMs: random.int(7_200_000) - 3_600_000,
    });
    const weather: Weather = { ...clear };
    const network = (stream: string, seen: Weather): Transport =>
      electionNetwork({
        truth: this.#truth,
        machine,
        random: random.stream(stream),
        weather: seen,
        handle: (request) => this.#handle(request),
        onSent: (request) => this.#mayWrite(request, "sent"),
      });
    const log = createLog({ clock: machine, write: () => undefined, level: "error" });
    const shards = new ShardSet({
      runtime: { clock: machine, random: random.stream("jitter"), log, metrics: createMetrics() },
      client: createClient({ transport: network("lease", weather), clock: machine, log, namespace: "shop" }),
      namespace: "shop",
      name: "web",
      identity,
      layout,
      drainMs: () => 10_000,
      mayRelease: () => true,
    });
    const data = network("data", { ...clear, delayMaxMs: dataDelayMaxMs });
    shards.add(this.#worker(shards, { identity, machine, data, random }));
    const replica: Replica = { identity, layout, machine, shards, weather, stop: new AbortController(), isAlive: true };
    this.#replicas.push(replica);
    void shards.run(replica.stop.signal).then(
      () => (replica.isAlive = false),
      (error: unknown) => this.#violations.push(`${identity} failed: ${String(error)}`),
    );
  }

  /** Writes its keys until the shard is given up, ends late, and if the shard was lost, keeps trying to write for a while. */
  #worker(
    shards: ShardSet,
    {
      identity,
      machine,
      data,
      random,
    }: { readonly identity: string; readonly machine: MachineClock; readonly data: Transport; readonly random: Random },
  ): ShardWorker {
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
            await sleep(machine, 500 + random.int(1500));
          }
        })();
      },
      released: async (shard, reason) => {
        for (let left = pick(random, isFenced(reason) ? [0, 3, 12] : [0, 2]); left > 0; left--) {
          write(shard);
          await sleep(machine, random.int(1000));
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
    if (last?.past.has(now) === true) this.#violate(`${now} wrote ${request.path} again, after ${last.term}`);
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
    if (holder !== who) this.#violate(`${who} ${what} a write while ${holder === "" ? "nobody" : holder} held ${lease}`);
  }

  #violate(sentence: string): void {
    this.#violations.push(`${this.#truth.monotonic()} ms: ${sentence}`);
  }

  /** Starts one fault, or ends or starts a replica. */
  #trouble(): void {
    const replica = pick(this.#random, this.#replicas);
    const { machine, weather } = replica;
    const forMs = pick(this.#random, faultLengths);
    switch (this.#random.int(8)) {
      case 0:
      case 1:
        return this.#pause(machine, forMs);
      case 2:
        weather.cut = pick(this.#random, ["all", "reads", "writes"] as const);
        return void this.#truth.timer(forMs, () => (weather.cut = "none"));
      case 3:
        weather.answersLost = pick(this.#random, [0.3, 0.7, 1]);
        return void this.#truth.timer(forMs, () => (weather.answersLost = 0));
      case 4:
        weather.delayMaxMs = pick(this.#random, [1000, 4000, 12_000]);
        return void this.#truth.timer(forMs, () => (weather.delayMaxMs = clear.delayMaxMs));
      case 5:
        if (this.#alive().length < replicasMax) this.#start();
        return;
      case 6:
        if (this.#random.int(2) === 0) return this.#kill(replica);
        this.#counts.stops++;
        return replica.stop.abort();
      default:
        if (!this.#hasSuspends) machine.setWall(this.#random.int(7_200_000) - 3_600_000);
    }
  }

  #pause(machine: MachineClock, forMs: number): void {
    if (machine.isPaused) return;
    this.#counts.pauses++;
    machine.pause(this.#hasSuspends && this.#random.int(2) === 0 ? "suspended" : "stopped");
    this.#truth.timer(forMs, () => machine.resume());
  }

  #kill(replica: Replica | undefined): void {
    if (replica === undefined) return;
    this.#counts.kills++;
    replica.isAlive = false;
    replica.machine.kill();
  }

  #heal(): void {
    for (const { machine, weather } of this.#replicas) {
      machine.resume();
      Object.assign(weather, clear);
    }
  }

  #alive(): readonly Replica[] {
    return this.#replicas.filter(({ isAlive, stop }) => isAlive && !stop.signal.aborted);
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
    if (Math.max(...loads) - Math.min(...loads) > 1) this.#violate(`replicas held ${loads.join(", ")} shards`);
  }

  /** Returns the time until every key has one holder. */
  async #untilHeld(limitMs: number, when: string): Promise<number> {
    const begunMs = this.#truth.monotonic();
    for (;;) {
      const free = keys.filter((key) => !this.#alive().some(({ shards, layout }) => shards.holds(shardOf(key, layout))));
      const passedMs = this.#truth.monotonic() - begunMs;
      if (free.length === 0) return passedMs;
      if (passedMs > limitMs) {
        this.#violate(`${free.join(", ")} had no holder ${limitMs} ms ${when}`);
        return passedMs;
      }
      await this.#truth.advance(100);
    }
  }
}
