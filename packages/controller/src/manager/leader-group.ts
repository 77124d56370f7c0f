/**
 * Runnables that run only while the lease is held: one group per term.
 *
 *     LeaderElector → LeaderGroup.lead(signal of the term) → RunnableGroup
 */
import { RunnableGroup } from "./runnable-group.ts";
import type { GroupMember, RunnableGroupOptions, Stoppable } from "./runnable-group.ts";

/** Guarantees: no term starts after `stop`; a member added during a term starts immediately, and again in every later term. */
export class LeaderGroup implements Stoppable {
  readonly #options: RunnableGroupOptions;
  readonly #members = new Set<GroupMember>();
  #term: { readonly group: RunnableGroup; readonly signal: AbortSignal } | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  constructor(options: RunnableGroupOptions) {
    this.#options = options;
  }

  add(member: GroupMember): void {
    if (this.#stopped !== undefined) throw new Error(`cannot add ${member.name}: its group is stopping`, { cause: this.#stopped.reason });
    if (this.#term?.signal.aborted === false) this.#term.group.add(member);
    this.#members.add(member);
  }

  /** Excludes the member from later terms; in the current term it continues. */
  forget(member: GroupMember): void {
    this.#members.delete(member);
  }

  /**
   * Runs one term: starts all members, calls `onStarted`, and resolves when the signal has aborted or the group was stopped, and all
   * members have ended. Never rejects.
   */
  async lead(signal: AbortSignal, onStarted: () => void): Promise<void> {
    if (this.#stopped !== undefined || signal.aborted) return;
    const group = new RunnableGroup(this.#options);
    for (const member of this.#members) group.add(member);
    this.#term = { group, signal };
    const end = (): void => group.stop(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    const failed = (error: unknown): void => {
      if (!signal.aborted && this.#stopped === undefined) this.#options.onError(error, "the leader's group");
    };
    void group.start().then(onStarted, failed);
    await group.ended();
    signal.removeEventListener("abort", end);
    this.#term = undefined;
  }

  /** Whether a term is running or still ending. */
  get isLeading(): boolean {
    return this.#term !== undefined;
  }

  running(): readonly string[] {
    return this.#term?.group.running() ?? [];
  }

  stop(reason: unknown): void {
    this.#stopped ??= { reason };
    this.#term?.group.stop(reason);
  }

  async ended(): Promise<void> {
    await this.#term?.group.ended();
  }
}
