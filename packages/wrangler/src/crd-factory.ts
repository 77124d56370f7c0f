/**
 * Installs CRDs and waits until they are served.
 *
 *     newCrdFactory({ client, log }).createCRDs(signal, crd.namespacedType(…)) → Established
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Client } from "@drover/client";
import { isForbidden } from "@drover/machinery";
import type { DeepReadonly, Log } from "@drover/machinery";
import { printYaml } from "@drover/yaml";
import { installDefinition } from "@drover/patterns";
import type { CRD } from "./crd-builder.ts";

/** Options of `newCrdFactory`. */
export interface CrdFactoryOptions {
  readonly client: Client;
  readonly log: Log;
  /** Milliseconds to wait until the server serves a definition. @default 60000 */
  readonly timeoutMs?: number;
  /** Field manager of the definitions. @default "wrangler" */
  readonly fieldManager?: string;
}

/** A builder or a definition. */
export type AnyDefinition = CRD | DeepReadonly<CustomResourceDefinition>;

/** Guarantees: does not write definitions that are up to date; never deletes anything. */
export interface CrdFactory {
  /**
   * Installs all definitions and resolves with them by name when all are served. If the program may not list
   * definitions, assumes that they are installed, logs a warning, and resolves with an empty map.
   */
  createCRDs(signal: AbortSignal, ...definitions: readonly AnyDefinition[]): Promise<ReadonlyMap<string, CustomResourceDefinition>>;
  /** Starts `createCRDs`; `batchWait` waits for the result. Can be called several times. */
  batchCreateCRDs(signal: AbortSignal, ...definitions: readonly AnyDefinition[]): CrdFactory;
  /** Resolves when every batch is installed. Rejects with the first error. */
  batchWait(): Promise<void>;
}

/** Creates a factory. Sends no request yet. */
export function newCrdFactory(options: CrdFactoryOptions): CrdFactory {
  return new BatchedDefinitions(options);
}

class BatchedDefinitions implements CrdFactory {
  readonly #options: CrdFactoryOptions;
  #batches: Promise<unknown>[] = [];

  constructor(options: CrdFactoryOptions) {
    this.#options = options;
  }

  async createCRDs(signal: AbortSignal, ...definitions: readonly AnyDefinition[]): Promise<ReadonlyMap<string, CustomResourceDefinition>> {
    const { client, log, timeoutMs = 60_000, fieldManager = "wrangler" } = this.#options;
    if (definitions.length === 0) return new Map();
    try {
      await client.list(CustomResourceDefinition, { limit: 1, signal });
    } catch (error) {
      signal.throwIfAborted();
      // The installation meets any other failure again, and retries.
      if (isForbidden(error)) {
        log.warn("not allowed to list definitions, assuming they are installed", {
          definitions: crdObjects(...definitions).map(({ metadata: { name } }) => name),
          error,
        });
        return new Map();
      }
    }
    const installed = await Promise.all(
      crdObjects(...definitions).map((definition) =>
        installDefinition(client, definition, { signal, timeoutMs, fieldManager, onIncompatible: "install" }),
      ),
    );
    return new Map(installed.map((definition) => [definition.metadata.name ?? "", definition]));
  }

  batchCreateCRDs(signal: AbortSignal, ...definitions: readonly AnyDefinition[]): CrdFactory {
    const batch = this.createCRDs(signal, ...definitions);
    // `batchWait` reports the failure; until then it must not count as an unhandled rejection.
    batch.catch(() => undefined);
    this.#batches.push(batch);
    return this;
  }

  async batchWait(): Promise<void> {
    const batches = this.#batches;
    this.#batches = [];
    await Promise.all(batches);
  }
}

/** Returns the definitions as objects. */
export function crdObjects(...definitions: readonly AnyDefinition[]): readonly CustomResourceDefinition[] {
  return definitions.map((definition) =>
    "toCustomResourceDefinition" in definition ? definition.toCustomResourceDefinition() : (definition as CustomResourceDefinition),
  );
}

/** Prints the definitions as YAML, one document each: Wrangler's Print and WriteFile. */
export function printCRDs(...definitions: readonly AnyDefinition[]): string {
  return crdObjects(...definitions)
    .map((definition) => printYaml(definition))
    .join("---\n");
}
