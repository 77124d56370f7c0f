/**
 * Two candidates, a server and an editor of the lease, in steps: small enough to play every path. Requests take no time, but a candidate
 * may stall with one on its way.
 *
 *     const model = LeaseModel.led(1);  model.tick("delete", undefined, "b");  model.mustRecover();
 */
import type { Lease } from "@drover/api/coordination/v1";
import type { DeepReadonly } from "@drover/machinery";
import { initialLeaseState, isLeaseAction, isOver, stepLease } from "../lease-state.ts";
import type { AfterMissingLease, LeaseAction, LeaseInput, LeaseRules, LeaseState, Moment } from "../lease-state.ts";

/** What an editor does to the lease. */
export const editNames = ["delete", "clear", "stranger", "shorten", "restore"] as const;
export type EditName = (typeof editNames)[number];

type Outcome = LeaseInput extends infer Input ? (Input extends LeaseInput ? Omit<Input, "at" | "random"> : never) : never;

const rules: Omit<LeaseRules, "identity"> = {
  leaseDurationMs: 3000,
  renewDeadlineMs: 2000,
  retryPeriodMs: 1000,
  lease: { namespace: "shop", name: "web" },
  durationSeconds: 3,
  labels: {},
};

interface Candidate {
  readonly identity: "a" | "b";
  /** Milliseconds of its clock per true millisecond. */
  readonly rate: number;
  state: LeaseState;
  action: LeaseAction;
  /** When to act next, by its clock. */
  dueMs: number;
}

/** Throws as soon as both candidates lead. */
export class LeaseModel {
  #nowMs = 0;
  #version = 0;
  #lease: Lease | undefined;
  /** A copy from the first term, for "restore". */
  #backup: Lease["spec"];
  #candidates: readonly Candidate[] = [];
  #path: readonly string[] = [];
  #afterMissingLease: AfterMissingLease = "lead";

  /** Returns a model in which "a" leads and "b" has seen that. @param rate - of the clock of "b" */
  static led(rate: number): LeaseModel {
    const model = new LeaseModel();
    const candidate = (identity: "a" | "b", of: number): Candidate => {
      const at = { monotonicMs: 0, wallMs: 0 };
      const [state, effects] = stepLease(initialLeaseState(), { kind: "start", at, random: 0 }, { ...rules, identity });
      return { identity, rate: of, state, action: effects.filter(isLeaseAction)[0] ?? { kind: "read" }, dueMs: 0 };
    };
    model.#candidates = [candidate("a", 1), candidate("b", rate)];
    for (let at = 0; at < 4; at++) {
      model.tick(undefined, undefined, undefined);
      model.#backup ??= model.#lease?.spec;
    }
    model.#path = [];
    return model;
  }

  copy(): LeaseModel {
    const copy = new LeaseModel();
    copy.#nowMs = this.#nowMs;
    copy.#version = this.#version;
    copy.#lease = this.#lease;
    copy.#backup = this.#backup;
    copy.#candidates = this.#candidates.map((candidate) => ({ ...candidate }));
    copy.#path = this.#path;
    copy.#afterMissingLease = this.#afterMissingLease;
    return copy;
  }

  /** Lets time pass, then "a" and "b" act, each after an edit, if any. A stalled candidate does not act; what it has sent arrives later. */
  tick(first: EditName | undefined, second: EditName | undefined, stalled: string | undefined, ms = 1000): void {
    this.#nowMs += ms;
    this.#path = [...this.#path, `${ms} ms ${first ?? ""} ${second ?? ""} ${stalled ?? ""}`];
    for (const [index, edit] of [first, second].entries()) {
      const candidate = this.#candidates[index];
      if (edit !== undefined) this.#edit(edit);
      if (candidate !== undefined && candidate.identity !== stalled) this.#act(candidate);
      this.#check();
    }
  }

