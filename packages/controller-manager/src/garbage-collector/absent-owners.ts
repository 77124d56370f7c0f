/**
 * Owners known not to exist, so that a thousand dependents of one absent owner cost one request. A uid comes back only when the server is
 * restored from a backup: an owner that is observed again is forgotten at once, and one of a kind that is not watched after a minute.
 * kube-controller-manager keeps it until 500 others were absent since, and deletes the dependents of a restored owner meanwhile.
 */
import type { ObjectIdentity } from "./object-identity.ts";

/** Same size as in kube-controller-manager. */
const keptMax = 500;

/** How long an answer of the server counts, in milliseconds: long enough for all dependents of one owner. */
const keptForMs = 60_000;

export interface AbsentOwnersOptions {
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  readonly max?: number;
}

/** Least recently used cache with an expiry. */
export class AbsentOwners {
  readonly #max: number;
  readonly #now: () => number;
  /** Key → when the server said so. */
  readonly #kept = new Map<string, number>();

  constructor({ now, max = keptMax }: AbsentOwnersOptions) {
    this.#now = now;
    this.#max = max;
  }

  add(identity: ObjectIdentity): void {
    const key = keyOf(identity);
    this.#kept.delete(key);
    this.#kept.set(key, this.#now());
    if (this.#kept.size > this.#max) for (const oldest of this.#kept.keys()) return void this.#kept.delete(oldest);
  }

  /** Forgets an owner that was observed. */
  delete(identity: ObjectIdentity): void {
    if (this.#kept.size > 0) this.#kept.delete(keyOf(identity));
  }

  has(identity: ObjectIdentity): boolean {
    const key = keyOf(identity);
    const saidAt = this.#kept.get(key);
    if (saidAt === undefined) return false;
    this.#kept.delete(key);
    if (this.#now() - saidAt >= keptForMs) return false;
    this.#kept.set(key, saidAt);
    return true;
  }
}

const keyOf = ({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string =>
  JSON.stringify([apiVersion, kind, namespace, name, uid]);
