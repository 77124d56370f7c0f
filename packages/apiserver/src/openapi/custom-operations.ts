/** The operations of a custom resource by path, independent of v2 or v3. */
import type { JsonValue } from "@drover/machinery";
import type { SharedParameters } from "./built-in-parts.ts";
import { definitionName } from "./custom-definition.ts";
import type { PublishedResource } from "./custom-definition.ts";
import { operationId } from "./operation-id.ts";

export type OperationAction = "list" | "post" | "deletecollection" | "get" | "put" | "delete" | "patch";

export interface OperationPlan {
  readonly method: "get" | "put" | "post" | "delete" | "patch";
  readonly action: OperationAction;
  readonly id: string;
  /** Definition of the response. */
  readonly answer: string;
  /** Definition of the request body. @default no body */
  readonly body?: string;
}

export interface PathPlan {
  readonly path: string;
  readonly isNamespaced: boolean;
  readonly isObject: boolean;
  /** In the order in which methods are written. */
  readonly operations: readonly OperationPlan[];
}

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const scaleDefinition = "io.k8s.api.autoscaling.v1.Scale";

const outcomes: Readonly<Record<OperationAction, readonly (readonly [code: string, description: string])[]>> = {
  list: [["200", "OK"]],
  deletecollection: [["200", "OK"]],
  get: [["200", "OK"]],
  patch: [["200", "OK"]],
  post: [
    ["200", "OK"],
    ["201", "Created"],
    ["202", "Accepted"],
  ],
  put: [
    ["200", "OK"],
    ["201", "Created"],
  ],
  delete: [
    ["200", "OK"],
    ["202", "Accepted"],
  ],
};

/** Returns the responses of an operation, besides 401. */
export function outcomesOf({ action }: OperationPlan): readonly (readonly [code: string, description: string])[] {
  return outcomes[action];
}

/** Returns the parameters of an operation, besides those of its path. */
export function parametersFor({ action }: OperationPlan, shared: SharedParameters): readonly JsonValue[] {
  if (action === "get") return [shared.resourceVersion];
  return action === "deletecollection" ? shared.list : shared[action];
}

/** Returns the paths of a resource, unordered. */
export function customPaths(resource: PublishedResource): PathPlan[] {
  const { group, version, plural, kind, scope, subresources } = resource.kind;
  const isNamespaced = scope === "Namespaced";
  const root = `/apis/${group}/${version}`;
  const collection = `${root}/${isNamespaced ? "namespaces/{namespace}/" : ""}${plural}`;
  const everywhere: PathPlan = {
    path: `${root}/${plural}`,
    isNamespaced: false,
    isObject: false,
    operations: [listOperation(resource, `${kind}ForAllNamespaces`)],
  };
  const own = definitionName(group, version, kind);
  const below = (name: string, definition: string): PathPlan => ({
    path: `${collection}/{name}/${name}`,
    isNamespaced,
    isObject: true,
    operations: objectOperations(resource, name, definition).filter(({ action }) => action !== "delete"),
  });
  return [
    ...(isNamespaced ? [everywhere] : []),
    { path: collection, isNamespaced, isObject: false, operations: collectionOperations(resource) },
    { path: `${collection}/{name}`, isNamespaced, isObject: true, operations: objectOperations(resource, "", own) },
    ...(Object.hasOwn(subresources, "status") ? [below("status", own)] : []),
    ...(Object.hasOwn(subresources, "scale") ? [below("scale", scaleDefinition)] : []),
  ];
}

function listOperation({ kind: { group, version, listKind } }: PublishedResource, noun: string): OperationPlan {
  return {
    method: "get",
    action: "list",
    id: operationId(group, version, { verb: "list", noun }),
    answer: definitionName(group, version, listKind),
  };
}

function collectionOperations(resource: PublishedResource): OperationPlan[] {
  const { group, version, kind } = resource.kind;
  const own = definitionName(group, version, kind);
  const noun = nounOf(resource, "");
  return [
    listOperation(resource, noun),
    { method: "post", action: "post", id: operationId(group, version, { verb: "create", noun }), answer: own, body: own },
    {
      method: "delete",
      action: "deletecollection",
      id: operationId(group, version, { verb: "delete", noun: `collection${noun}` }),
      answer: `${meta}Status`,
    },
  ];
}

function objectOperations(resource: PublishedResource, subresource: string, definition: string): OperationPlan[] {
  const { group, version } = resource.kind;
  const noun = nounOf(resource, subresource);
  const id = (verb: string): string => operationId(group, version, { verb, noun });
  return [
    { method: "get", action: "get", id: id("read"), answer: definition },
    { method: "put", action: "put", id: id("replace"), answer: definition, body: definition },
    { method: "delete", action: "delete", id: id("delete"), answer: `${meta}Status`, body: `${meta}DeleteOptions` },
    { method: "patch", action: "patch", id: id("patch"), answer: definition, body: `${meta}Patch` },
  ];
}

function nounOf({ kind: { kind, scope } }: PublishedResource, subresource: string): string {
  return `${scope === "Namespaced" ? "Namespaced" : ""}${kind}${subresource.slice(0, 1).toUpperCase()}${subresource.slice(1)}`;
}
