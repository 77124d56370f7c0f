/** NamespaceLifecycle: refuses writes to missing and creations in terminating namespaces, and the deletion of system namespaces. */
import type { Namespace } from "@drover/api/core/v1";
import { newForbidden, newNotFound } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import { StatusError } from "../status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import type { Resource } from "../registry/resource.ts";
import { refusal } from "./refusal.ts";

/** Namespaces that cannot be deleted. */
const immortal: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** `namespaces` is the resource of namespaces. */
export function namespaceLifecycle(objects: ObjectStore, namespaces: Resource): AdmissionPlugin {
  const mutate = async (request: AdmissionRequest): Promise<void> => {
    const { operation, resource, namespace, name } = request;
    const { group, plural } = resource.kind;
    if (operation === "DELETE" && group === "" && plural === "namespaces" && immortal.has(name)) {
      throw new StatusError(newForbidden({ group, resource: plural }, name, "this namespace may not be deleted"));
    }
    if ((operation !== "CREATE" && operation !== "UPDATE") || namespace === "") return;
    if (plural === "localsubjectaccessreviews" && group === "authorization.k8s.io") return;
    const { stored } = await objects.store.get(`${namespaces.storagePrefix}${namespace}`);
    if (stored === undefined) throw new StatusError(newNotFound({ group: "", resource: "namespaces" }, namespace));
    if (operation === "UPDATE" || isStaying(objects.views(namespaces).shared(stored) as DeepReadonly<Namespace>)) return;
    const { status } = refusal(request, `unable to create new content in namespace ${namespace} because it is being terminated`);
    const causes = [{ reason: "NamespaceTerminating", message: `namespace ${namespace} is being terminated`, field: "metadata.namespace" }];
    throw new StatusError({ ...status, details: { ...status.details, causes } });
  };
  return { name: "NamespaceLifecycle", mutate };
}

const isStaying = ({ metadata: { deletionTimestamp } }: DeepReadonly<Namespace>): boolean => deletionTimestamp === undefined;
