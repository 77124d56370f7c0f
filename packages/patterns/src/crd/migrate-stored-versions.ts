/**
 * Migrates the stored objects of a CustomResourceDefinition to its storage version, so that older versions can be removed.
 *
 *     storedVersions: [v1alpha1, v1] → write every object → definition unchanged? → storedVersions: [v1]
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Client } from "@drover/client";
import { definedOnly, isConflict, sleep } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { PassingError, persist } from "../resource/persist.ts";
import { rewriteObjects } from "./rewrite-objects.ts";
import type { MigrationProgress, RewriteCounts, UnwrittenObject } from "./rewrite-objects.ts";

/** Options of `migrateStoredVersions`. */
export interface MigrateStoredVersionsOptions {
  /** Stops the migration, which rejects with the signal's reason. It can be started again at any time. @default none */
  readonly signal?: AbortSignal;
  /** Objects per list request, at least 1. @default 500 */
  readonly chunkSize?: number;
  /** Objects written at the same time, at least 1. @default 8 */
  readonly concurrency?: number;
  /**
   * Milliseconds for which the definition must not have changed before the first write. A server that has not seen the new storage version
   * yet still writes the old one; several servers see it at different times. @default 5000
   */
  readonly settleMs?: number;
  /** Milliseconds to retry a request after a lost connection, a timeout, or an answer of a busy server. @default 60000 */
  readonly retryMs?: number;
  /** "All" lets the server check and convert every object, but writes none and keeps `status.storedVersions`. @default writes */
  readonly dryRun?: "All";
  /** Called after every object. Exceptions end the migration. @default no callback */
  readonly onProgress?: (progress: MigrationProgress) => void;
}

/** Result of a migration. */
export interface StoredVersionsMigration extends RewriteCounts {
  /**
   * "current": the storage version was the only stored version. "migrated": it is now. "checked": a dry run without failures. "failed":
   * some objects are in `failures`. "changed": the definition changed during each of five attempts. Only "migrated" has written the
   * definition.
   */
  readonly outcome: "current" | "migrated" | "checked" | "failed" | "changed";
  /** Name of the definition, "widgets.shop.example.com". */
  readonly definition: string;
  readonly storageVersion: string;
  /** Versions besides the storage version that `status.storedVersions` had. */
  readonly olderVersions: readonly string[];
  /** The objects that could not be written, at most 100: the migration then stops. */
  readonly failures: readonly UnwrittenObject[];
}

/** How often the migration starts because the definition has changed. */
const attemptsMax = 5;
/** Timeout of one request. */
const requestMs = 30_000;
/** A day: longer times are mistakes of the unit. */
const timeMaxMs = 24 * 60 * 60 * 1000;

/**
 * Writes every object of a definition unchanged, so that the server stores it in the storage version, and then removes the other
 * versions from `status.storedVersions`. Does nothing if there are none.
 *
 * Guarantees: removes no version before every object was written, nor if the spec of the definition has changed since. Changes of other
 * clients are never lost. Every step can be repeated, so a migration that was interrupted is simply started again.
 *
 * Needs `get` on the definition, `patch` on `customresourcedefinitions/status`, and `list` and `patch` on the resource in all namespaces.
 * Rejects with the server's error if it refuses a list or a request for the definition, and with a `TimeoutError` after `retryMs`; objects
 * that it refuses are in the result.
 *
 *     const { outcome, failures } = await migrateStoredVersions(cluster.client, "widgets.shop.example.com");
 */
