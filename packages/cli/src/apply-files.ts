/**
 * Applies objects from files to a cluster with server-side apply, in file order.
 *
 *     --apply examples/frontend.yaml → applyFiles → objects in the cluster
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DiscoveryClient, DynamicMapper, createClient } from "@drover/client";
import type { Unstructured } from "@drover/client";
import { errorText, formatDuration, isJsonObject, isNoMatchError, parseGroupVersion, poll } from "@drover/machinery";
import type { JsonObject, Runtime, Transport } from "@drover/machinery";
import { CommandError } from "./command-error.ts";
import type { Report } from "./changes/change-line.ts";
import { readManifest } from "./manifest-file.ts";

/** Where to apply the objects. */
export interface ApplyFilesPlace {
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
}

/** An object whose kind the server does not have yet. */
export interface LateObject {
  readonly file: string;
  readonly object: Unstructured;
}

/** Milliseconds to wait for a kind: an operator connects, checks its permissions and installs its definitions first. */
const lateMs = 60_000;
const lookEveryMs = 500;

/**
 * Applies a file, or the YAML and JSON files of a folder by name. Rejects with a `CommandError` that names the file and
 * the problem. With `mayWait` it returns the objects of unknown kinds instead, for `applyLate`.
 */
export async function applyFiles(
  paths: readonly string[],
  { mayWait, ...place }: ApplyFilesPlace & { readonly mayWait: boolean },
): Promise<readonly LateObject[]> {
  const apply = applier(place);
  const late: LateObject[] = [];
  for (const file of paths.flatMap(filesOf)) {
    for (const object of readObjects(file)) {
      try {
        await apply(object);
      } catch (error) {
        if (mayWait && isNoMatchError(error)) late.push({ file, object });
        else throw problem({ file, object }, error);
      }
    }
  }
  return late;
}

/**
 * Applies objects when their kinds exist, which a program may install: waits up to a minute, and reports that it does. Warns
 * about objects that cannot be applied; the cluster goes on. Resolves early when `signal` aborts.
 */
export async function applyLate(
  objects: readonly LateObject[],
  { report, warn, ...place }: ApplyFilesPlace & { readonly report: Report; readonly warn: (message: string) => void },
): Promise<void> {
  const { signal, runtime } = place;
  if (objects.length === 0 || signal.aborted) return;
  const did = `waits up to ${formatDuration(lateMs)} for ${[...new Set(objects.map(kindOf))].join(", ")}: no CustomResourceDefinition has it yet`;
  report({ who: "drover-up", did, kind: "", name: "" });
  const apply = applier(place);
  const untilMs = runtime.clock.monotonic() + lateMs;
  let waiting = objects;
  const round = async (): Promise<boolean> => {
    const missing: LateObject[] = [];
    const isLast = runtime.clock.monotonic() >= untilMs;
    for (const late of waiting) {
      if (signal.aborted) return true;
      await apply(late.object).catch((error: unknown) => {
        if (!isLast && isNoMatchError(error)) missing.push(late);
        else if (!signal.aborted) warn(problem(late, error).message);
      });
    }
    waiting = missing;
    return waiting.length === 0;
  };
  await poll(runtime.clock, { interval: lookEveryMs, immediate: true, signal }, round).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Returns the function that applies one object. */
function applier({ transport, runtime, signal }: ApplyFilesPlace): (object: Unstructured) => Promise<void> {
  const client = createClient({ ...runtime, transport, namespace: "default", fieldManager: "drover-up" });
  const mapper = new DynamicMapper(new DiscoveryClient(transport, runtime), runtime);
  return async (object) => {
    const { group, version } = parseGroupVersion(object.apiVersion ?? "");
    const mapping = await mapper.restMapping({ group, kind: object.kind ?? "" }, { versions: [version], signal });
    await client.dynamic(mapping).apply(withLastApplied(object), { force: true, signal });
  };
}

function problem({ file, object }: LateObject, error: unknown): CommandError {
  const hint = isNoMatchError(error)
    ? "; apply its CustomResourceDefinition before it, or start the operator that installs it with --run"
    : "";
  return new CommandError(`${file}: ${object.kind ?? ""} ${object.metadata.name ?? ""} cannot be applied: ${errorText(error)}${hint}`, {
    cause: error,
  });
}

const kindOf = ({ object: { kind = "", apiVersion = "" } }: LateObject): string => `${kind} of ${apiVersion}`;

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
