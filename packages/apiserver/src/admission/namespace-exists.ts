/** NamespaceExists refuses writes to missing namespaces, NamespaceAutoProvision creates them. Both are off by default. */
import { newNotFound } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { refusal } from "./refusal.ts";

const exists = async (objects: ObjectStore, { storagePrefix }: Resource, name: string): Promise<boolean> =>
  (await objects.store.get(`${storagePrefix}${name}`)).stored !== undefined;

/** `namespaces` is the resource of namespaces. */
export function namespaceExists(objects: ObjectStore, namespaces: Resource): AdmissionPlugin {
  return {
    name: "NamespaceExists",
    validate: async ({ operation, namespace }) => {
      if (namespace === "" || operation === "CONNECT" || (await exists(objects, namespaces, namespace))) return;
      throw new StatusError(newNotFound({ group: "", resource: "namespaces" }, namespace));
    },
  };
}

/** `create` creates a namespace if it does not exist, and rejects with a `StatusError`. */
export function namespaceAutoProvision(
  objects: ObjectStore,
  namespaces: Resource,
  create: (name: string) => Promise<void>,
): AdmissionPlugin {
  return {
    name: "NamespaceAutoProvision",
    mutate: async (request) => {
      const { operation, namespace, dryRun } = request;
      if (operation !== "CREATE" || dryRun || namespace === "" || (await exists(objects, namespaces, namespace))) return;
      try {
        await create(namespace);
      } catch (error) {
        if (!(error instanceof StatusError) || error.status.reason === "Forbidden") throw error;
        throw refusal(request, error.message);
      }
    },
  };
}
