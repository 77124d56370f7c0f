/**
 * Where `drover kinds` finds CustomResourceDefinitions: in files, or in a cluster.
 *
 *     files → readDefinitions ┐
 *     cluster → listDefinitions ┴→ definitions → generateKinds
 */
import { readFileSync } from "node:fs";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { isJsonObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { isCrd } from "@drover/patterns";
import { parseYamlDocuments } from "@drover/yaml";
import { connect } from "drover";
import type { Connection } from "drover";
import { CommandError } from "./command-error.ts";
import type { KindsOptions } from "./command-line.ts";

/**
 * Every definition in the files, those in lists included; other objects are passed over. Throws a `CommandError` about
 * a file that has none.
 */
export function readDefinitions(files: readonly string[]): readonly JsonValue[] {
  return files.flatMap((file) => {
    const found = readDocuments(file).flatMap(itemsOf).filter(isCrd);
    if (found.length === 0)
      throw new CommandError(`${file} has no CustomResourceDefinition in it; "kubectl get crd NAME -o yaml" writes one`);
    return found;
  });
}

/** Every definition of a cluster. Rejects with a `CommandError` when it cannot be reached, does not let us, or the signal ends it. */
export async function listDefinitions(
  { kubeconfig, context }: NonNullable<KindsOptions["cluster"]>,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  let cluster: Connection | undefined;
  try {
    cluster = await connect({ ...(kubeconfig === undefined ? {} : { kubeconfig }), ...(context === undefined ? {} : { context }) });
    const found: unknown[] = [];
    for await (const definition of cluster.client.listAll(CustomResourceDefinition, { signal })) found.push(definition);
    return found;
  } catch (error) {
    if (signal.aborted) throw new CommandError("ended before all definitions were listed; nothing was written", { cause: error });
    throw new CommandError(`the definitions of the cluster cannot be listed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    await cluster?.close();
  }
}

function readDocuments(file: string): readonly JsonValue[] {
  try {
    return parseYamlDocuments(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** What `kubectl get -o yaml` writes of several objects is a list of them. */
function itemsOf(document: JsonValue): readonly JsonValue[] {
  const items = isJsonObject(document) ? document["items"] : undefined;
  return Array.isArray(items) ? items : [document];
}
