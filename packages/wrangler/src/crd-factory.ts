/**
 * Puts definitions into a cluster and waits until objects of them can be made.
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

export interface CrdFactoryOptions {
  readonly client: Client;
  readonly log: Log;
  /** How long the server may take to serve one definition, in milliseconds. @default 60000 */
  readonly timeoutMs?: number;
  /** Who owns the definitions' fields. @default "wrangler" */
  readonly fieldManager?: string;
}

/** What a definition may be given as. */
export type AnyDefinition = CRD | DeepReadonly<CustomResourceDefinition>;

/** Guarantees: definitions that are there already as they should be are not written; nothing is ever deleted. */
export interface CrdFactory {
  /**
   * Installs all and resolves with them, by name, when all are served. Where definitions may not even be listed, they
   * are taken to be there:
   * the log says so, and the answer is empty.
   */
  createCRDs(signal: AbortSignal, ...definitions: readonly AnyDefinition[]): Promise<ReadonlyMap<string, CustomResourceDefinition>>;
  /** Begins the same; `batchWait` tells how it went. May be called several times. */
  batchCreateCRDs(signal: AbortSignal, ...definitions: readonly AnyDefinition[]): CrdFactory;
  /** Resolves when every batch has been installed. Rejects with the first failure. */
  batchWait(): Promise<void>;
}

/** A factory; nothing is asked of the server yet. */
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
      if (!isForbidden(error)) throw error;
      log.warn("definitions may not be listed; they are taken to be there already", {
        definitions: crdObjects(...definitions).map(({ metadata: { name } }) => name),
        error,
      });
      return new Map();
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
    // Until somebody waits for it nobody hears of a failure, which is not to end the process.
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

/** The definitions as objects. */
export function crdObjects(...definitions: readonly AnyDefinition[]): readonly CustomResourceDefinition[] {
  return definitions.map((definition) =>
    "toCustomResourceDefinition" in definition ? definition.toCustomResourceDefinition() : (definition as CustomResourceDefinition),
  );
}

/** The definitions as YAML, one document each: Wrangler's Print and WriteFile. */
export function printCRDs(...definitions: readonly AnyDefinition[]): string {
  return crdObjects(...definitions)
    .map((definition) => printYaml(definition))
    .join("---\n");
}
