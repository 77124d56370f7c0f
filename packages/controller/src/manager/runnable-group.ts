/**
 * Runnables that start and stop together: one step of a manager's start and stop order.
 *
 *     manager → RunnableGroup.start … stop → Group (owns the promises)
 */
import { Group, abortable } from "@drover/machinery";
import { untilAborted } from "../sources/until-aborted.ts";
import type { Runnable } from "./runnable.ts";

/** The part of a group that the stop procedure uses. */
export interface Stoppable {
  /** Tells all members to stop; no member can be added afterwards. Idempotent. */
  stop(reason: unknown): void;
  /** Resolves when the group was stopped and all members have ended. Never rejects. */
  ended(): Promise<void>;
  /** Names of running members, in start order. */
  running(): readonly string[];
}

export interface RunnableGroupOptions {
  /** Receives errors of members, except the reason with which they were stopped. */
  readonly onError: (error: unknown, name: string) => void;
}

/** The part of a runnable that a group uses. */
export type GroupMember = Pick<Runnable, "name" | "run" | "ready">;

/** Guarantees: members start neither before `start` nor after `stop`; the failure of one member is reported and does not affect others. */
export class RunnableGroup implements Stoppable {
  readonly #group: Group;
  readonly #members: GroupMember[] = [];
  #isStarted = false;

  constructor({ onError }: RunnableGroupOptions) {
    this.#group = new Group({ onFailure: "isolate", onError });
  }

  /** Adds a member. It starts with the group, or immediately if the group has started. Throws if the group was stopped. */
  add(member: GroupMember): void {
    if (this.#group.signal.aborted)
      throw new Error(`cannot add ${member.name}: its group is stopping`, { cause: this.#group.signal.reason });
    if (!this.#isStarted) return void this.#members.push(member);
    const { name, ready } = member;
    this.#spawn(member);
    if (ready !== undefined) this.#group.spawn(`${name}, getting ready`, (signal) => ready.call(member, signal));
  }

  /** Starts all members and resolves when all are ready. Rejects with the first error of a `ready`, or with the reason of `stop`. */
  async start(): Promise<void> {
    const { signal } = this.#group;
    signal.throwIfAborted();
    this.#isStarted = true;
    for (const member of this.#members) this.#spawn(member);
    const ready = this.#members.map(async (member) => {
      await member.ready?.(signal);
    });
    await abortable(Promise.all(ready), signal);
  }

  running(): readonly string[] {
    return this.#group.running();
  }

  stop(reason: unknown): void {
    this.#group.abort(reason);
  }

  async ended(): Promise<void> {
    await untilAborted(this.#group.signal);
    await this.#group.done();
  }

  #spawn(member: GroupMember): void {
    this.#group.spawn(member.name, (signal) => member.run(signal));
  }
}
