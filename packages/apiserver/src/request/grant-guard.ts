/** Finds the writes that grant something: those of roles and bindings, except changes that only let an object be deleted. */
import type { ClusterRole } from "@drover/api/rbac/v1";
import { isJsonObject, jsonEqual } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { checkGrant } from "../access/rbac/grant-check.ts";
import type { GrantCheckOptions } from "../access/rbac/grant-check.ts";
import type { GrantGuard } from "./request-context.ts";

export function grantGuard(options: GrantCheckOptions): GrantGuard {
  return async ({ resource: { kind, isCustom }, info, user }, object, old) => {
    if (isCustom || kind.group !== "rbac.authorization.k8s.io") return;
    if (old !== undefined && isOnlyForDeletion(object, old)) return;
    await checkGrant(
      {
        user,
        resource: kind.plural,
        namespace: info.namespace,
        requestName: info.name,
        object: object as unknown as ClusterRole,
        old: old as ClusterRole | undefined,
      },
      options,
    );
  };
}

/** Whether nothing but owners and finalizers changes: the garbage collector holds none of the permissions of the roles it removes. */
function isOnlyForDeletion(object: JsonObject, old: JsonObject): boolean {
  return jsonEqual(withoutOwners(object), withoutOwners(old));
}

function withoutOwners(object: JsonObject): JsonObject {
  const { metadata } = object;
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managed, ...rest } = isJsonObject(metadata) ? metadata : {};
  return { ...object, metadata: rest };
}
