/**
 * Deletes dependents whose owners are gone, as the garbage collector of a cluster does, some milliseconds after the cause.
 *
 *     commit → Garbage.onCommit → DELETE of dependents, end of foreground deletions
 */
import type { Stored } from "@drover/apiserver";
import { decodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue, Transport } from "@drover/machinery";
import type { Commit } from "./commits.ts";
import type { Timeline } from "./timeline.ts";

/** Options of `Garbage`. */
export interface GarbageOptions {
  readonly timeline: Timeline;
  readonly server: Transport;
}

interface Known {
  /** Path of the object on the server. */
  readonly path: string;
  readonly uid: string;
  readonly owners: readonly string[];
  readonly references: readonly JsonValue[];
  /** Finalizer of a deletion that waits for the collector. */
  readonly waiting: "foregroundDeletion" | "orphan" | undefined;
  readonly finalizers: readonly string[];
}

const lagMs = 10;

/** Guarantees: what it deletes had only owners that do not exist. Objects from before the schedule count as existing. */
export class Garbage {
  readonly #options: GarbageOptions;
  readonly #objects = new Map<string, Known>();
  readonly #gone = new Set<string>();
  #pending = 0;

  constructor(options: GarbageOptions) {
    this.#options = options;
  }

  /** Whether it has something to do. */
  get isBusy(): boolean {
    return this.#pending > 0;
  }

  readonly onCommit = ({ key, current, previous, request }: Commit): void => {
    const before = this.#objects.get(key);
    const known = current === undefined ? undefined : knownOf(current, before?.path ?? pathOf(key, request));
    if (known === undefined) {
      this.#objects.delete(key);
      const uid = before?.uid ?? (previous === undefined ? undefined : knownOf(previous, "")?.uid);
      if (uid !== undefined) this.#gone.add(uid);
    } else this.#objects.set(key, known);
    const isOwned = known !== undefined && known.owners.length > 0;
    if (known !== undefined && known.waiting === undefined && !isOwned) return;
    this.#pending++;
    this.#options.timeline.after(lagMs, undefined, () => {
      this.#pending--;
      this.#collect();
    });
  };

  #collect(): void {
    for (const object of this.#objects.values()) {
      if (object.waiting !== undefined) this.#finish(object);
      else if (object.owners.length > 0 && object.owners.every((uid) => this.#gone.has(uid))) void this.#send("DELETE", object, undefined);
    }
  }

  #finish(owner: Known): void {
    const dependents = [...this.#objects.values()].filter(({ owners }) => owners.includes(owner.uid));
    const finalizers = owner.finalizers.filter((name) => name !== owner.waiting);
    if (owner.waiting === "foregroundDeletion") {
      for (const dependent of dependents) void this.#send("DELETE", dependent, undefined);
      if (dependents.length > 0) return;
    } else
      for (const dependent of dependents) {
        const ownerReferences = dependent.references.filter((reference) => !isJsonObject(reference) || reference["uid"] !== owner.uid);
        void this.#send("PATCH", dependent, { metadata: { uid: dependent.uid, ownerReferences } });
      }
    void this.#send("PATCH", owner, { metadata: { uid: owner.uid, finalizers } });
  }

  async #send(method: "DELETE" | "PATCH", { path, uid }: Known, patch: JsonObject | undefined): Promise<void> {
    const body = patch ?? { preconditions: { uid }, propagationPolicy: "Background" };
    await this.#options.server({
      method,
      path,
      headers: { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
      body: JSON.stringify(body),
    });
  }
}

/** A create names the collection, other requests the object and perhaps a subresource. */
function pathOf(key: string, request: Commit["request"]): string {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const { method = "", path = "" } = request ?? {};
  if (method === "POST") return `${path}/${name}`;
  const end = path.lastIndexOf(`/${name}`);
  return end === -1 ? path : path.slice(0, end + name.length + 1);
}

function knownOf({ value }: Stored, path: string): Known | undefined {
  if (!value.includes('"uid"')) return undefined;
  const object = decodeJson(value);
  const metadata = isJsonObject(object) ? object["metadata"] : undefined;
  if (!isJsonObject(metadata) || typeof metadata["uid"] !== "string") return undefined;
  const { uid, ownerReferences, finalizers, deletionTimestamp } = metadata;
  const names = Array.isArray(finalizers) ? finalizers.filter((name) => typeof name === "string") : [];
  return {
    path,
    uid,
    references: Array.isArray(ownerReferences) ? ownerReferences : [],
    owners: Array.isArray(ownerReferences)
      ? ownerReferences.flatMap((owner) => (isJsonObject(owner) && typeof owner["uid"] === "string" ? [owner["uid"]] : []))
      : [],
    waiting:
      deletionTimestamp === undefined
        ? undefined
        : names.includes("foregroundDeletion")
          ? "foregroundDeletion"
          : names.includes("orphan")
            ? "orphan"
            : undefined,
    finalizers: names,
  };
}
