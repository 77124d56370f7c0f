/**
 * One random history of an operator with shards by label, from a seed: objects are created and deleted and get other labels, while caches
 * of replicas lag, list again and stand still, and machines and network fail as in `shard-history.ts`. Then all faults end.
 *
 *     labelHistory(seed) → which replica wrote which key, and how long a key had none
 */
import type { FollowedStore, InformerView, ObjectVersion, StoreFollower } from "@drover/cache";
import { createRandom, isOutcomeUnknown, objectKey, pick, sleep } from "@drover/machinery";
import type { HttpRequest, HttpResponse, KubeObject, ObjectKey, Random } from "@drover/machinery";
import { isFenced } from "../../leader/fenced-error.ts";
import { FaultyFleet } from "../../leader/testing/faulty-fleet.ts";
import type { FleetMachine } from "../../leader/testing/faulty-fleet.ts";
import { ShardGate } from "../../reconcile/shard-gate.ts";
import type { ShardRun } from "../../reconcile/shard-run.ts";
import { ShardSet } from "../shard-set.ts";
import { ShardServer } from "./shard-server.ts";

/** Counts of what happened. */
export interface LabelHistoryCounts {
  readonly runs: number;
  readonly writes: number;
  readonly fenced: number;
  readonly unknown: number;
  /** Changes of a label, creations and deletions. */
  readonly moves: number;
  /** Times at which another replica wrote a key than the one before. */
  readonly handovers: number;
  readonly pauses: number;
  readonly kills: number;
}

export interface LabelHistory {
  /** Violations, one sentence each. */
  readonly violations: readonly string[];
  readonly counts: LabelHistoryCounts;
  /** Time from the end of all faults until every key had been run by a replica that owns it. */
  readonly recoveryMs: number;
}

/** One version of one key, as the server tells caches. */
interface Event {
  readonly version: number;
  readonly key: ObjectKey;
  readonly tenant: string | undefined;
  readonly exists: boolean;
}

const label = "example.com/tenant";
const layout = { count: 3, by: { label } } as const;
const dataPath = "/api/v1/namespaces/shop/configmaps/";
const keys: readonly ObjectKey[] = Array.from({ length: 4 }, (_, n) => objectKey(`key-${n}`));
const tenants: readonly string[] = ["a", "b", "c", "d"];
const faultLengths: readonly number[] = [500, 3000, 9000, 16_000, 25_000, 40_000];
const replicasMax = 4;

/** Plays one history. */
export function labelHistory(seed: number, { chaosMs = 60_000 }: { readonly chaosMs?: number } = {}): Promise<LabelHistory> {
  return new LabelFleet(createRandom(seed), 2 + (seed % 2)).play(chaosMs);
}

class LabelFleet {
  readonly #random: Random;
  readonly #fleet: FaultyFleet;
  readonly #server = new ShardServer();
  readonly #events: Event[] = [];
  readonly #counts = { runs: 0, writes: 0, fenced: 0, unknown: 0, moves: 0, handovers: 0 };
  readonly #replicas: LabelReplica[] = [];
  /** By key: who wrote it last, in which runs, and the runs of everybody before, which must never write again. */
  readonly #writers = new Map<string, { who: string; runs: Set<string>; readonly past: Set<string> }>();
  /** When a run of the key started last, and the version of its cache. */
  readonly #ran = new Map<ObjectKey, number>();

  constructor(random: Random, size: number) {
    this.#random = random;
    this.#fleet = new FaultyFleet({ random, handle: (request) => this.#handle(request), onSent: () => undefined });
    for (const key of keys) this.#move(key);
    for (let n = 0; n < size; n++) this.#start();
  }

