/** The paths and definitions that custom resources add to the v2 document. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { BuiltInParts, SharedParameters } from "./built-in-parts.ts";
import { customDefinitions, referenceTo } from "./custom-definition.ts";
import type { PublishedResource } from "./custom-definition.ts";
import { customPaths, outcomesOf, parametersFor } from "./custom-operations.ts";
import type { OperationPlan, PathPlan } from "./custom-operations.ts";
import { operationTag } from "./operation-id.ts";

const patchTypes: readonly string[] = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];
const objectTypes: readonly string[] = ["application/json", "application/yaml"];

export interface V2Addition {
  readonly paths: readonly (readonly [path: string, item: JsonObject])[];
  readonly definitions: readonly (readonly [name: string, definition: JsonObject])[];
}

export function customV2Addition(resource: PublishedResource, parts: BuiltInParts): V2Addition {
  return {
    paths: customPaths(resource).map((plan) => [plan.path, pathItem(plan, resource, parts.v2)] as const),
    definitions: customDefinitions(resource, "v2"),
  };
}

function pathItem(plan: PathPlan, resource: PublishedResource, shared: SharedParameters): JsonObject {
  const isSingle = plan.operations.length === 1;
  const named: JsonObject = { uniqueItems: true, type: "string", name: "name", in: "path", required: true };
  const common = [
    ...(plan.isObject ? [named] : []),
    ...(plan.isNamespaced ? [shared.namespace] : []),
    ...(isSingle ? withPretty(shared) : [shared.pretty]),
  ];
  const operations = plan.operations.map(
    (operation) => [operation.method, operationItem(operation, resource, isSingle ? [] : ownParameters(operation, shared))] as const,
  );
  return { ...Object.fromEntries(operations), parameters: common };
}

/** Sorted by name: between "limit" and "resourceVersion". */
function withPretty({ list, pretty, resourceVersion }: SharedParameters): JsonValue[] {
  return list.flatMap((parameter) => (parameter === resourceVersion ? [pretty, parameter] : [parameter]));
}

/** A body of the resource's own kind is written inline; all other parameters are references. */
function ownParameters(operation: OperationPlan, shared: SharedParameters): JsonValue[] {
  const { action, body } = operation;
  const parameters = parametersFor(operation, shared);
  if (body === undefined || action === "delete" || action === "patch") return [...parameters];
  const sent: JsonObject = { name: "body", in: "body", required: true, schema: referenceTo(body, "v2") };
  return [sent, ...parameters.filter((parameter) => !(isJsonObject(parameter) && parameter["in"] === "body"))];
}

function operationItem(
  operation: OperationPlan,
  { kind: { group, version, kind } }: PublishedResource,
  parameters: readonly JsonValue[],
): JsonObject {
  const { action, id, answer } = operation;
  const answers = outcomesOf(operation).map(([code, text]) => [code, { description: text, schema: referenceTo(answer, "v2") }] as const);
  return {
    consumes: [...(action === "patch" ? patchTypes : objectTypes)],
    produces: [...objectTypes],
    schemes: ["https"],
    tags: [operationTag(group, version)],
    operationId: id,
    ...(parameters.length === 0 ? {} : { parameters: [...parameters] }),
    responses: { ...Object.fromEntries(answers), "401": { description: "Unauthorized" } },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group, kind, version },
  };
}
