/**
 * Replicas, shards and a server in steps, small enough to play every path of a few faults. Every decision is that of the program: the lease
 * state machine, the plan, the announcement and the moves of shards. Only the waiting is the model's.
 *
 *     const model = ShardModel.start(2);  model.tick({ fault: "crash", replica: 0 }, "forward");  model.mustRecover();
 *
 * Requests for leases take no time, unless the replica pauses with one on its way. A replica that holds a shard writes in every tick, and a
 * write can stay on its way for as long as the time between renew deadline and lease duration.
 */
import type { Lease } from "@drover/api/coordination/v1";
import type { DeepReadonly } from "@drover/machinery";
import { initialLeaseState, isLeaseAction, isOver, observeLease, stepLease, takeableMs } from "../../leader/lease-state.ts";
import type { LeaseAction, LeaseRules, LeaseState, Moment } from "../../leader/lease-state.ts";
import type { LeaseOutcome } from "../../leader/lease-request.ts";
import type { LeaseTiming } from "../../leader/lease-timing.ts";
import { printLayout } from "../shard-layout.ts";
import type { ShardLayout } from "../shard-layout.ts";
import { memberLeaseName, shardLabels, shardLeaseName } from "../shard-lease.ts";
import { shardMoves } from "../shard-moves.ts";
import { announcement, planShards, sawLeases } from "../shards-state.ts";
import type { ShardsRules, ShardsState } from "../shards-state.ts";

/** What can go wrong in a tick. */
export type ShardFault =
  /** The process ends; its writes on the way still arrive. */
  | "crash"
  /** It starts to end cleanly: drains and releases its shards. */
  | "stop"
  /** It stands still until "wake"; what it has sent arrives. */
  | "pause"
  | "wake"
  /** Its requests for leases have no effect in this tick. */
  | "cut"
  /** Its requests for leases have effect, but it gets no answer in this tick. */
  | "deaf"
  /** Its writes of this tick stay on their way until the next tick but one. */
  | "delay";

export interface ShardStep {
  readonly fault: ShardFault;
  readonly replica: number;
}

/** Planted bugs, which the model must find. */
export type ShardMutant = "none" | "unfenced writes" | "early takeover" | "release before the last write" | "no takeover";

const timing: LeaseTiming = { leaseDurationMs: 4000, renewDeadlineMs: 2000, retryPeriodMs: 1000 };
const layout: ShardLayout = { count: 2, by: "hash" };
const name = "web";
const tickMs = 1000;
/** How long a delayed write is on its way. */
const delayTicks = 2;
/** Ticks after the faults until every shard must have a holder: two lease durations, and slack. */
const recoveryTicks = 14;

interface Slot {
  readonly lease: string;
  readonly role: "shard" | "member";
  readonly state: LeaseState;
  /** What it does next; undefined while it does not run. */
  readonly action: LeaseAction | undefined;
  readonly dueMs: number;
  readonly isStopping: boolean;
  readonly lostMs: number;
  /** Number of the member's term; tells whether the permit is still valid. */
  readonly term: number;
}

interface Replica {
  readonly identity: string;
  readonly life: "running" | "paused" | "stopping" | "over";
  readonly slots: readonly Slot[];
  readonly member: Slot;
  readonly seen: ShardsState;
  readonly permit: number | undefined;
}

interface Write {
  readonly shard: number;
  readonly by: string;
  readonly term: number;
  readonly arrivesMs: number;
}

type How = "answered" | "cut" | "deaf";

/** Throws as soon as the server accepts a write of an older term after one of a newer term, or of two replicas in one term. */
export class ShardModel {
  #nowMs = 0;
  #version = 0;
  #leases: ReadonlyMap<string, DeepReadonly<Lease>> = new Map();
  #replicas: readonly Replica[] = [];
  #writes: readonly Write[] = [];
  /** The last accepted writer of each shard. */
  #last: readonly { readonly term: number; readonly by: string }[] = [];
  #path: readonly string[] = [];
  #mutant: ShardMutant = "none";

