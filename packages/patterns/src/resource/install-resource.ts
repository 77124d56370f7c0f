/**
 * Puts a resource's definition into a cluster and waits until objects of it can be made.
 *
 *     installed? → what would break? → apply → Established
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { and, isNotFound } from "@drover/machinery";
import type { DeepReadonly, Schema } from "@drover/machinery";
import { conditionIs, conditionTrue, waitFor } from "@drover/client";
import type { Client } from "@drover/client";
import { IncompatibleResourceError } from "./incompatible-resource-error.ts";
import type { DefinitionOptions, Resource } from "./resource.ts";
import { schemaBreaks } from "./schema-breaks.ts";

export interface InstallOptions extends DefinitionOptions {
  readonly signal?: AbortSignal;
  /** How long the server may take until it serves the resource, in milliseconds. @default 60000 */
  readonly timeoutMs?: number;
  /** Whether a definition that stored objects may not survive is refused, or installed all the same. @default "refuse" */
  readonly onIncompatible?: "refuse" | "install";
  /** Who owns the definition's fields. @default "drover" */
  readonly fieldManager?: string;
}

/**
 * Resolves with the definition as the server has it. Nothing is written when it is there already as it should be.
 *
 * Rejects with an `IncompatibleResourceError`, before anything is written, when objects that are stored would be
 * refused or lose fields; and
 * with what the server says when it does not take the names.
 */
export async function installResource(client: Client, resource: Resource, options: InstallOptions = {}): Promise<CustomResourceDefinition> {
  const { conversionWebhook, ...rest } = options;
  return installDefinition(client, resource.definition(conversionWebhook === undefined ? {} : { conversionWebhook }), rest);
}

/** `installResource` for a definition that was made by other means. */
export async function installDefinition(
  client: Client,
  wanted: DeepReadonly<CustomResourceDefinition>,
  options: Omit<InstallOptions, keyof DefinitionOptions> = {},
): Promise<CustomResourceDefinition> {
  const { timeoutMs = 60_000, onIncompatible = "refuse", fieldManager = "drover", signal } = options;
  const call = signal === undefined ? {} : { signal };
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
  if (served === undefined) throw new Error(`${name} was deleted while it was being installed`);
  return served;
}

/** What would become of stored objects, and of those who use the names. */
function definitionBreaks(
  { spec: before, status }: DeepReadonly<CustomResourceDefinition>,
  { spec: after }: DeepReadonly<CustomResourceDefinition>,
): readonly string[] {
  const names = after.versions.map(({ name }) => name);
  const gone = (status?.storedVersions ?? []).filter((version) => !names.includes(version));
  return [
    ...(before.scope === after.scope ? [] : [`scope: was ${before.scope}, and now is ${after.scope}; that cannot be changed`]),
    ...(before.names.kind === after.names.kind ? [] : [`kind: was ${before.names.kind}, and now is ${after.names.kind}`]),
    ...gone.map((version) => `version ${version}: objects may still be stored in it; keep it in olderVersions until they are written anew`),
    ...after.versions.flatMap(({ name, schema }) => {
      const old = before.versions.find((version) => version.name === name)?.schema?.openAPIV3Schema;
      const now = schema?.openAPIV3Schema;
      return old === undefined || now === undefined
        ? []
        : schemaBreaks(old as Schema, now as Schema).map((problem) => `${name}, ${problem}`);
    }),
  ];
}
