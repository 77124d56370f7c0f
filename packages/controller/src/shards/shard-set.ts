/**
 * Holds this replica's part of the shards: lists the leases, announces the replica, and acquires, drains and releases shards.
 *
 *     list → shards-state (who is alive) → shard-moves (what is ours) → one LeaderElector for each shard → ShardWorker
 *
 * Safety rests on the leases alone: work on a shard runs only in a term of its lease, and ends before the lease is released. The assignment
 * only decides which leases a replica competes for; replicas that disagree about it for a while wait for each other.
 */
import { Lease } from "@drover/api/coordination/v1";
import type { Client } from "@drover/client";
import { abortable, assert, deadline, errorText, guardRuntime, isConflict, isNotFound, sleep } from "@drover/machinery";
import type { DeepReadonly, Log, ObjectKey, Runtime } from "@drover/machinery";
import type { Fence, FenceMirror } from "../leader/fence.ts";
import { isFencedError } from "../leader/fenced-error.ts";
import type { FenceToken } from "../leader/fence-term.ts";
import type { LeaderElectorOptions } from "../leader/leader-elector.ts";
import { leaseTiming, requestTimeoutMs } from "../leader/lease-timing.ts";
import type { LeaseTiming, LeaseTimingOptions } from "../leader/lease-timing.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import { SeenBoard } from "./seen-board.ts";
import type { SentList } from "./seen-board.ts";
import { labelOf, printLayout, shardOf } from "./shard-layout.ts";
import type { ShardLayout } from "./shard-layout.ts";
import { checkShardsName, memberLeaseName, shardLabels, shardLeaseName, shardsLabel } from "./shard-lease.ts";
import type { ShardLeaseRole } from "./shard-lease.ts";
import { shardMoves, takeFromMs } from "./shard-moves.ts";
import type { SlotView } from "./shard-moves.ts";
import { shardMetrics } from "./shard-metrics.ts";
import type { ShardMetrics } from "./shard-metrics.ts";
import { ShardSlot } from "./shard-slot.ts";
import type { ShardSlotOptions } from "./shard-slot.ts";
import type { SeenExchange, Shards, ShardsView, ShardWorker } from "./shards.ts";
import { announcement, planShards, sawLeases } from "./shards-state.ts";
import type { ShardPlan, ShardsRules, ShardsState } from "./shards-state.ts";

export interface ShardSetOptions extends LeaseTimingOptions, Pick<LeaderElectorOptions, "identity" | "afterMissingLease" | "labels"> {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Client for the leases; see `LeaderElectorOptions.client`. */
  readonly client: Client;
  readonly namespace: string;
  /** Name of the operator. */
  readonly name: string;
  readonly layout: ShardLayout;
  /** How long a shard may take to end its work and writes before its lease is given up. Read when that starts. */
  readonly drainMs: () => number;
  /** Whether leases are released rather than left to expire when `run` ends. Read then. */
  readonly mayRelease: () => boolean;
  /** Returns what learns about the lease of a shard. @default none */
  readonly mirrorOf?: ((shard: number) => FenceMirror) | undefined;
}

/** A replica that has not renewed for as many periods gets no more shards. */
const missedRenewals = 3;
/** The work under a member lease ends at once. */
const memberDrainMs = 1000;
/** Deletions of leases per sweep. */
const deletionsMax = 10;

/**
 * Guarantees: a worker has a shard only in a term of its lease, and never in two terms at once. `run` never rejects because of the server.
 * A shard whose holder is gone is acquired by another replica once its lease has expired, at the next sweep, half a retry period later at
 * most.
 */
export class ShardSet implements Shards {
  readonly layout: ShardLayout;
  readonly #options: ShardSetOptions;
  readonly #timing: LeaseTiming;
  readonly #rules: ShardsRules;
  readonly #log: Log;
  readonly #metrics: ShardMetrics;
  readonly #slots: readonly ShardSlot[];
  readonly #member: ShardSlot;
  /** With shards by label. */
  readonly #board: SeenBoard | undefined;
  readonly #workers = new Set<ShardWorker>();
  /** Shards whose work may start. */
  readonly #open = new Set<number>();
  /** When a shard was lost last, by shard. */
  readonly #lostMs = new Map<number, number>();
  #state: ShardsState = new Map();
  #plan: ShardPlan = { members: [], strangers: [], holders: new Map(), garbage: [], nextMs: Infinity };
  #wanted: ReadonlySet<number> = new Set();
  /** The term of our member lease in which a list has shown no other layout. */
  #permit: FenceToken | undefined;
  #hasListed = false;
  #isFrozen = false;
  #isRunning = false;
  #isWoken = false;
  #wake: () => void = () => undefined;
  /** The last failure by verb. */
  readonly #problems = new Map<string, string>();
  #reportedBlock = "";

