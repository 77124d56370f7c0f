/**
 * Definitions of an operator's resources, installed before it starts. Who may not install them may still run, as long as somebody has.
 *
 *     Resource → installResource;   forbidden → is it served? → go on | what to do
 */
import type { Client } from "@drover/client";
import { isForbidden, isNotFound } from "@drover/machinery";
import type { Log } from "@drover/machinery";
import { installResource } from "../resource/install-resource.ts";
import type { Resource } from "../resource/resource.ts";
import { MistakeError } from "./mistake-error.ts";

export interface InstallDefinitionsOptions {
  /** Of the operator, for the ownership of fields. */
  readonly name: string;
  readonly client: Client;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** One after the other. Rejects with a `MistakeError` for a resource that may not be installed and is not there. */
export async function installDefinitions(
  resources: readonly Resource[],
  { name, client, log, signal }: InstallDefinitionsOptions,
): Promise<void> {
  for (const resource of resources) {
    try {
      await installResource(client, resource, { signal, fieldManager: name });
    } catch (error) {
      if (!isForbidden(error)) throw error;
      await requireServed(resource, client, { signal, error });
      log.warn("this program may not install the definition of its resource; it goes on with the one that is there", {
        definition: `${resource.plural}.${resource.group}`,
      });
    }
  }
}

/** Rejects with a `MistakeError` when the server does not serve the resource. @param error - why that matters now */
export async function requireServed(
  resource: Resource,
  client: Client,
  { signal, error }: { readonly signal: AbortSignal; readonly error: unknown },
): Promise<void> {
  const definition = `${resource.plural}.${resource.group}`;
  try {
    await client.list(resource, { limit: 1, signal, ...(resource.scope === "Cluster" ? {} : { namespace: "*" }) });
  } catch (missing) {
    // Forbidden as well: whether it may be watched is found out, with the cure, by the check of permissions.
    if (!isNotFound(missing)) return;
    throw new MistakeError(
      {
        where: `definition ${definition}`,
        what: `the server does not serve it, and this program ${isForbidden(error) ? "may not install it" : "was told not to (install: false)"}`,
        fix: `let somebody install it who may: print ${resource.kind}.definition() as YAML and kubectl apply -f it\nor grant this program what app.roles() says, and run it with install: true`,
      },
      { cause: error },
    );
  }
}
