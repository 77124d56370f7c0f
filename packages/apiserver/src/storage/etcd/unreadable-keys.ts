/**
 * The keys whose values in etcd cannot be read, with the reasons: reads of them fail, and so do lists that would have to contain them.
 *
 *     EtcdMirror → UnreadableKeys → EtcdStore.get, EtcdStore.list
 */
import { budget } from "@drover/machinery";
import type { Budget } from "@drover/machinery";

export const unreadableKeys: Budget = budget({
  name: "apiserver/etcd-unreadable-keys",
  limit: 1000,
  unit: "items",
  atLimit:
    "Further values in etcd that cannot be read are remembered by their resource only: its lists, and reads of objects that the server does not have, get a 500 until the server lists etcd again.",
});
/** Characters of a reason, and resources beyond the limit; then all resources count as unreadable. */
const reasonMax = 500;
const resourcesMax = 100;

/** Guarantees: bounded memory; a value that was added and not removed is never forgotten. */
export class UnreadableKeys {
  readonly #reasons = new Map<string, string>();
  /** Prefixes with more unreadable keys than are remembered. */
  readonly #prefixes = new Set<string>();

  /** Returns whether the key is remembered; false if only its resource is. */
  add(key: string, why: string): boolean {
    if (this.#reasons.has(key) || this.#reasons.size < unreadableKeys.limit) {
      this.#reasons.set(key, why.length > reasonMax ? `${why.slice(0, reasonMax)}…` : why);
      return true;
    }
    const prefix = this.#prefixes.size < resourcesMax ? prefixOf(key) : "";
    if (prefix === "") this.#prefixes.clear();
    if (!this.#prefixes.has("")) this.#prefixes.add(prefix);
    return false;
  }

  delete(key: string): void {
    this.#reasons.delete(key);
  }

  clear(): void {
    this.#reasons.clear();
    this.#prefixes.clear();
  }

  /** Returns why a key cannot be read that is not among the readable ones. */
  ofKey(key: string): string | undefined {
    const why = this.#reasons.get(key);
    if (why !== undefined) return why;
    for (const prefix of this.#prefixes) if (key.startsWith(prefix)) return manyUnreadable(prefix);
    return undefined;
  }

  /** Returns why the keys with a prefix cannot be listed. */
  ofPrefix(prefix: string): string | undefined {
    for (const [key, why] of this.#reasons) if (key.startsWith(prefix)) return why;
    for (const some of this.#prefixes) if (some.startsWith(prefix) || prefix.startsWith(some)) return manyUnreadable(some);
    return undefined;
  }
}

const manyUnreadable = (prefix: string): string =>
  `more than ${unreadableKeys.limit} objects in etcd cannot be decoded, some of them below ${prefix === "" ? "any prefix" : prefix}`;

/** "/registry/configmaps/default/x" → "/registry/configmaps/" */
const prefixOf = (key: string): string => /^\/[^/]*\/[^/]*\//.exec(key)?.[0] ?? "";
