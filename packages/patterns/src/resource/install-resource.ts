/**
 * Installs the CRD of a resource and waits until it is served.
 *
 *     installed? → incompatible? → apply → Established
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { and, definedOnly, isNotFound, isTimeoutError } from "@drover/machinery";
import type { DeepReadonly, Schema } from "@drover/machinery";
import { conditionIs, conditionTrue, waitFor } from "@drover/client";
import type { Client } from "@drover/client";
import { PassingError, persist } from "./persist.ts";
import { IncompatibleResourceError } from "./incompatible-resource-error.ts";
import type { DefinitionOptions, Resource } from "./resource.ts";
import { schemaBreaks } from "./schema-breaks.ts";

/** Options of `installResource`. */
export interface InstallOptions extends DefinitionOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds to retry and to wait until the server serves the resource. @default 60000 */
  readonly timeoutMs?: number;
  /** Whether to refuse or install a definition that would break stored objects. @default "refuse" */
  readonly onIncompatible?: "refuse" | "install";
  /** Field manager of the definition. @default "drover" */
  readonly fieldManager?: string;
}

/**
 * Installs a resource and resolves with the stored definition. Writes nothing if it is up to date. Retries after conflicts, lost
 * connections and responses, and errors of a busy server.
 *
 * Rejects with `IncompatibleResourceError`, before any write, if stored objects would become invalid or lose fields;
 * and with the server's error if it does not accept the names.
 */
export async function installResource(client: Client, resource: Resource, options: InstallOptions = {}): Promise<CustomResourceDefinition> {
  const { conversionWebhook, ...rest } = options;
  return installDefinition(client, resource.definition(definedOnly({ conversionWebhook })), rest);
}

/** Same as `installResource`, for a definition from another source. */
export async function installDefinition(
  client: Client,
  wanted: DeepReadonly<CustomResourceDefinition>,
  options: Omit<InstallOptions, keyof DefinitionOptions> = {},
): Promise<CustomResourceDefinition> {
  const { timeoutMs = 60_000, onIncompatible = "refuse", fieldManager = "drover", signal } = options;
  const name = wanted.metadata.name ?? "";
  const rules = { onIncompatible, fieldManager };
  return persist((limit) => installOnce(client, name, wanted, { ...rules, signal: limit }), {
    clock: client.clock,
    what: `install CustomResourceDefinition ${name}`,
    timeoutMs,
    signal,
  });
}

/** Timeout of one request: a response that was lost without an error must not use up all the time. */
const requestMs = 10_000;
/** Timeout of one wait for the server, for the same reason. */
const servedMs = 20_000;

/** Every step can be repeated: an apply of the same definition changes nothing. */
async function installOnce(
  client: Client,
  name: string,
  wanted: DeepReadonly<CustomResourceDefinition>,
  {
    onIncompatible,
    fieldManager,
    signal,
  }: { readonly signal: AbortSignal } & Required<Pick<InstallOptions, "onIncompatible" | "fieldManager">>,
): Promise<CustomResourceDefinition> {
  const call = { signal, timeoutMs: requestMs };
  const installed = await client.get(CustomResourceDefinition, name, call).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (installed !== undefined && onIncompatible === "refuse") {
    const breaks = definitionBreaks(installed, wanted);
    if (breaks.length > 0) throw new IncompatibleResourceError(name, breaks);
  }
  // Only over the version that was compared: a delayed request must not undo what a newer program has installed since.
  const seen = installed === undefined ? {} : definedOnly({ resourceVersion: installed.metadata.resourceVersion });
  await client.apply(CustomResourceDefinition, { ...wanted, metadata: { name, ...seen } }, { ...call, fieldManager, force: true });
  const isServed = and(conditionTrue("Established"), conditionIs("NamesAccepted", "True"));
  let conditions = "no conditions";
  const served = await waitFor(
    client,
    CustomResourceDefinition,
    name,
    (definition) => {
      conditions = (definition?.status?.conditions ?? [])
        .map(({ type, status, message = "" }) => `${type}=${status} ${message}`)
        .join(", ");
      return isServed(definition);
    },
    { signal, timeoutMs: servedMs },
  ).catch((error: unknown) => {
    if (error !== signal.reason && !isTimeoutError(error)) throw error;
    throw new PassingError(`the server does not serve it yet: ${conditions}`, { cause: error });
  });
  if (served === undefined) throw new PassingError(`CustomResourceDefinition ${name} was deleted while it was being installed`);
  return served;
}

/** Incompatibilities for stored objects and for users of the names. */
function definitionBreaks(
  { spec: before, status }: DeepReadonly<CustomResourceDefinition>,
  { spec: after }: DeepReadonly<CustomResourceDefinition>,
): readonly string[] {
  const names = after.versions.map(({ name }) => name);
  const gone = (status?.storedVersions ?? []).filter((version) => !names.includes(version));
  return [
    ...(before.scope === after.scope ? [] : [`scope: was ${before.scope}, now ${after.scope}; the scope cannot be changed`]),
    ...(before.names.kind === after.names.kind ? [] : [`kind: was ${before.names.kind}, now ${after.names.kind}`]),
    ...gone.map(
      (version) =>
        `version ${version}: objects may still be stored in it; keep it in olderVersions until "drover migrate" has migrated them`,
    ),
    ...after.versions.flatMap(({ name, schema }) => {
      const old = before.versions.find((version) => version.name === name)?.schema?.openAPIV3Schema;
      const now = schema?.openAPIV3Schema;
      return old === undefined || now === undefined
        ? []
        : schemaBreaks(old as Schema, now as Schema).map((problem) => `${name}, ${problem}`);
    }),
  ];
}
