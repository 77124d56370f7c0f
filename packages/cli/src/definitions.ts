/**
 * Reads CustomResourceDefinitions for `drover kinds` from files or a cluster.
 *
 *     files → readDefinitions ┐
 *     cluster → listDefinitions ┴→ definitions → generateKinds
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { definedOnly, errorText, isJsonObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { isCrd } from "@drover/patterns";
import { connect } from "drover";
import type { Connection } from "drover";
import { CommandError } from "./command-error.ts";
import type { KindsOptions } from "./command-line.ts";
import { readManifest } from "./manifest-file.ts";

/** Returns every definition in the files, also those in lists; skips other objects. Throws a `CommandError` for a file without any. */
export function readDefinitions(files: readonly string[]): readonly JsonValue[] {
  return files.flatMap((file) => {
    const found = readManifest(file).flatMap(itemsOf).filter(isCrd);
    if (found.length === 0)
      throw new CommandError(`${file} contains no CustomResourceDefinition; "kubectl get crd NAME -o yaml" prints one`);
    return found;
  });
}

/**
 * Returns every definition of a cluster. Rejects with a `CommandError` if the cluster is unreachable or denies access,
 * or if `signal` aborts.
 */
export async function listDefinitions(
  { kubeconfig, context }: NonNullable<KindsOptions["cluster"]>,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  let cluster: Connection | undefined;
  try {
    cluster = await connect(definedOnly({ kubeconfig, context }));
    const found: unknown[] = [];
    for await (const definition of cluster.client.listAll(CustomResourceDefinition, { signal })) found.push(definition);
    return found;
  } catch (error) {
    if (signal.aborted) throw new CommandError("interrupted before all definitions were listed; nothing was written", { cause: error });
    throw new CommandError(`cannot list the definitions of the cluster: ${errorText(error)}`, {
      cause: error,
    });
  } finally {
    await cluster?.close();
  }
}

/** `kubectl get -o yaml` writes several objects as a list. */
function itemsOf(document: JsonValue): readonly JsonValue[] {
  const items = isJsonObject(document) ? document["items"] : undefined;
  return Array.isArray(items) ? items : [document];
}
