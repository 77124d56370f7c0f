/**
 * OwnerReferencesPermissionEnforcement: who sets owners of an object must be allowed to delete it, and who lets it block the deletion of
 * an owner must be allowed to set the owner's finalizers. Off by default.
 */
import { groupVersionKindFrom, jsonEqual, NoKindMatchError } from "@drover/machinery";
import type { JsonObject, OwnerReference } from "@drover/machinery";
import type { Attributes, Authorizer, Decision } from "../access/authorizer.ts";
import { metaOf } from "../registry/meta-of.ts";
import type { Registry } from "../registry/registry.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { refusal } from "./refusal.ts";

export function ownerReferencesPermissionEnforcement(authorizer: Authorizer, registry: Registry): AdmissionPlugin {
  return {
    name: "OwnerReferencesPermissionEnforcement",
    validate: (request) => {
      const { operation, resource, subresource, object, old } = request;
      if ((operation !== "CREATE" && operation !== "UPDATE") || object === undefined) return undefined;
      if (resource.kind.plural === "pods" && resource.kind.group === "" && subresource === "status") return undefined;
      const [owners, before] = [ownersOf(object), old === undefined ? [] : ownersOf(old)];
      return jsonEqual(owners, before) ? undefined : check(authorizer, registry, request, owners, before);
    },
  };
}

const ownersOf = (object: JsonObject): readonly OwnerReference[] => metaOf(object).ownerReferences ?? [];

async function check(
  authorizer: Authorizer,
  registry: Registry,
  request: AdmissionRequest,
  owners: readonly OwnerReference[],
  before: readonly OwnerReference[],
): Promise<void> {
  const { operation, resource, subresource, namespace, name, user } = request;
  const ask = (attributes: Omit<Attributes, "user" | "isResourceRequest" | "path">): Promise<Decision> =>
    authorizer.authorize({ user, isResourceRequest: true, path: "", ...attributes });
  if (operation === "UPDATE") {
    const { group, version, plural } = resource.kind;
    const decision = await ask({ verb: "delete", group, version, resource: plural, subresource, namespace, name });
    if (decision.decision !== "allow") throw refusal(request, `cannot set an ownerRef on a resource you can't delete: ${why(decision)}`);
  }
  const blocking = owners.filter(
    ({ uid, blockOwnerDeletion }) => blockOwnerDeletion === true && before.findLast((old) => old.uid === uid)?.blockOwnerDeletion !== true,
  );
  if (blocking.length === 0) return;
  const finalizers = { verb: "update", subresource: "finalizers" } as const;
  const anything = await ask({ ...finalizers, group: "*", version: "*", resource: "*", namespace: "", name: "*" });
  if (anything.decision === "allow") return;
  for (const { apiVersion, kind, name: owner } of blocking) {
    const wanted = groupVersionKindFrom(apiVersion, kind);
    const found = registry.resources.find(
      (each) => each.kind.group === wanted.group && each.kind.version === wanted.version && each.kind.kind === kind,
    );
    if (found === undefined) {
      const { message } = new NoKindMatchError(wanted, [wanted.version]);
      throw refusal(
        request,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${message}`,
      );
    }
    const { group, version, plural, scope } = found.kind;
    const where = scope === "Cluster" ? "" : namespace;
    const decision = await ask({ ...finalizers, group, version, resource: plural, namespace: where, name: owner });
    if (decision.decision !== "allow")
      throw refusal(
        request,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${why(decision)}`,
      );
  }
}

const why = ({ reason = "", evaluationError = "" }: Decision): string => `${reason}, ${evaluationError === "" ? "<nil>" : evaluationError}`;
