/**
 * Writes every object of a definition without a change, by an empty patch; the server then stores it in the storage version.
 *
 *     list metadata in chunks → empty patch of each → written, stored in the storage version already, deleted, or refused
 */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { listPages } from "@drover/client";
import type { Client, MetadataClient } from "@drover/client";
import { budget, definedOnly, findApiError, isExpired, isNotFound } from "@drover/machinery";
import type { DeepReadonly, Kind, ListOptions, PartialObjectMetadata, Scope } from "@drover/machinery";
import { persist } from "../resource/persist.ts";
import { kindOf, readCrd } from "./crd-shape.ts";

/** Counts of objects. */
export interface RewriteCounts {
  /** Objects that were listed. */
  readonly objects: number;
  /** Of these, objects that were stored again since; others were stored in the storage version already. */
  readonly written: number;
  /** Of these, objects that another client deleted first. */
  readonly deleted: number;
}

/** How far a migration is. */
export interface MigrationProgress extends RewriteCounts {
  /** Number of objects as the server estimates it. */
  readonly total: number;
}

/** An object that could not be written. */
export interface UnwrittenObject {
  /** Undefined for cluster-scoped objects. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly error: unknown;
}

export interface RewriteOptions {
  readonly chunkSize: number;
  readonly concurrency: number;
  readonly retryMs: number;
  readonly requestMs: number;
  readonly signal: AbortSignal | undefined;
  readonly dryRun: "All" | undefined;
  /** Objects written by an earlier attempt, which add to `written`. */
  readonly before: number;
  readonly onProgress: ((progress: MigrationProgress) => void) | undefined;
}

/** The cause is then hardly the objects. */
const failuresMax = budget({
  name: "patterns/migration-failures",
  limit: 100,
  unit: "items",
  atLimit: "The migration of stored versions stops: the result has the objects that failed, and the definition stays as it is.",
  uncounted: "The result tells it to the caller.",
});
/** How often a list starts again because its token has expired. */
const restartsMax = 3;
/** Attempts of a request that fails with a 500; a conversion webhook that rejects an object does so again. */
const brokenMax = 3;

/**
 * Resolves when every object was tried, or 100 have failed. Rejects if the objects cannot be listed in any served version, and with the
 * signal's reason.
 */
export async function rewriteObjects(
  client: Client,
  crd: DeepReadonly<CustomResourceDefinition>,
  options: RewriteOptions,
): Promise<{ readonly counts: RewriteCounts; readonly failures: readonly UnwrittenObject[] }> {
  const shape = readCrd(crd);
  // In the storage version an object is converted once. It need not be served.
  const versions = shape.versions.filter(({ served }) => served).toSorted((a, b) => Number(b.storage) - Number(a.storage));
  const [first] = versions;
  if (first === undefined)
    throw new Error(`${shape.name} cannot be migrated: it serves none of its versions; set served: true in one of spec.versions`);
  const run = new Rewrite(client, kindOf(shape, first), options);
  for (const [index, version] of versions.entries()) {
    try {
      await run.all(client.metadata(kindOf(shape, version)));
      break;
    } catch (error) {
      // A single object that a webhook cannot convert makes a list fail, but not in the version that the object is stored in.
      if (index === versions.length - 1 || !isOfServer(error)) throw error;
    }
  }
  return { counts: run.counts, failures: [...run.failures.values()] };
}

/** One pass over all objects, possibly listed several times. */
class Rewrite {
  readonly failures: Map<string, UnwrittenObject> = new Map();
  readonly #writer: MetadataClient<Scope>;
  readonly #client: Client;
  readonly #kind: Kind;
  readonly #options: RewriteOptions;
  #counts: RewriteCounts;
  #total = 0;

  constructor(client: Client, kind: Kind, options: RewriteOptions) {
    this.#client = client;
    this.#kind = kind;
    this.#writer = client.metadata(kind);
    this.#options = options;
    this.#counts = { objects: 0, written: options.before, deleted: 0 };
  }

  get counts(): RewriteCounts {
    return this.#counts;
  }

