/**
 * Applies objects from files to a cluster with server-side apply, in file order.
 *
 *     --apply examples/frontend.yaml → applyFiles → objects in the cluster
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DiscoveryClient, DynamicMapper, createClient } from "@drover/client";
import type { Unstructured } from "@drover/client";
import { errorText, isJsonObject, parseGroupVersion } from "@drover/machinery";
import type { JsonObject, Runtime, Transport } from "@drover/machinery";
import { CommandError } from "./command-error.ts";
import { readManifest } from "./manifest-file.ts";

/** Where to apply the objects. */
export interface ApplyFilesPlace {
  readonly transport: Transport;
  readonly runtime: Runtime;
}

/**
 * Applies a file, or the YAML and JSON files of a folder by name. Rejects with a `CommandError` that names the file and
 * the problem.
 */
export async function applyFiles(paths: readonly string[], { transport, runtime }: ApplyFilesPlace): Promise<void> {
  const client = createClient({ ...runtime, transport, namespace: "default", fieldManager: "drover-up" });
  const mapper = new DynamicMapper(new DiscoveryClient(transport, runtime), runtime);
  for (const file of paths.flatMap(filesOf)) {
    for (const object of readObjects(file)) {
      try {
        const { group, version } = parseGroupVersion(object.apiVersion ?? "");
        await client
          .dynamic(await mapper.restMapping({ group, kind: object.kind ?? "" }, { versions: [version] }))
          .apply(withLastApplied(object), { force: true });
      } catch (error) {
        throw new CommandError(`${file}: ${object.kind ?? ""} ${object.metadata.name ?? ""} cannot be applied: ${errorText(error)}`, {
          cause: error,
        });
      }
    }
  }
}

/** Lets `kubectl apply -f` of the same file continue from here. */
function withLastApplied(object: Unstructured): Unstructured {
  const { annotations = {} } = object.metadata;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: {
        ...annotations,
        "kubectl.kubernetes.io/last-applied-configuration": `${JSON.stringify({ ...object, metadata: { annotations: {}, ...object.metadata } })}\n`,
      },
    },
  };
}

function filesOf(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new CommandError(`--apply: no such file or folder: ${path}`);
  return found.isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.(?:ya?ml|json)$/.test(name))
        .toSorted()
        .map((name) => join(path, name))
    : [path];
}

function readObjects(file: string): readonly Unstructured[] {
  return readManifest(file).map((document) => {
    if (
      !isJsonObject(document) ||
      typeof document["apiVersion"] !== "string" ||
      typeof document["kind"] !== "string" ||
      !isJsonObject(document["metadata"])
    )
      throw new CommandError(`${file} contains a document that is not a Kubernetes object: apiVersion, kind and metadata are required`);
    return document as JsonObject & Unstructured;
  });
}