  /** Throws a `RangeError` for inconsistent durations and invalid names. */
  constructor(options: ShardSetOptions) {
    const { name, layout, identity, runtime } = options;
    checkShardsName(name);
    this.layout = layout;
    this.#options = options;
    this.#timing = leaseTiming(options);
    const member = memberLeaseName(name, identity);
    this.#rules = {
      layout: printLayout(layout),
      leaseDurationMs: this.#timing.leaseDurationMs,
      freshMs: missedRenewals * this.#timing.retryPeriodMs,
      member,
    };
    const { log, metrics } = guardRuntime(runtime);
    this.#log = log.with({ shards: name, identity });
    this.#metrics = shardMetrics(metrics, name);
    this.#board = this.#boardOf(options);
    this.#member = this.#slot(member, "member", {
      work: async (signal) => {
        await untilAborted(signal);
        return true;
      },
      drainMs: () => memberDrainMs,
      mayRelease: () => true,
    });
    this.#slots = Array.from({ length: layout.count }, (_, shard) => this.#slotOf(shard));
  }

  add(worker: ShardWorker): void {
    this.#workers.add(worker);
  }

  remove(worker: ShardWorker): void {
    this.#workers.delete(worker);
  }

  shardOf(key: ObjectKey, value?: string): number {
    return shardOf(key, this.layout, value);
  }

  get seen(): SeenExchange | undefined {
    return this.#board;
  }

  holds(shard: number): boolean {
    return this.#open.has(shard);
  }

  fenceOf(shard: number): Fence {
    const slot = this.#slots[shard];
    if (slot === undefined) throw new RangeError(`there is no shard ${shard}: this program has ${this.layout.count} shards`);
    return slot.elector.fence;
  }

  state(): ShardsView {
    const [stranger] = this.#plan.strangers;
    return {
      layout: this.#rules.layout,
      held: [...this.#open].toSorted((one, other) => one - other),
      wanted: [...this.#wanted],
      members: this.#plan.members,
      ...(stranger === undefined ? {} : { blockedBy: stranger.name }),
    };
  }

  /** Whether the leases have been listed: before that, this replica knows nothing about the others. */
  get hasListed(): boolean {
    return this.#hasListed;
  }

  /** Returns the problem for a health check; see `LeaderElector.check`. */
  check(toleranceMs: number): Error | undefined {
    for (const { elector } of this.#slots) {
      const problem = elector.check(toleranceMs);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** From now on acquires and gives up no shard: the program is stopping, and `run` ends when its work has. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /**
   * Holds shards until the signal aborts, then drains and releases them and resolves. With shards by label, rejects if the server was
   * restored from a backup.
   */
  async run(signal: AbortSignal): Promise<void> {
    assert(!this.#isRunning, `the shards of ${this.#options.name} are already running`);
    this.#isRunning = true;
    try {
      while (!signal.aborted) {
        await this.#sweep(signal);
        if (this.#board?.problem !== undefined) throw this.#board.problem;
        if (!signal.aborted) await this.#pause(signal);
      }
    } finally {
      // Our member lease first: the others may take each shard as soon as it is released.
      await Promise.all([this.#member, ...this.#slots].map((slot) => slot.stop(signal.reason)));
      this.#wanted = new Set();
      this.#isRunning = false;
    }
  }

  #boardOf({ runtime, client, namespace, name, identity, layout, labels = {} }: ShardSetOptions): SeenBoard | undefined {
    const label = labelOf(layout);
    if (label === undefined) return undefined;
    const { leaseDurationMs } = this.#timing;
    const wake = (): void => this.#wakeUp();
    return new SeenBoard({ label, leaseDurationMs, wake, client, clock: runtime.clock, namespace, name, identity, layout, labels });
  }

  #slotOf(shard: number): ShardSlot {
    const { name, drainMs, mayRelease, mirrorOf } = this.#options;
    return this.#slot(
      shardLeaseName(name, shard, this.layout),
      "shard",
      {
        work: (signal) => this.#hold(shard, signal),
        drainMs,
        mayRelease,
      },
      mirrorOf?.(shard),
    );
  }

  #slot(
    lease: string,
    role: ShardLeaseRole,
    how: Pick<ShardSlotOptions, "work" | "drainMs" | "mayRelease">,
    mirror?: FenceMirror,
  ): ShardSlot {
    const { runtime, client, namespace, name, identity, labels, afterMissingLease } = this.#options;
    return new ShardSlot({
      ...how,
      log: this.#log,
      onChange: () => this.#wakeUp(),
      elector: {
        ...this.#timing,
        ...(afterMissingLease === undefined || role === "member" ? {} : { afterMissingLease }),
        runtime,
        client,
        mirror,
        lease: { namespace, name: lease },
        identity,
        labels: { ...labels, ...shardLabels(name, this.layout, role) },
      },
    });
  }

  /** Works on a shard for one term. */
  async #hold(shard: number, signal: AbortSignal): Promise<boolean> {
    // While our member lease has been held without a gap since the list, no replica of another layout can have started.
    if (!this.#isPermitted()) {
      void this.#slots[shard]?.stop(undefined);
      return true;
    }
    this.#open.add(shard);
    this.#metrics.acquired.add();
    this.#metrics.held.set(this.#open.size);
    this.#log.info("shard acquired", { shard });
    for (const worker of this.#workers) worker.acquired(shard);
    await untilAborted(signal);
    this.#open.delete(shard);
    this.#metrics.held.set(this.#open.size);
    this.#metrics[isFencedError(signal.reason) ? "lost" : "released"].add();
    if (isFencedError(signal.reason)) this.#lostMs.set(shard, this.#options.runtime.clock.monotonic());
    const ended = await Promise.all(Array.from(this.#workers, (worker) => worker.released(shard, signal.reason)));
    if (isFencedError(signal.reason)) this.#log.warn("shard lost", { shard, reason: signal.reason });
    else this.#log.info("shard given up", { shard, reason: signal.reason });
    return ended.every((isEnded) => isEnded);
  }

  #isPermitted(): boolean {
    return this.#permit !== undefined && this.#permit === this.#member.elector.fence.token;
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    // Read before the list is sent: the permit needs a list that is newer than our own announcement.
    const { token } = this.#member.elector.fence;
    const board = this.#board;
    if (board !== undefined) await this.#request("publish", signal, (within) => board.publish(within));
    const sent = board?.sending();
    const list = await this.#list(signal);
    if (signal.aborted) return;
    // A replica that stops goes on with what has moved, so that others need not wait for it.
    if (list !== undefined && sent !== undefined) this.#sawSeen(list, sent);
    if (this.#isFrozen) return;
    if (list !== undefined) this.#saw(list.items, token);
    this.#rebalance();
    if (list !== undefined) await this.#deleteGarbage(signal);
  }

  #sawSeen({ items, metadata }: LeaseItems, sent: SentList): void {
    const atMs = this.#options.runtime.clock.monotonic();
    this.#state = sawLeases(this.#state, items, atMs, this.#rules);
    const { holders, members } = planShards(this.#state, atMs, this.#rules);
    this.#board?.saw(items, { sent, listVersion: metadata.resourceVersion ?? "", holders: holders.values(), members });
  }

  #saw(leases: readonly DeepReadonly<Lease>[], token: FenceToken | undefined): void {
    const atMs = this.#options.runtime.clock.monotonic();
    this.#state = sawLeases(this.#state, leases, atMs, this.#rules);
    this.#plan = planShards(this.#state, atMs, this.#rules);
    this.#hasListed = true;
    for (const slot of this.#slots) {
      const sight = this.#state.get(slot.elector.leaseName);
      if (!slot.isRunning) slot.elector.observe(sight?.isAbsent === true ? undefined : sight?.lease);
    }
    if (token?.isOpen === true && this.#plan.strangers.length === 0) this.#permit = token;
    this.#announce();
  }

  #announce(): void {
    const { strangers } = this.#plan;
    const [stranger] = strangers;
    const isActive = this.#isPermitted() || this.#open.size > 0;
    const member = this.#rules.member;
    const next = announcement(this.#plan, { isAnnounced: this.#member.isRunning, isActive, member });
    // Others wait until our caches have seen what theirs have, so one that cannot must hold nothing.
    const isBehind = this.#board?.isBehind === true;
    if (next === "announce" && !isBehind) this.#member.start();
    if (next === "withdraw" || isBehind) void this.#member.stop(undefined);
    const block = isActive || stranger === undefined ? "" : stranger.name;
    if (block !== "" && block !== this.#reportedBlock)
      this.#log.warn("replicas with another number or kind of shards are running, waiting for them to end", {
        layout: this.#rules.layout,
        otherLayout: stranger?.layout,
        lease: block,
        code: "DRV0364",
      });
    this.#reportedBlock = block;
  }

  /** Starts to compete for some shards and gives up others; see shard-moves. */
  #rebalance(): void {
    const { name, identity, runtime } = this.#options;
    const { owners, wanted, start, stop } = shardMoves({
      name,
      identity,
      timing: this.#timing,
      state: this.#state,
      plan: this.#plan,
      isPermitted: this.#isPermitted() && this.#board?.isBehind !== true,
      slots: this.#slots.map((slot, shard) => this.#view(slot, shard)),
      nowMs: runtime.clock.monotonic(),
    });
    this.#wanted = wanted;
    this.#metrics.wanted.set(wanted.size);
    this.#metrics.members.set(this.#plan.members.length);
    for (const shard of start) this.#slots[shard]?.start();
    for (const shard of stop) void this.#slots[shard]?.stop(givenUp(shard, owners[shard]));
  }

  #view({ elector, isRunning }: ShardSlot, shard: number): SlotView {
    const { leaseName, isLeader, takeableMs } = elector;
    return { leaseName, isRunning, isLeader, isOpen: this.#open.has(shard), takeableMs, lostMs: this.#lostMs.get(shard) ?? -Infinity };
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.runtime;
    const nowMs = clock.monotonic();
    const sweepMs = this.#timing.retryPeriodMs / 2;
    const wantedFrom = [...this.#wanted].flatMap((shard) => {
      const slot = this.#slots[shard];
      return slot?.isRunning === false ? [takeFromMs(this.#view(slot, shard), this.#timing)] : [];
    });
    const dueMs = Math.min(this.#plan.nextMs, ...wantedFrom.filter((ms) => ms > nowMs));
    // Caches that change all the time wake us all the time.
    const gapMs = this.#board === undefined ? sweepMs / 10 : sweepMs / 4;
    await sleep(clock, gapMs, { signal }).catch(() => undefined);
    const woken = new AbortController();
    const end = (): void => woken.abort();
    this.#wake = end;
    if (this.#isWoken || this.#board?.isWaiting === true) end();
    signal.addEventListener("abort", end, { once: true });
    const restMs = Math.max(0, Math.min(sweepMs, dueMs - nowMs) - gapMs);
    if (!signal.aborted) await sleep(clock, restMs, { signal: woken.signal }).catch(() => undefined);
    signal.removeEventListener("abort", end);
    this.#wake = () => undefined;
    this.#isWoken = false;
  }

  #wakeUp(): void {
    this.#isWoken = true;
    this.#wake();
  }

  async #list(signal: AbortSignal): Promise<LeaseItems | undefined> {
    const { client, namespace, name } = this.#options;
    return this.#request("list", signal, (within) =>
      client.list(Lease, { namespace, labelSelector: `${shardsLabel}=${name}`, signal: within }),
    );
  }

  /** The first live replica deletes leases that nothing needs any more; a lease that was written since stays. */
  async #deleteGarbage(signal: AbortSignal): Promise<void> {
    const { client, namespace } = this.#options;
    const { garbage, members } = this.#plan;
    if (garbage.length === 0 || members.toSorted()[0] !== this.#rules.member) return;
    for (const { metadata } of garbage.slice(0, deletionsMax)) {
      const { name = "", uid = "", resourceVersion = "" } = metadata;
      await this.#request("delete", signal, async (within) => {
        await client.delete(Lease, name, { namespace, preconditions: { uid, resourceVersion }, signal: within }).catch((error: unknown) => {
          if (!isNotFound(error) && !isConflict(error)) throw error;
        });
      });
    }
  }

  /** Returns undefined after a failure. An unreachable server fails the same way again and again, so only the first is a warning. */
  async #request<T>(
    verb: "list" | "delete" | "publish",
    outer: AbortSignal,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const { signal, release } = deadline(this.#options.client.clock, requestTimeoutMs(this.#timing), { signal: outer });
    try {
      const answer = await abortable(send(signal), signal);
      this.#problems.delete(verb);
      return answer;
    } catch (error) {
      if (outer.aborted) return undefined;
      const problem = errorText(error);
      const level = this.#problems.get(verb) === problem ? "debug" : "warn";
      this.#log[level]("request for the leases of shards failed", { verb, error });
      this.#problems.set(verb, problem);
      return undefined;
    } finally {
      release();
    }
  }
}

/** What is read of a list of leases. */
interface LeaseItems {
  readonly metadata: { readonly resourceVersion?: string | undefined };
  readonly items: readonly DeepReadonly<Lease>[];
}

const givenUp = (shard: number, owner: string | undefined): DOMException =>
  new DOMException(`shard ${shard} belongs to ${owner === undefined || owner === "" ? "no replica" : owner} now`, "AbortError");