export async function migrateStoredVersions(
  client: Client,
  definition: string,
  options: MigrateStoredVersionsOptions = {},
): Promise<StoredVersionsMigration> {
  const { chunkSize = 500, concurrency = 8, settleMs = 5_000, retryMs = 60_000, signal, dryRun, onProgress } = options;
  for (const [name, value] of Object.entries({ chunkSize, concurrency }))
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} must be a positive whole number, not ${value}`);
  for (const [name, value, least] of [["settleMs", settleMs, 0] as const, ["retryMs", retryMs, 1] as const])
    if (!(value >= least && value <= timeMaxMs)) throw new RangeError(`${name} must be milliseconds from ${least} to a day, not ${value}`);
  const definitions = new Definitions(client, definition, { retryMs, signal });
  let seen = storedVersionsOf(await definitions.get());
  let counts: RewriteCounts = { objects: 0, written: 0, deleted: 0 };
  const result = (
    outcome: StoredVersionsMigration["outcome"],
    { storageVersion, olderVersions }: SeenDefinition,
    failures: readonly UnwrittenObject[] = [],
  ): StoredVersionsMigration => ({ ...counts, outcome, definition, storageVersion, olderVersions, failures });
  for (let attempt = 1; attempt <= attemptsMax && seen.olderVersions.length > 0; attempt++) {
    await sleep(client.clock, settleMs, definedOnly({ signal }));
    const target = storedVersionsOf(await definitions.get());
    const hasChanged = target.uid !== seen.uid || target.generation !== seen.generation;
    seen = target;
    if (hasChanged || target.olderVersions.length === 0) continue;
    const shared = { chunkSize, concurrency, retryMs, requestMs, signal, dryRun, onProgress };
    const { counts: now, failures } = await rewriteObjects(client, target.crd, { ...shared, before: counts.written });
    counts = now;
    if (failures.length > 0) return result("failed", target, failures);
    if (dryRun !== undefined) return result("checked", target);
    const changed = await definitions.finish(target);
    if (changed === undefined) return result("migrated", target);
    seen = storedVersionsOf(changed);
  }
  return result(seen.olderVersions.length === 0 ? "current" : "changed", seen);
}

/** What a migration reads in a definition. */
interface SeenDefinition {
  readonly crd: DeepReadonly<CustomResourceDefinition>;
  readonly uid: string;
  /** Changes with every change of the spec, also one that is undone later. */
  readonly generation: number;
  readonly storageVersion: string;
  readonly olderVersions: readonly string[];
}

function storedVersionsOf(crd: DeepReadonly<CustomResourceDefinition>): SeenDefinition {
  const { metadata, spec, status } = crd;
  const storageVersion = spec.versions.find(({ storage }) => storage)?.name ?? "";
  return {
    crd,
    uid: metadata.uid ?? "",
    generation: metadata.generation ?? 0,
    storageVersion,
    olderVersions: (status?.storedVersions ?? []).filter((version) => version !== storageVersion),
  };
}

/** Reads and writes one definition. */
class Definitions {
  readonly #client: Client;
  readonly #name: string;
  readonly #retry: { readonly retryMs: number; readonly signal: AbortSignal | undefined };

  constructor(client: Client, name: string, retry: { readonly retryMs: number; readonly signal: AbortSignal | undefined }) {
    this.#client = client;
    this.#name = name;
    this.#retry = retry;
  }

  get(): Promise<CustomResourceDefinition> {
    return this.#persist("read", (signal) => this.#client.get(CustomResourceDefinition, this.#name, { signal, timeoutMs: requestMs }));
  }

  /** Removes the older versions from the status; resolves with the definition instead if it has changed. */
  finish({ uid, generation, storageVersion }: SeenDefinition): Promise<CustomResourceDefinition | undefined> {
    return this.#persist("write the stored versions of", async (signal) => {
      const call = { signal, timeoutMs: requestMs };
      const crd = await this.#client.get(CustomResourceDefinition, this.#name, call);
      const { resourceVersion = "", ...now } = crd.metadata;
      if (now.uid !== uid || now.generation !== generation) return crd;
      const patch = {
        type: "merge",
        body: { metadata: { uid, resourceVersion }, status: { storedVersions: [storageVersion] } },
      } as const;
      await this.#client
        .resource(CustomResourceDefinition)
        .status.patch(this.#name, patch, call)
        .catch((error: unknown) => {
          // The definition is read again before the next attempt: a condition may have changed, or the spec.
          if (isConflict(error)) throw new PassingError(`CustomResourceDefinition ${this.#name} has changed`, { cause: error });
          throw error;
        });
      return undefined;
    });
  }

  #persist<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { retryMs: timeoutMs, signal } = this.#retry;
    const { clock } = this.#client;
    return persist(work, { clock, what: `${what} CustomResourceDefinition ${this.#name}`, timeoutMs, signal });
  }
}