  async play(chaosMs: number): Promise<LabelHistory> {
    for (let passedMs = 0; passedMs < chaosMs;) {
      const stepMs = 100 + this.#random.int(1500);
      this.#move(pick(this.#random, keys));
      if (this.#random.int(3) === 0) this.#trouble();
      await this.#fleet.truth.advance(stepMs);
      passedMs += stepMs;
    }
    this.#fleet.heal();
    for (const { cache } of this.#replicas) cache.stallUntilMs = 0;
    while (this.#alive().length < 2) this.#start();
    const version = this.#server.version;
    for (const key of keys) this.#move(key);
    const missing = (): readonly ObjectKey[] => keys.filter((key) => (this.#ran.get(key) ?? 0) <= version);
    const recoveryMs = await this.#fleet.until(
      120_000,
      () => `${missing().join(", ")} had no run 120 s after all trouble was over`,
      () => missing().length === 0,
    );
    for (const { stop } of this.#replicas) stop.abort();
    await this.#fleet.truth.advance(40_000);
    return { violations: this.#fleet.violations, counts: { ...this.#fleet.counts, ...this.#counts }, recoveryMs };
  }

  /** Changes the label of a key, deletes it or creates it. */
  #move(key: ObjectKey): void {
    this.#counts.moves++;
    const exists = this.#random.int(6) > 0;
    const tenant = exists && this.#random.int(5) > 0 ? pick(this.#random, tenants) : undefined;
    this.#events.push({ version: this.#server.nextVersion(), key, tenant, exists });
  }

  #start(): void {
    const machine = this.#fleet.join();
    const replica = new LabelReplica(machine, {
      events: this.#events,
      revision: () => this.#server.version,
      truthMs: () => this.#fleet.truth.monotonic(),
      ran: (key, version) => {
        this.#counts.runs++;
        this.#ran.set(key, Math.max(version, this.#ran.get(key) ?? 0));
      },
      failed: (error) => {
        if (isOutcomeUnknown(error)) this.#counts.unknown++;
        else if (isFenced(error)) this.#counts.fenced++;
      },
    });
    this.#replicas.push(replica);
    this.#fleet.run(machine, replica.run());
  }

  #handle(request: HttpRequest): HttpResponse {
    if (request.path.startsWith(dataPath)) this.#arrived(request);
    return this.#server.handle(request);
  }

  #arrived({ path, headers }: HttpRequest): void {
    const { who = "", run = "" } = headers as Record<string, string>;
    this.#counts.writes++;
    const last = this.#writers.get(path) ?? { who, runs: new Set<string>(), past: new Set<string>() };
    this.#writers.set(path, last);
    if (last.past.has(run)) this.#fleet.violate(`${run} of ${who} wrote ${path} after ${[...last.runs].join(", ")} of ${last.who}`);
    if (last.who !== who) {
      this.#counts.handovers++;
      for (const old of last.runs) last.past.add(old);
      last.runs = new Set();
      last.who = who;
    }
    last.runs.add(run);
  }

  #trouble(): void {
    const { machine, stop, cache } = pick(this.#random, this.#replicas);
    const forMs = pick(this.#random, faultLengths);
    switch (this.#random.int(9)) {
      case 0:
      case 1:
        return this.#fleet.pause(machine, forMs);
      case 2:
        return this.#fleet.disturb(machine, pick(this.#random, ["cut", "lose", "slow"] as const), forMs);
      case 3:
      case 4:
        cache.stallUntilMs = this.#fleet.truth.monotonic() + forMs;
        return;
      case 5:
        return cache.relist();
      case 6:
        if (this.#alive().length < replicasMax) this.#start();
        return;
      case 7:
        if (this.#random.int(2) === 0) return this.#fleet.kill(machine);
        return stop.abort();
      default:
        this.#fleet.setWall(machine);
    }
  }

  #alive(): readonly LabelReplica[] {
    return this.#replicas.filter(({ machine, stop }) => machine.isAlive && !stop.signal.aborted);
  }
}

interface LabelReplicaOptions {
  readonly events: readonly Event[];
  readonly revision: () => number;
  readonly truthMs: () => number;
  readonly ran: (key: ObjectKey, version: number) => void;
  readonly failed: (error: unknown) => void;
}

/** A program: shards, a gate, a cache, and runs that write for a while. */
class LabelReplica {
  readonly machine: FleetMachine;
  readonly stop: AbortController = new AbortController();
  readonly cache: LaggingCache;
  readonly #options: LabelReplicaOptions;
  readonly #shards: ShardSet;
  readonly #gate: ShardGate;
  readonly #active = new Set<ShardRun>();
  readonly #due = new Set<ObjectKey>();
  #runs = 0;
  #isReady = false;

  constructor(machine: FleetMachine, options: LabelReplicaOptions) {
    const { runtime, client, clock } = machine;
    this.machine = machine;
    this.#options = options;
    this.cache = new LaggingCache(options, (key) => {
      if (this.#isReady && this.#gate.admits(key)) this.#due.add(key);
    });
    this.#shards = new ShardSet({
      runtime,
      client,
      namespace: "shop",
      name: "web",
      identity: machine.identity,
      layout,
      drainMs: () => 10_000,
      mayRelease: () => true,
    });
    this.#gate = new ShardGate({
      controller: "web",
      shards: this.#shards,
      clock,
      drainMs: 3000,
      abortMs: 1000,
      active: () => this.#active,
      request: (key) => void this.#due.add(key),
      replay: (request) => {
        for (const key of keys) request(key, { cause: { type: "timer", source: "x" } });
        return Promise.resolve();
      },
      resume: (key) => void this.#due.add(key),
    });
    this.#isReady = true;
    this.#gate.follow({ kind: "ConfigMap", informer: this.cache as unknown as InformerView<KubeObject>, isTransformed: false });
  }

  async run(): Promise<void> {
    const { signal } = this.stop;
    const { clock, random } = this.machine;
    void this.#loop(signal, async () => {
      this.cache.pump(this.#options.truthMs());
      await sleep(clock, 20 + random.int(300), { signal });
    });
    void this.#loop(signal, async () => {
      for (const key of this.#due) this.#begin(key);
      await sleep(clock, 20 + random.int(300), { signal });
    });
    await this.#shards.run(signal);
  }

  async #loop(signal: AbortSignal, turn: () => Promise<void>): Promise<void> {
    while (!signal.aborted) await turn().catch(() => undefined);
  }

  #begin(key: ObjectKey): void {
    if ([...this.#active].some((run) => run.key === key)) return;
    const verdict = this.#gate.mayStart(key);
    if (verdict !== "later") this.#due.delete(key);
    if (verdict === "now") void this.#reconcile(key);
  }

  async #reconcile(key: ObjectKey): Promise<void> {
    const { clock, random, data, identity } = this.machine;
    const over = new AbortController();
    const life = { isOver: false };
    const end = (): void => {
      life.isOver = true;
      this.#active.delete(run);
      this.#gate.runEnded(key);
    };
    // Some runs ignore the request to end, and write until they are abandoned.
    const isStubborn = random.int(4) === 0;
    const run: ShardRun = {
      key,
      drain: (reason) => {
        if (!isStubborn) over.abort(reason);
      },
      abort: (reason) => over.abort(reason),
      abandon: () => end(),
    };
    this.#gate.began(run);
    this.#active.add(run);
    this.#options.ran(key, this.cache.known);
    const name = `run ${++this.#runs} of ${identity}`;
    const { wrapper } = this.#gate.fenceOf(run);
    for (let left = 1 + random.int(4); left > 0 && !life.isOver && !over.signal.aborted; left--) {
      const sent = wrapper(data)({ method: "PATCH", path: `${dataPath}${key}`, headers: { who: identity, run: name }, body: "" }).catch(
        this.#options.failed,
      );
      // Some runs do not wait for the answer, and end with a write on its way.
      if (random.int(3) > 0) await sent;
      if (left > 1) await sleep(clock, random.int(1500), { signal: over.signal }).catch(() => undefined);
    }
    if (!life.isOver) end();
  }
}

