/**
 * `drover migrate`: migrates the stored objects of custom resources to the storage version of their definitions.
 *
 *     options → connect → names, or all definitions with older stored versions → migrateStoredVersions → lines, exit code
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { definedOnly, errorText, findApiError } from "@drover/machinery";
import { migrateStoredVersions } from "@drover/patterns";
import type { MigrationProgress, StoredVersionsMigration } from "@drover/patterns";
import { connect } from "drover";
import type { Connection } from "drover";
import { CommandError, isCommandError } from "./command-error.ts";
import type { MigrateOptions } from "./command-line.ts";
import { oneLine } from "./terminal-text.ts";
import { wrapWords } from "./wrap-words.ts";

/** Output and signal of `drover migrate`. */
export interface MigratePlace {
  readonly write: (text: string) => void;
  /** Whether people read the output: the last line then shows the progress. */
  readonly isTerminal: boolean;
  /** Ends the migration between two requests. */
  readonly signal: AbortSignal;
  /** Milliseconds for which a definition must not have changed. @default that of `migrateStoredVersions` */
  readonly settleMs?: number;
}

/**
 * Resolves when every definition is migrated. Rejects with a `CommandError` if one is not; the others are migrated all the same, and the
 * output says which objects have failed.
 */
export async function migrate(options: MigrateOptions, place: MigratePlace): Promise<void> {
  const { kubeconfig, context, definitions, isDryRun } = options;
  const { signal, write } = place;
  let cluster: Connection | undefined;
  try {
    cluster = await connect({ ...definedOnly({ kubeconfig, context }), fieldManager: "drover-migrate" });
    const names = definitions.length > 0 ? [...new Set(definitions)] : await unmigrated(cluster, signal);
    if (names.length === 0) write("Nothing to migrate: every definition has one stored version.\n");
    const left: string[] = [];
    for (const name of names) {
      write(`${oneLine(name)}\n`);
      if (!(await isMigrated(cluster, name, options, place))) left.push(name);
    }
    if (left.length === 0) return;
    const which = left.length === 1 ? oneLine(left[0] ?? "") : `${left.length} of ${names.length} definitions`;
    throw new CommandError(`${which} not migrated${isDryRun ? ", in a dry run" : ""}; the output tells why. It is safe to run it again`, {
      problemCode: "DRV0805",
    });
  } catch (error) {
    if (signal.aborted)
      throw new CommandError("interrupted; the definition keeps its stored versions. Run drover migrate again to continue", {
        cause: error,
      });
    if (isCommandError(error)) throw error;
    throw new CommandError(`cannot read the definitions of the cluster: ${errorText(error)}`, { cause: error });
  } finally {
    await cluster?.close();
  }
}

/** Returns the definitions with objects that may be stored in another version than the storage version. */
async function unmigrated(cluster: Connection, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { metadata, spec, status } of cluster.client.listAll(CustomResourceDefinition, { signal })) {
    const storage = spec.versions.find((version) => version.storage)?.name;
    if (metadata.deletionTimestamp === undefined && status?.storedVersions?.some((version) => version !== storage) === true)
      found.push(metadata.name ?? "");
  }
  return found;
}

/** Migrates one definition and prints the result. */
async function isMigrated(cluster: Connection, name: string, options: MigrateOptions, place: MigratePlace): Promise<boolean> {
  const { signal, write, settleMs } = place;
  const progress = new ProgressLine(place);
  try {
    progress.show("waiting until all servers use the storage version");
    const result = await migrateStoredVersions(cluster.client, name, {
      ...definedOnly({ settleMs, dryRun: options.isDryRun ? ("All" as const) : undefined }),
      chunkSize: options.chunkSize,
      signal,
      onProgress: ({ objects, total }: MigrationProgress) => progress.show(`${objects} of ${Math.max(objects, total)} objects`),
    });
    progress.clear();
    for (const line of resultLines(result)) write(indented(line));
    return result.outcome !== "failed" && result.outcome !== "changed";
  } catch (error) {
    progress.clear();
    if (signal.aborted) throw error;
    const { code, details } = findApiError(error)?.status ?? {};
    const isMissing = code === 404 && details?.name === name;
    write(indented(isMissing ? await missing(cluster, name, signal) : `failed: ${oneLine(errorText(error))}`));
    return false;
  }
}

function resultLines(result: StoredVersionsMigration): readonly string[] {
  const { outcome, storageVersion, olderVersions, objects, written, deleted, failures } = result;
  const older = olderVersions.join(", ");
  const counts = [
    `${objects} ${objects === 1 ? "object" : "objects"}`,
    ...(outcome === "checked" ? [] : [`${written} written`]),
    ...(deleted === 0 ? [] : [`${deleted} deleted by others`]),
    ...(failures.length === 0 ? [] : [`${failures.length} failed`]),
  ].join(", ");
  const failed = failures.map(
    ({ namespace, name, error }) =>
      `failed ${oneLine(namespace === undefined ? name : `${namespace}/${name}`)}: ${oneLine(errorText(error))}`,
  );
  const told: Readonly<Record<StoredVersionsMigration["outcome"], readonly string[]>> = {
    current: [`nothing to do: all objects are stored in ${storageVersion}`],
    migrated: [counts, `all objects are stored in ${storageVersion}; ${older} can be removed from spec.versions`],
    checked: [counts, `dry run: nothing was written; ${older} can be migrated to ${storageVersion}`],
    failed: [...failed, counts, `status.storedVersions still has ${older}`],
    changed: [counts, "the definition changed while objects were written; run it again when it does not change"],
  };
  return told[outcome];
}

const builtIn = "storagemigration.k8s.io/v1beta1";

/** The server itself migrates built-in resources, if it is told to. */
async function missing(cluster: Connection, name: string, signal: AbortSignal): Promise<string> {
  const served = await cluster.discovery.serverResourcesForGroupVersion(builtIn, { signal }).then(
    () => true,
    () => false,
  );
  const words = served
    ? `for built-in resources this cluster serves StorageVersionMigration of ${builtIn}`
    : `for built-in resources a cluster must serve StorageVersionMigration of ${builtIn}, and this one does not`;
  return `failed: this cluster has no CustomResourceDefinition ${oneLine(name)}; ${words}`;
}

const indented = (text: string): string => `${wrapWords(text).replaceAll(/^/gm, "  ")}\n`;

/** One line at the end of a terminal's output that is written again and again. Nothing for pipes. */
class ProgressLine {
  readonly #place: MigratePlace;
  #shownMs = -Infinity;

  constructor(place: MigratePlace) {
    this.#place = place;
  }

  /** Shows a text, at most ten times a second. */
  show(text: string): void {
    const now = performance.now();
    if (!this.#place.isTerminal || now - this.#shownMs < 100) return;
    this.#shownMs = now;
    this.#place.write(`\r\u001b[K  ${text}`);
  }

  clear(): void {
    if (this.#place.isTerminal) this.#place.write("\r\u001b[K");
  }
}