  /** Writes all objects of a list. A list that starts again counts again: what was written is then unchanged. */
  async all(lister: MetadataClient<Scope>): Promise<void> {
    for (let restarts = 0; ; restarts++) {
      this.#counts = { ...this.#counts, objects: 0, deleted: 0 };
      try {
        return await this.#each(this.#pages(lister));
      } catch (error) {
        if (!isExpired(error) || restarts >= restartsMax) throw error;
      }
    }
  }

  /** Several workers take objects from one list. All have ended when it rejects. */
  async #each(items: AsyncGenerator<PartialObjectMetadata, void, undefined>): Promise<void> {
    let isBroken = false;
    const worker = async (): Promise<void> => {
      try {
        for (let next = await items.next(); next.done !== true; next = await items.next()) {
          if (isBroken || this.failures.size >= failuresMax.limit) return;
          await this.#rewrite(next.value);
        }
      } catch (error) {
        isBroken = true;
        throw error;
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: this.#options.concurrency }, worker));
    await items.return();
    for (const result of ended) if (result.status === "rejected") throw result.reason;
  }

  async *#pages(lister: MetadataClient<Scope>): AsyncGenerator<PartialObjectMetadata, void, undefined> {
    const { chunkSize, requestMs, signal } = this.#options;
    const everywhere = this.#kind.scope === "Namespaced" ? { namespace: "*" } : {};
    const page = (asked: ListOptions) =>
      this.#persist(`list ${this.#name}`, (limit) =>
        lister.list({
          ...definedOnly({ limit: asked.limit, continue: asked.continue }),
          ...everywhere,
          signal: limit,
          timeoutMs: requestMs,
        }),
      );
    let listed = 0;
    // Pages of different versions will do: an object that is created meanwhile is stored in the storage version.
    for await (const { items, remainingItemCount } of listPages<PartialObjectMetadata>(
      page,
      {},
      {
        pageSize: chunkSize,
        whenExpired: "inconsistent",
        ...definedOnly({ signal }),
      },
    )) {
      listed += items.length;
      this.#total = listed + (remainingItemCount ?? 0);
      yield* items;
    }
  }

  async #rewrite({ metadata }: PartialObjectMetadata): Promise<void> {
    const { namespace, name = "", resourceVersion } = metadata;
    const { requestMs, dryRun, onProgress, signal } = this.#options;
    const key = `${namespace ?? ""}/${name}`;
    let outcome: "written" | "unchanged" | "deleted" | "failed" = "failed";
    try {
      outcome = await this.#persist(`write ${this.#name} ${key}`, async (limit) => {
        try {
          // Without a version it changes whatever is stored, so it cannot lose against other writers.
          const answer = await this.#writer.patch(
            name,
            { type: "merge", body: {} },
            { ...definedOnly({ namespace, dryRun }), signal: limit, timeoutMs: requestMs },
          );
          return answer.metadata.resourceVersion === resourceVersion ? "unchanged" : "written";
        } catch (error) {
          if (isGone(error, name)) return "deleted";
          throw error;
        }
      });
      this.failures.delete(key);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      this.failures.set(key, { namespace, name, error });
    }
    const { objects, written, deleted } = this.#counts;
    this.#counts = {
      objects: objects + 1,
      written: outcome === "written" ? written + 1 : written,
      deleted: outcome === "deleted" ? deleted + 1 : deleted,
    };
    onProgress?.({ ...this.#counts, total: this.#total });
  }

  get #name(): string {
    const { plural, group } = this.#kind;
    return `${plural}.${group}`;
  }

  #persist<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { retryMs: timeoutMs, signal } = this.#options;
    return persist(work, { clock: this.#client.clock, what, timeoutMs, signal, brokenMax });
  }
}

/** A server that does not serve the resource, or not yet, answers 404 as well, but without the name. */
const isGone = (error: unknown, name: string): boolean => isNotFound(error) && findApiError(error)?.status.details?.name === name;

/** An error that no change of the request avoids, except another version. A cache that cannot be filled answers 429. */
function isOfServer(error: unknown): boolean {
  const code = findApiError(error)?.code ?? 0;
  return code === 429 || code >= 500;
}