/** What `LabelKeys` reads of an informer, with events that arrive late. */
class LaggingCache {
  readonly hasSynced = true;
  readonly origin: object = this;
  stallUntilMs = 0;
  readonly #options: LabelReplicaOptions;
  readonly #changed: (key: ObjectKey) => void;
  readonly #stored = new Map<ObjectKey, ObjectVersion>();
  #followers: readonly StoreFollower[] = [];
  #cursor = 0;
  #known = 0;
  #hasBookmark = false;
  #turns = 0;

  constructor(options: LabelReplicaOptions, changed: (key: ObjectKey) => void) {
    this.#options = options;
    this.#changed = changed;
    this.relist();
  }

  get known(): number {
    return this.#known;
  }

  keys(): ObjectKey[] {
    return [...this.#stored.keys()];
  }

  getVersion(key: ObjectKey): ObjectVersion | undefined {
    return this.#stored.get(key);
  }

  follow(follower: StoreFollower): FollowedStore {
    this.#followers = [...this.#followers, follower];
    const known = (): string => String(this.#known);
    return {
      get resourceVersion() {
        return known();
      },
      end: () => undefined,
    };
  }

  /** Takes the next events, or a bookmark. @param truthMs - the time, for a watch that stands still */
  pump(truthMs: number): void {
    if (truthMs < this.stallUntilMs) return;
    this.#hasBookmark = ++this.#turns % 50 === 0;
    const { events, revision } = this.#options;
    for (const event of events.slice(this.#cursor, this.#cursor + 2)) {
      const { key, version } = event;
      const before = this.#stored.get(key);
      this.#cursor++;
      this.#store(event);
      const after = this.#stored.get(key);
      if (before === undefined && after === undefined) continue;
      for (const follower of this.#followers) follower.stored({ key, before, after, resourceVersion: String(version) });
      this.#known = Math.max(this.#known, version);
      this.#changed(key);
    }
    if (this.#cursor === events.length && this.#hasBookmark) this.#known = revision();
  }

  /** The watch could not be resumed: everything at once. */
  relist(): void {
    const { events, revision } = this.#options;
    const changed = new Set(events.slice(this.#cursor).map(({ key }) => key));
    for (const event of events.slice(this.#cursor)) this.#store(event);
    this.#cursor = events.length;
    this.#known = Math.max(this.#known, revision());
    for (const follower of this.#followers) follower.replaced([...changed], String(this.#known));
    for (const key of changed) this.#changed(key);
  }

  #store({ key, tenant, version, exists }: Event): void {
    if (!exists) return void this.#stored.delete(key);
    const labels = tenant === undefined ? {} : { [label]: tenant };
    const stored: ObjectVersion = {
      key,
      uid: "",
      resourceVersion: String(version),
      isTerminating: false,
      labels,
      isParsed: true,
      object: { metadata: { name: key, labels } },
    };
    this.#stored.set(key, stored);
  }
}
