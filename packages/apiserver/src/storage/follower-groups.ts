/** The followers of a log by prefix: a write finds its own without looking at the others. */
import type { LogFollower } from "./log-follower.ts";

/** Guarantees: `of` takes time for the different lengths of prefixes and for the followers it finds, not for all followers. */
export class FollowerGroups {
  readonly #byLength = new Map<number, Map<string, Set<LogFollower>>>();

  add(follower: LogFollower): void {
    const { prefix } = follower;
    let groups = this.#byLength.get(prefix.length);
    if (groups === undefined) this.#byLength.set(prefix.length, (groups = new Map<string, Set<LogFollower>>()));
    const group = groups.get(prefix);
    if (group === undefined) groups.set(prefix, new Set([follower]));
    else group.add(follower);
  }

  delete(follower: LogFollower): void {
    const { prefix } = follower;
    const groups = this.#byLength.get(prefix.length);
    const group = groups?.get(prefix);
    if (group === undefined || !group.delete(follower) || group.size > 0) return;
    groups?.delete(prefix);
    if (groups?.size === 0) this.#byLength.delete(prefix.length);
  }

  /** Yields the followers whose prefix the key has. */
  *of(key: string): Generator<ReadonlySet<LogFollower>> {
    for (const [length, groups] of this.#byLength) {
      const group = length <= key.length ? groups.get(key.slice(0, length)) : undefined;
      if (group !== undefined) yield group;
    }
  }

  *all(): Generator<LogFollower> {
    for (const groups of this.#byLength.values()) for (const group of groups.values()) yield* group;
  }
}
