/**
 * Things that start together and are stopped together: one step in the life of a manager.
 *
 *     manager → RunnableGroup.start … stop → Group (owns the promises)
 */
import { Group, abortable } from "@drover/machinery";
import { untilAborted } from "../sources/until-aborted.ts";
import type { Runnable } from "./runnable.ts";

/** What the stop procedure knows of a group. */
export interface Stoppable {
  /** Tells everyone to stop; nobody can be added from now on. Doing it twice does no harm. */
  stop(reason: unknown): void;
  /** Resolves when it was stopped and everyone has ended. Never rejects. */
  ended(): Promise<void>;
  /** The names of those that run, in the order they were started. */
  running(): readonly string[];
}

export interface RunnableGroupOptions {
  /** Is told what a member rejects with, other than the reason it was told to stop for. */
  readonly onError: (error: unknown, name: string) => void;
}

/** What a group needs of a runnable. */
export type GroupMember = Pick<Runnable, "name" | "run" | "ready">;

/** Guarantees: nobody starts before `start`, nor after `stop`; a member's failure is told and nobody else's business. */
export class RunnableGroup implements Stoppable {
  readonly #group: Group;
  readonly #members: GroupMember[] = [];
  #isStarted = false;

  constructor({ onError }: RunnableGroupOptions) {
    this.#group = new Group({ onFailure: "isolate", onError });
  }

  /** Starts with the group, or at once when that has started. Throws when the group was stopped. */
  add(member: GroupMember): void {
    if (this.#group.signal.aborted)
      throw new Error(`cannot add ${member.name}: what it belongs to is being stopped`, { cause: this.#group.signal.reason });
    if (!this.#isStarted) return void this.#members.push(member);
    const { name, ready } = member;
    this.#spawn(member);
    if (ready !== undefined) this.#group.spawn(`${name}, getting ready`, (signal) => ready.call(member, signal));
  }

  /**
   * Starts everyone and resolves when all of them are ready. Rejects with what the first fails with that does not get
   * ready, or with the reason of `stop`.
   */
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
