/**
 * What runs only while the lease is held: one group for each term.
 *
 *     LeaderElector → LeaderGroup.lead(signal of the term) → RunnableGroup
 */
import { RunnableGroup } from "./runnable-group.ts";
import type { GroupMember, RunnableGroupOptions, Stoppable } from "./runnable-group.ts";

/** Guarantees: no term begins after `stop`; whoever is added in a term starts at once, and with every later one. */
export class LeaderGroup implements Stoppable {
  readonly #options: RunnableGroupOptions;
  readonly #members = new Set<GroupMember>();
  #term: { readonly group: RunnableGroup; readonly signal: AbortSignal } | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  constructor(options: RunnableGroupOptions) {
    this.#options = options;
  }

  add(member: GroupMember): void {
    if (this.#stopped !== undefined)
      throw new Error(`cannot add ${member.name}: what it belongs to is being stopped`, { cause: this.#stopped.reason });
    if (this.#term?.signal.aborted === false) this.#term.group.add(member);
    this.#members.add(member);
  }

  /** No later term starts it; in the present one it goes on. */
  forget(member: GroupMember): void {
    this.#members.delete(member);
  }

  /**
   * One term: starts everyone, tells `onStarted`, and resolves when the signal was aborted, or the group stopped, and
   * everyone has ended. Never rejects.
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

  /** Whether there is a term, or what is left of one. */
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
