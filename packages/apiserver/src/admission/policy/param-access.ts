/**
 * Refuses policies and bindings whose writer may not read their parameters: a policy shows them to everybody it refuses. In
 * kube-apiserver this is part of validation; here it comes right after it.
 */
import type { ParamKind, ParamRef } from "@drover/api/admissionregistration/v1";
import { fieldForbidden, isJsonObject, jsonEqual, newInvalid, parseGroupVersion } from "@drover/machinery";
import type { FieldPath, GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";
import type { Attributes, Authorizer } from "../../access/authorizer.ts";
import { mastersGroup } from "../../access/system-names.ts";
import type { User } from "../../access/user.ts";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Registry } from "../../registry/registry.ts";
import { StatusError } from "../../status-error.ts";
import type { AdmissionRequest } from "../admission.ts";

export const policyGroup = "admissionregistration.k8s.io";

export interface ParamAccessServices {
  readonly objects: ObjectStore;
  readonly registry: Pick<Registry, "resources" | "find">;
  readonly authorizer: Authorizer;
}

/** Throws a 422 if the user may not read the parameters. Assumes a valid object. */
export async function checkParamAccess(request: AdmissionRequest, services: ParamAccessServices): Promise<void> {
  const { resource, subresource, object, old, user } = request;
  const { plural } = resource.kind;
  if (object === undefined || subresource !== "" || user.groups.includes(mastersGroup)) return;
  const [spec, oldSpec] = [specOf(object), specOf(old)];
  if (plural.endsWith("admissionpolicies")) {
    const { paramKind } = spec;
    if (paramKind !== undefined && !(isJsonObject(oldSpec["paramKind"]) && jsonEqual(oldSpec["paramKind"], paramKind)))
      await checkKind(request, paramKind as ParamKind, services);
  } else if (plural.endsWith("admissionpolicybindings") && spec["paramRef"] !== undefined) {
    await checkReference(request, spec, services);
  }
}

async function checkKind(request: AdmissionRequest, paramKind: ParamKind, { registry, authorizer }: ParamAccessServices): Promise<void> {
  const { user } = request;
  const { kind = "", apiVersion = "" } = paramKind;
  const wanted = readOf(user, { ...parseGroupVersion(apiVersion), kind }, registry);
  if (await isAllowed(authorizer, { ...wanted.attributes, verb: "get", name: "*", namespace: "*" })) return;
  refuse(
    request,
    "spec.paramKind",
    `user ${printUser(user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`,
  );
}

async function checkReference(
  request: AdmissionRequest,
  spec: JsonObject,
  { objects, registry, authorizer }: ParamAccessServices,
): Promise<void> {
  const { user, resource } = request;
  const { name = "", namespace = "" } = spec["paramRef"] as ParamRef;
  const verb = name === "" ? "list" : "get";
  const policyName = typeof spec["policyName"] === "string" ? spec["policyName"] : "";
  const policies = registry.find({
    group: policyGroup,
    version: "v1",
    resource: resource.kind.plural.replace(/bindings$/, "").replace(/policy$/, "policies"),
  });
  const policy = policies === undefined ? undefined : await objects.get(policies, `${policies.storagePrefix}${policyName}`);
  const paramKind = specOf(policy?.object)["paramKind"] as ParamKind | undefined;
  const wanted =
    paramKind === undefined
      ? { attributes: { ...attributesOf(user), group: "*", version: "*", resource: "*" }, isServed: true }
      : readOf(user, { ...parseGroupVersion(paramKind.apiVersion ?? ""), kind: paramKind.kind ?? "" }, registry);
  if (await isAllowed(authorizer, { ...wanted.attributes, verb, name, namespace })) return;
  const shown = printUser(user);
  const everywhere = `to determine minimum required permissions and user ${shown} does not have "${verb}" permission for all groups, versions and resources`;
  // The real server has the words for mutating bindings in the wrong order.
  const [who, what] = resource.kind.plural.startsWith("mutating") ? [verb, shown] : [shown, verb];
  refuse(
    request,
    "spec.paramRef",
    policy === undefined
      ? `unable to get policy ${policyName} ${everywhere}`
      : !wanted.isServed
        ? `unable to resolve paramKind &{${paramKind?.apiVersion ?? ""} ${paramKind?.kind ?? ""}} ${everywhere}`
        : `user ${who} does not have "${what}" permission on the object referenced by paramRef`,
  );
}

function refuse({ resource: { kind }, name }: AdmissionRequest, path: FieldPath, why: string): never {
  throw new StatusError(newInvalid({ group: kind.group, kind: kind.kind }, name, [fieldForbidden(path, why)]));
}

async function isAllowed(authorizer: Authorizer, attributes: Attributes): Promise<boolean> {
  return (await authorizer.authorize(attributes)).decision === "allow";
}

/** What reading objects of a kind needs; all resources of its group if the kind is not served. */
function readOf(
  user: User,
  { group, version, kind: wanted }: GroupVersionKind,
  { resources }: Pick<Registry, "resources">,
): { readonly attributes: Attributes; readonly isServed: boolean } {
  const served = resources.find(({ kind }) => kind.kind === wanted && kind.group === group && kind.version === version);
  return { attributes: { ...attributesOf(user), group, version, resource: served?.kind.plural ?? "*" }, isServed: served !== undefined };
}

const attributesOf = (user: User): Attributes => ({
  user,
  verb: "",
  isResourceRequest: true,
  path: "",
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
});

function specOf(object: JsonObject | undefined): Readonly<Record<string, JsonValue | undefined>> & JsonObject {
  const spec = object?.["spec"];
  return isJsonObject(spec) ? spec : {};
}

/** Prints a user as Go prints the pointer to one. */
function printUser({ name, uid = "", groups, extra = {} }: User): string {
  const keys = Object.keys(extra).toSorted();
  return `&{${name} ${uid} [${groups.join(" ")}] map[${keys.map((key) => `${key}:[${(extra[key] ?? []).join(" ")}]`).join(" ")}]}`;
}