  /** Ends "b" and starts it anew, as a process that has seen nothing and acts at the next tick. */
  restartB(afterMissingLease: AfterMissingLease): void {
    this.#afterMissingLease = afterMissingLease;
    this.#path = [...this.#path, "b starts anew"];
    for (const candidate of this.#candidates) {
      if (candidate.identity !== "b") continue;
      candidate.state = initialLeaseState();
      const input: LeaseInput = { kind: "start", at: this.#at(candidate), random: 0 };
      const [state, effects] = stepLease(candidate.state, input, { ...rules, identity: "b" });
      candidate.state = state;
      candidate.action = effects.filter(isLeaseAction)[0] ?? { kind: "read" };
    }
  }

  /** Throws unless a candidate leads within three lease durations from now, without edits. */
  mustRecover(): void {
    for (let passedMs = 0; passedMs <= 3 * rules.leaseDurationMs; passedMs += 500) {
      if (this.#leaders().length > 0) return;
      this.tick(undefined, undefined, undefined, 500);
    }
    throw new Error(`nobody leads after ${this.#path.join(" | ")}`);
  }

  #leaders(): readonly string[] {
    return this.#candidates
      .filter((candidate) => candidate.state.hold !== undefined && !isOver(candidate.state.hold, this.#at(candidate)))
      .map(({ identity }) => identity);
  }

  #check(): void {
    if (this.#leaders().length > 1) throw new Error(`two leaders after ${this.#path.join(" | ")}`);
  }

  #at({ rate }: Candidate): Moment {
    return { monotonicMs: this.#nowMs * rate, wallMs: this.#nowMs * rate };
  }

  /** Performs what is due until the candidate waits. */
  #act(candidate: Candidate): void {
    for (let steps = 0; steps < 10; steps++) {
      const at = this.#at(candidate);
      if (candidate.action.kind === "wait" && at.monotonicMs < candidate.dueMs) return;
      const outcome = this.#perform(candidate.action);
      const { identity } = candidate;
      const own: LeaseRules = { ...rules, identity, afterMissingLease: this.#afterMissingLease };
      const [state, effects] = stepLease(candidate.state, { ...outcome, at, random: 0 }, own);
      candidate.state = state;
      candidate.action = effects.filter(isLeaseAction)[0] ?? candidate.action;
      if (candidate.action.kind === "wait") candidate.dueMs = at.monotonicMs + candidate.action.delayMs;
      this.#check();
    }
    throw new Error(`${candidate.identity} does not wait after ${this.#path.join(" | ")}`);
  }

  #perform(action: LeaseAction): Outcome {
    switch (action.kind) {
      case "wait":
        return { kind: "waited" };
      case "read":
        return this.#lease === undefined ? { kind: "absent" } : { kind: "read", lease: this.#lease };
      case "create":
        return this.#lease === undefined ? { kind: "written", lease: this.#store(action.lease) } : { kind: "conflict" };
      case "update":
        if (this.#lease?.metadata.resourceVersion !== action.lease.metadata.resourceVersion) return { kind: "conflict" };
        return { kind: "written", lease: this.#store(action.lease) };
      case "end":
        break;
    }
    throw new Error("nobody stops in this model");
  }

  #store(lease: DeepReadonly<Lease>): Lease {
    const uid = this.#lease?.metadata.uid ?? `uid-${this.#version + 1}`;
    const stored = { ...(lease as Lease), metadata: { ...lease.metadata, uid, resourceVersion: String(++this.#version) } } as Lease;
    this.#lease = stored;
    return stored;
  }

  #edit(edit: EditName): void {
    const { spec } = this.#lease ?? {};
    const put = (changed: Lease["spec"]): void =>
      void this.#store({ metadata: { name: "web", namespace: "shop" }, ...(changed === undefined ? {} : { spec: changed }) });
    if (edit === "restore") return put(this.#backup);
    if (this.#lease === undefined) return;
    if (edit === "delete") this.#lease = undefined;
    else if (edit === "clear") put({ ...spec, holderIdentity: "" });
    else if (edit === "stranger") put({ ...spec, holderIdentity: "stranger" });
    // Not to one second: with that and a cleared holder, a record that was never renewed is what a release writes.
    else put({ ...spec, leaseDurationSeconds: 2 });
  }
}