  /** Returns a model in which every shard has a holder. */
  static start(size: number, mutant: ShardMutant = "none"): ShardModel {
    const model = new ShardModel();
    model.#mutant = mutant;
    model.#replicas = Array.from({ length: size }, (_, n): Replica => {
      const identity = String.fromCharCode("a".charCodeAt(0) + n);
      return {
        identity,
        life: "running",
        member: slot(memberLeaseName(name, identity), "member"),
        slots: Array.from({ length: layout.count }, (_unused, shard) => slot(shardLeaseName(name, shard, layout), "shard")),
        seen: new Map(),
        permit: undefined,
      };
    });
    for (let n = 0; n < 6; n++) model.tick();
    model.#path = [];
    return model;
  }

  copy(): ShardModel {
    const copy = new ShardModel();
    copy.#nowMs = this.#nowMs;
    copy.#version = this.#version;
    copy.#leases = this.#leases;
    copy.#replicas = this.#replicas;
    copy.#writes = this.#writes;
    copy.#last = this.#last;
    copy.#path = this.#path;
    copy.#mutant = this.#mutant;
    return copy;
  }

  /** Faults that make a difference now. */
  steps(): readonly ShardStep[] {
    return this.#replicas.flatMap(({ life }, replica): ShardStep[] => {
      if (life === "over") return [];
      if (life === "paused") return [{ fault: "wake", replica }];
      const faults: readonly ShardFault[] = ["crash", "pause", "cut", "deaf", "delay", ...(life === "running" ? (["stop"] as const) : [])];
      return faults.map((fault) => ({ fault, replica }));
    });
  }

  /** Lets time pass; then a fault happens, and the replicas act one after the other. */
  tick(step?: ShardStep, order: "forward" | "backward" = "forward"): void {
    this.#nowMs += tickMs;
    this.#path = [...this.#path, step === undefined ? "-" : `${step.fault} ${this.#replicas[step.replica]?.identity} ${order}`];
    if (step !== undefined) this.#begin(step);
    const indexes = [...this.#replicas.keys()];
    this.#arrive();
    for (const index of order === "forward" ? indexes : indexes.toReversed()) {
      const isStruck = step?.replica === index;
      const how: How = isStruck && (step.fault === "cut" || step.fault === "deaf") ? step.fault : "answered";
      this.#act(index, how, isStruck && step.fault === "delay" ? delayTicks * tickMs : 0);
      this.#arrive();
    }
  }

  /** Wakes every replica and throws unless every shard has a holder soon. A model without a running replica has none to find. */
  mustRecover(): void {
    this.#replicas = this.#replicas.map((replica) => (replica.life === "paused" ? { ...replica, life: "running" } : replica));
    if (!this.#replicas.some(({ life }) => life === "running")) return;
    for (let tick = 1; tick <= recoveryTicks; tick++) {
      this.tick();
      if (tick >= delayTicks && this.#unowned().length === 0) return;
    }
    throw new Error(`shard ${this.#unowned().join(", ")} has no holder after ${this.#path.join(" | ")}`);
  }

  #unowned(): readonly number[] {
    const shards = Array.from({ length: layout.count }, (_, shard) => shard);
    return shards.filter((shard) => !this.#replicas.some(({ life, slots }) => life === "running" && this.#isOpen(slots[shard])));
  }

  /** Everything that decides the future, for recognising a state that was played before. */
  key(): string {
    return JSON.stringify([
      this.#nowMs,
      [...this.#leases.values()].map(({ metadata, spec }) => [metadata.name, metadata.resourceVersion, spec]),
      this.#replicas.map(({ seen, ...rest }) => [rest, [...seen]]),
      this.#writes,
      this.#last,
    ]);
  }

  #begin({ fault, replica: index }: ShardStep): void {
    const replica = this.#replicas[index];
    if (replica === undefined) return;
    if (fault === "crash") this.#put(index, { ...replica, life: "over" });
    if (fault === "pause") this.#put(index, { ...replica, life: "paused" });
    if (fault === "wake") this.#put(index, { ...replica, life: "running" });
    if (fault === "stop") this.#put(index, { ...replica, life: "stopping" });
  }

  #put(index: number, replica: Replica): void {
    this.#replicas = this.#replicas.with(index, replica);
  }

  /** Accepts the writes that have arrived by now. */
  #arrive(): void {
    const arrived = this.#writes.filter(({ arrivesMs }) => arrivesMs <= this.#nowMs);
    this.#writes = this.#writes.filter(({ arrivesMs }) => arrivesMs > this.#nowMs);
    for (const { shard, by, term } of arrived) {
      const last = this.#last[shard];
      if (last !== undefined && (term < last.term || (term === last.term && by !== last.by)))
        throw new Error(`${by} wrote shard ${shard} in term ${term} after ${last.by} in term ${last.term}: ${this.#path.join(" | ")}`);
      const next = [...this.#last];
      next[shard] = { term, by };
      this.#last = next;
    }
  }

  #act(index: number, how: How, delayMs: number): void {
    const before = this.#replicas[index];
    if (before === undefined || before.life === "over" || before.life === "paused") return;
    // Before it looks at its leases: a process that wakes up may send first.
    this.#write(before, delayMs);
    let replica = before.life === "running" && how === "answered" ? this.#sweep(before) : before;
    if (replica.life === "stopping")
      replica = stopped(
        replica,
        replica.slots.map((_, shard) => shard),
        true,
      );
    replica = { ...replica, member: this.#run(replica, replica.member, how) };
    replica = { ...replica, slots: replica.slots.map((one) => this.#run(replica, one, how)) };
    // And as soon as it has acquired a shard.
    this.#write(replica, delayMs);
    if (replica.life === "stopping" && [replica.member, ...replica.slots].every(({ action }) => action === undefined))
      replica = { ...replica, life: "over" };
    this.#put(index, replica);
  }

  /** What ShardSet does in a sweep. */
  #sweep(before: Replica): Replica {
    const { identity, member } = before;
    const rules: ShardsRules = { ...this.#shardsRules(), member: member.lease };
    const token = this.#isOpen(member) ? member.term : undefined;
    const seen = sawLeases(before.seen, [...this.#leases.values()], this.#nowMs, rules);
    const plan = planShards(seen, this.#nowMs, rules);
    const slots = before.slots.map((one) => (one.action === undefined ? this.#observed(one, seen, identity) : one));
    const permit = token !== undefined && plan.strangers.length === 0 ? token : before.permit;
    let replica: Replica = { ...before, seen, slots, permit };
    const isPermitted = permit !== undefined && this.#isOpen(member) && permit === member.term;
    const next = announcement(plan, { isAnnounced: member.action !== undefined, isActive: isPermitted, member: member.lease });
    if (next === "announce") replica = { ...replica, member: this.#started(replica, member) };
    const { start, stop } = shardMoves({
      name,
      identity,
      timing,
      state: seen,
      plan,
      isPermitted,
      nowMs: this.#nowMs,
      slots: replica.slots.map((one) => ({
        leaseName: one.lease,
        isRunning: one.action !== undefined,
        isLeader: this.#isOpen(one),
        isOpen: this.#isOpen(one),
        takeableMs: this.#mutant === "no takeover" && one.state.seen !== undefined ? Infinity : takeableMs(one.state),
        lostMs: one.lostMs,
      })),
    });
    const begun = replica;
    replica = { ...replica, slots: replica.slots.map((one, shard) => (start.includes(shard) ? this.#started(begun, one) : one)) };
    return stopped(replica, stop, false);
  }

  #observed(one: Slot, seen: ShardsState, identity: string): Slot {
    const sight = seen.get(one.lease);
    const lease = sight?.isAbsent === true ? undefined : sight?.lease;
    return { ...one, state: observeLease(one.state, lease, this.#nowMs, this.#rules(one, identity)) };
  }

  #started({ identity }: Replica, one: Slot): Slot {
    const { seen, transitions } = one.state;
    const fresh = { ...initialLeaseState(), seen, transitions };
    const [state, effects] = stepLease(fresh, { kind: "start", at: this.#at(), random: 0 }, this.#rules(one, identity));
    return { ...one, state, action: effects.find(isLeaseAction), dueMs: this.#nowMs, isStopping: false };
  }

  /** Performs what is due until the slot waits or ends. */
  #run(replica: Replica, before: Slot, how: How): Slot {
    let one = before;
    for (let steps = 0; one.action !== undefined; steps++) {
      if (steps > 12) throw new Error(`${replica.identity} does not wait for ${one.lease}: ${this.#path.join(" | ")}`);
      if (one.state.hold !== undefined && !this.#isOpen(one)) one = this.#stepped(replica, one, { kind: "expired" });
      // After a loss the program starts anew, as ShardSlot does.
      if (one.role === "shard" && one.lostMs === this.#nowMs && one.state.hold === undefined) return ended(one);
      if (one.isStopping && one.state.releaseUntilMs === undefined && !this.#mustDrain(replica, one)) {
        one = this.#stepped(replica, one, { kind: "release" });
        continue;
      }
      const { action } = one;
      if (action === undefined || action.kind === "end") return ended(one);
      if (action.kind === "wait" && this.#nowMs < one.dueMs) return one;
      one = this.#stepped(replica, one, this.#perform(action, one, how));
    }
    return one;
  }

  #stepped(replica: Replica, one: Slot, outcome: LeaseOutcome): Slot {
    const rules = this.#rules(one, replica.identity);
    const [state, effects] = stepLease(one.state, { ...outcome, at: this.#at(), random: 0 }, rules);
    const action = effects.find(isLeaseAction) ?? one.action;
    const isLost = effects.some(({ kind }) => kind === "lost");
    const isHeldAnew = one.state.hold === undefined && state.hold !== undefined;
    return {
      ...one,
      state,
      action,
      dueMs: action?.kind === "wait" ? this.#nowMs + action.delayMs : this.#nowMs,
      lostMs: isLost ? this.#nowMs : one.lostMs,
      term: isHeldAnew ? one.term + 1 : one.term,
    };
  }

  /** A lease is released only when every write under it was answered. */
  #mustDrain({ identity }: Replica, { lease, role }: Slot): boolean {
    if (role === "member" || this.#mutant === "release before the last write") return false;
    return this.#writes.some(({ shard, by }) => by === identity && shardLeaseName(name, shard, layout) === lease);
  }

  /** A replica writes into each shard that it holds; it starts no work on one that it gives up. */
  #write(replica: Replica, delayMs: number): void {
    for (const [shard, one] of replica.slots.entries()) {
      const { hold } = one.state;
      const isUnfenced = this.#mutant === "unfenced writes" && hold !== undefined;
      if (hold === undefined || one.isStopping || !(isUnfenced || this.#isOpen(one))) continue;
      const write = { shard, by: replica.identity, term: hold.transitions, arrivesMs: this.#nowMs + delayMs };
      this.#writes = [...this.#writes, write];
    }
  }

  #isOpen(one: Slot | undefined): boolean {
    return one?.action !== undefined && one.state.hold !== undefined && !isOver(one.state.hold, this.#at());
  }

  #at(): Moment {
    return { monotonicMs: this.#nowMs, wallMs: this.#nowMs };
  }

  #shardsRules(): Omit<ShardsRules, "member"> {
    const { leaseDurationMs, retryPeriodMs } = timing;
    return { layout: printLayout(layout), leaseDurationMs, freshMs: 3 * retryPeriodMs };
  }

  #rules(one: Slot, identity: string): LeaseRules {
    const isEarly = this.#mutant === "early takeover";
    return {
      ...timing,
      ...(isEarly ? { leaseDurationMs: 1000 } : {}),
      lease: { namespace: "shop", name: one.lease },
      identity,
      durationSeconds: isEarly ? 1 : timing.leaseDurationMs / 1000,
      labels: shardLabels(name, layout, one.role),
    };
  }

  #perform(action: LeaseAction, { lease: key }: Slot, how: How): LeaseOutcome {
    if (action.kind === "wait") return { kind: "waited" };
    const failed: LeaseOutcome = { kind: action.kind === "read" ? "read-failed" : "write-failed" };
    if (how === "cut") return failed;
    const stored = this.#leases.get(key);
    if (action.kind === "read")
      return how === "deaf" ? failed : stored === undefined ? { kind: "absent" } : { kind: "read", lease: stored };
    if (action.kind === "end") throw new Error("an ended lease has no further action");
    const isCurrent =
      action.kind === "create" ? stored === undefined : stored?.metadata.resourceVersion === action.lease.metadata.resourceVersion;
    if (!isCurrent) return how === "deaf" ? failed : { kind: "conflict" };
    const metadata = { ...action.lease.metadata, uid: stored?.metadata.uid ?? `uid-${key}`, resourceVersion: String(++this.#version) };
    const lease = { ...action.lease, metadata };
    this.#leases = new Map([...this.#leases, [key, lease]]);
    return how === "deaf" ? failed : { kind: "written", lease };
  }
}

function slot(lease: string, role: "shard" | "member"): Slot {
  return { lease, role, state: initialLeaseState(), action: undefined, dueMs: 0, isStopping: false, lostMs: -Infinity, term: 0 };
}

function ended(one: Slot): Slot {
  const { seen, transitions } = one.state;
  return { ...one, state: { ...initialLeaseState(), seen, transitions }, action: undefined, isStopping: false };
}

/** Lets the given shards, and the member lease if asked, end: drain, then release. */
function stopped(replica: Replica, shards: readonly number[], withMember: boolean): Replica {
  const stop = (one: Slot): Slot => (one.action === undefined ? one : { ...one, isStopping: true });
  return {
    ...replica,
    member: withMember ? stop(replica.member) : replica.member,
    slots: replica.slots.map((one, shard) => (shards.includes(shard) ? stop(one) : one)),
  };
}
