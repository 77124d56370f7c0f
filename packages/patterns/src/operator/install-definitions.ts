/**
 * Installs the CRDs of an operator's resources before it starts. An operator without that permission still runs if they
 * are installed.
 *
 *     Resource → installResource;   forbidden → served? → continue | MistakeError
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Client } from "@drover/client";
import { conversionClause } from "@drover/controller";
import type { WebhookTarget } from "@drover/controller";
import { definedOnly, isForbidden, isNotFound } from "@drover/machinery";
import type { Log } from "@drover/machinery";
import { installResource } from "../resource/install-resource.ts";
import type { DefinitionOptions, Resource } from "../resource/resource.ts";
import { MistakeError } from "./mistake-error.ts";

/** Options of `installDefinitions`. */
export interface InstallDefinitionsOptions {
  /** Name of the operator; used as field manager. */
  readonly name: string;
  readonly client: Client;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** How the API server reaches converters. @default none: the definitions need no converters */
  readonly conversionTarget?: WebhookTarget;
}

/** Installs the definitions one by one. Rejects with `MistakeError` if one may not be installed and is not served. */
export async function installDefinitions(
  resources: readonly Resource[],
  { name, client, log, signal, conversionTarget }: InstallDefinitionsOptions,
): Promise<void> {
  for (const resource of resources) {
    try {
      const conversionWebhook =
        resource.needsConversion === true && conversionTarget !== undefined
          ? await conversionConfig(resource, conversionTarget, { client, signal })
          : undefined;
      await installResource(client, resource, { signal, fieldManager: name, ...definedOnly({ conversionWebhook }) });
    } catch (error) {
      if (!isForbidden(error)) throw error;
      await requireServed(resource, client, { signal, error });
      log.warn("not allowed to install the definition of the resource, continuing with the installed one", {
        definition: `${resource.plural}.${resource.group}`,
        code: "DRV0352",
      });
    }
  }
}

/**
 * Returns the address of the converter. An installed address of the same form stays, with its CA bundle: the registration corrects it
 * when the port is open, and until then other replicas answer there.
 */
async function conversionConfig(
  { plural, group }: Resource,
  target: WebhookTarget,
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<NonNullable<DefinitionOptions["conversionWebhook"]>> {
  const installed = await client.get(CustomResourceDefinition, `${plural}.${group}`, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  const known = installed?.spec.conversion?.webhook?.clientConfig;
  const isSameForm = known !== undefined && ("url" in target ? known.url !== undefined : isSameService(known.service, target.service));
  if (isSameForm) return definedOnly({ url: known.url, service: known.service, caBundle: known.caBundle });
  return conversionClause(target, undefined).webhook.clientConfig;
}

const isSameService = (
  one: { readonly namespace: string; readonly name: string } | undefined,
  other: { readonly namespace: string; readonly name: string },
): boolean => one?.namespace === other.namespace && one.name === other.name;

/** Rejects with `MistakeError` if the server does not serve the resource. @param error - the cause that is attached */
export async function requireServed(
  resource: Resource,
  client: Client,
  { signal, error }: { readonly signal: AbortSignal; readonly error: unknown },
): Promise<void> {
  const definition = `${resource.plural}.${resource.group}`;
  try {
    await client.list(resource, { limit: 1, signal, ...(resource.scope === "Cluster" ? {} : { namespace: "*" }) });
  } catch (missing) {
    // Also for Forbidden: the permission check reports it, with a fix.
    if (!isNotFound(missing)) return;
    throw new MistakeError(
      {
        where: `definition ${definition}`,
        what: `the server does not serve it, and this program ${isForbidden(error) ? "is not allowed to install it" : "must not install it (install: false)"}`,
        code: "DRV0105",
        fix: `let a cluster admin install it: print ${resource.kind}.definition() as YAML and run kubectl apply -f\nor grant this program the roles of app.roles(), and run it with install: true`,
      },
      { cause: error },
    );
  }
}
