/**
 * Installs the CRD of a resource and waits until it is served.
 *
 *     installed? → incompatible? → apply → Established
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { and, definedOnly, isNotFound } from "@drover/machinery";
import type { DeepReadonly, Schema } from "@drover/machinery";
import { conditionIs, conditionTrue, waitFor } from "@drover/client";
import type { Client } from "@drover/client";
import { IncompatibleResourceError } from "./incompatible-resource-error.ts";
import type { DefinitionOptions, Resource } from "./resource.ts";
import { schemaBreaks } from "./schema-breaks.ts";

/** Options of `installResource`. */
export interface InstallOptions extends DefinitionOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds to wait until the server serves the resource. @default 60000 */
  readonly timeoutMs?: number;
  /** Whether to refuse or install a definition that would break stored objects. @default "refuse" */
  readonly onIncompatible?: "refuse" | "install";
  /** Field manager of the definition. @default "drover" */
  readonly fieldManager?: string;
}

/**
 * Installs a resource and resolves with the stored definition. Writes nothing if it is up to date.
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
  const call = definedOnly({ signal });
  const name = wanted.metadata.name ?? "";
  const installed = await client.get(CustomResourceDefinition, name, call).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (installed !== undefined && onIncompatible === "refuse") {
    const breaks = definitionBreaks(installed, wanted);
    if (breaks.length > 0) throw new IncompatibleResourceError(name, breaks);
  }
  await client.apply(CustomResourceDefinition, { ...wanted, metadata: { name } }, { ...call, fieldManager, force: true });
  const served = await waitFor(
    client,
    CustomResourceDefinition,
    name,
    and(conditionTrue("Established"), conditionIs("NamesAccepted", "True")),
    { ...call, timeoutMs },
  );
  if (served === undefined) throw new Error(`CustomResourceDefinition ${name} was deleted while it was being installed`);
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
    ...gone.map((version) => `version ${version}: objects may still be stored in it; keep it in olderVersions until they are migrated`),
    ...after.versions.flatMap(({ name, schema }) => {
      const old = before.versions.find((version) => version.name === name)?.schema?.openAPIV3Schema;
      const now = schema?.openAPIV3Schema;
      return old === undefined || now === undefined
        ? []
        : schemaBreaks(old as Schema, now as Schema).map((problem) => `${name}, ${problem}`);
    }),
  ];
}
