/**
 * Owners known not to exist, so that a thousand dependents of one absent owner cost one request. A uid comes back only when the server is
 * restored from a backup.
 */
import type { ObjectIdentity } from "./object-identity.ts";

/** Same size as in kube-controller-manager. */
const keptMax = 500;

/** Least recently used cache. */
export class AbsentOwners {
  readonly #max: number;
  readonly #kept = new Set<string>();

  constructor(max: number = keptMax) {
    this.#max = max;
  }

  add(identity: ObjectIdentity): void {
    const key = keyOf(identity);
    this.#kept.delete(key);
    this.#kept.add(key);
    if (this.#kept.size > this.#max) for (const oldest of this.#kept) return void this.#kept.delete(oldest);
  }

  /** Forgets an owner that was observed. */
  delete(identity: ObjectIdentity): void {
    if (this.#kept.size > 0) this.#kept.delete(keyOf(identity));
  }

  has(identity: ObjectIdentity): boolean {
    const key = keyOf(identity);
    if (!this.#kept.delete(key)) return false;
    this.#kept.add(key);
    return true;
  }
}

const keyOf = ({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string =>
  JSON.stringify([apiVersion, kind, namespace, name, uid]);
