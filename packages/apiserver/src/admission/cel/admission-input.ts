/**
 * What the expressions of webhooks and policies see of a request.
 *
 *     AdmissionRequest in the version of the matched resource → AdmissionInput → bindingsOf → values of variables
 */
import { isJsonObject } from "@drover/machinery";
import type { GroupVersionKind, JsonObject } from "@drover/machinery";
import { authorizerValue, resourceCheckValue } from "../../cel/library/authorizers.ts";
import { fromJson } from "../../cel/value/json-value.ts";
import type { CelValue } from "../../cel/value/value.ts";
import type { Resource } from "../../registry/resource.ts";
import type { AdmissionRequest } from "../admission.ts";
import { matchTarget } from "../match/match-target.ts";
import type { AccessChecks } from "./access-checks.ts";

/** A request in the version that a rule matches. */
export interface AdmissionInput {
  readonly admission: AdmissionRequest;
  /** In the version of `resource`; undefined for deletions. */
  readonly object: JsonObject | undefined;
  /** In the version of `resource`; undefined for creations. */
  readonly old: JsonObject | undefined;
  /** The matched resource: that of the request, or an equivalent one. */
  readonly resource: Resource;
}

/** Values that not every expression has. */
export interface InputExtras {
  /** The value of `params`. @default null */
  readonly params?: JsonObject | undefined;
  /** The value of `namespaceObject`: a Namespace. @default null */
  readonly namespace?: JsonObject | undefined;
  /** @default no `authorizer` */
  readonly checks?: AccessChecks | undefined;
}

/** Values of variables by name. */
export type Bindings = ReadonlyMap<string, CelValue>;

/** Returns the values of all variables except `variables`. */
export function bindingsOf(input: AdmissionInput, { params, namespace, checks }: InputExtras): Bindings {
  const { admission, object, old } = input;
  const bindings = new Map<string, CelValue>([
    ["object", fromJson(object ?? null)],
    ["oldObject", fromJson(old ?? null)],
    ["request", fromJson(requestVariable(input))],
    ["params", fromJson(params ?? null)],
    ["namespaceObject", fromJson(namespace === undefined ? null : namespaceVariable(namespace))],
  ]);
  if (checks === undefined) return bindings;
  const { user, resource, subresource, name } = admission;
  const asked = {
    group: resource.kind.group,
    resource: resource.kind.plural,
    subresource,
    namespace: matchTarget(admission).namespace,
    name,
  };
  bindings.set("authorizer", authorizerValue(user, checks.decide));
  bindings.set("authorizer.requestResource", resourceCheckValue(user, checks.decide, asked));
  return bindings;
}

/** Returns the kind of the body of a request: that of the object, or of a subresource such as Scale. */
export function kindAt({ kind }: Resource, subresource: string): GroupVersionKind {
  const own = Object.hasOwn(kind.subresources, subresource) ? kind.subresources[subresource] : undefined;
  return own ?? kind;
}

/** The AdmissionRequest of a review without its objects. Empty members are absent, as in Go. */
export function requestVariable({ admission, resource }: Pick<AdmissionInput, "admission" | "resource">): JsonObject {
  const { operation, resource: requested, subresource, name, user, dryRun } = admission;
  const { namespace } = matchTarget(admission);
  return {
    uid: "",
    kind: kindJson(kindAt(resource, subresource)),
    resource: resourceJson(resource),
    ...(subresource === "" ? {} : { subResource: subresource, requestSubResource: subresource }),
    requestKind: kindJson(kindAt(requested, subresource)),
    requestResource: resourceJson(requested),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: {
      ...(user.name === "" ? {} : { username: user.name }),
      ...(user.uid === undefined || user.uid === "" ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(user.extra === undefined || Object.keys(user.extra).length === 0
        ? {}
        : { extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])) }),
    },
    dryRun,
    options: admission.options(),
  };
}

const kindJson = ({ group, version, kind }: GroupVersionKind): JsonObject => ({ group, version, kind });
const resourceJson = ({ kind: { group, version, plural } }: Resource): JsonObject => ({ group, version, resource: plural });

const namespaceFields: readonly string[] = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "finalizers",
];

function namespaceVariable({ metadata, spec, status }: JsonObject): JsonObject {
  const meta = isJsonObject(metadata) ? metadata : {};
  return {
    metadata: Object.fromEntries(Object.entries(meta).filter(([name]) => namespaceFields.includes(name))),
    spec: spec ?? {},
    status: status ?? {},
  };
}
