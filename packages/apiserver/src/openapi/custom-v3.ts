/** The v3 document of a group version of custom resources. */
import { compareBytes, getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { BuiltInParts, SharedParameters } from "./built-in-parts.ts";
import { customDefinitions, referenceTo } from "./custom-definition.ts";
import type { PublishedResource } from "./custom-definition.ts";
import { customPaths, outcomesOf, parametersFor } from "./custom-operations.ts";
import type { OperationPlan, PathPlan } from "./custom-operations.ts";
import { sortedObject, textOf } from "./json-order.ts";
import { operationTag } from "./operation-id.ts";

/** Sorted, as v3 lists them. */
const patchTypes: readonly string[] = ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];
const objectTypes: readonly string[] = ["application/json", "application/yaml"];

/** Returns the document of the resources of one group version. */
export function customV3Document(resources: readonly PublishedResource[], parts: BuiltInParts): JsonObject {
  const paths = resources.flatMap((resource) =>
    customPaths(resource).map((plan) => [plan.path, pathItem(plan, resource, parts.v3)] as const),
  );
  const own = resources.flatMap((resource) => customDefinitions(resource, "v3"));
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" },
    paths: sortedObject(paths),
    components: { schemas: sortedObject(withReferred(paths, own, parts.schemas)) },
  };
}

function pathItem(plan: PathPlan, resource: PublishedResource, shared: SharedParameters): JsonObject {
  const isSingle = plan.operations.length === 1;
  const [first] = plan.operations;
  const named: JsonObject = { name: "name", in: "path", required: true, schema: { type: "string", uniqueItems: true } };
  const common = [
    ...(plan.isObject ? [named] : []),
    ...(plan.isNamespaced ? [shared.namespace] : []),
    shared.pretty,
    ...(isSingle && first !== undefined ? parametersFor(first, shared) : []),
  ];
  const operations = plan.operations.map(
    (operation) => [operation.method, operationItem(operation, resource, isSingle ? [] : parametersFor(operation, shared))] as const,
  );
  return { ...Object.fromEntries(operations), parameters: common.toSorted((a, b) => compareBytes(nameOf(a), nameOf(b))) };
}

const nameOf = (item: JsonValue): string => (isJsonObject(item) ? textOf(item["name"]) : "");

function operationItem(
  operation: OperationPlan,
  { kind: { group, version, kind } }: PublishedResource,
  parameters: readonly JsonValue[],
): JsonObject {
  const { action, id, answer, body } = operation;
  const answers = outcomesOf(operation).map(
    ([code, text]) => [code, { description: text, content: content(objectTypes, answer) }] as const,
  );
  const sent =
    body === undefined
      ? undefined
      : { content: content(action === "patch" ? patchTypes : objectTypes, body), ...(action === "delete" ? {} : { required: true }) };
  return {
    tags: [operationTag(group, version)],
    operationId: id,
    ...(parameters.length === 0 ? {} : { parameters: [...parameters] }),
    ...(sent === undefined ? {} : { requestBody: sent }),
    responses: { ...Object.fromEntries(answers), "401": { description: "Unauthorized" } },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group, version, kind },
  };
}

function content(types: readonly string[], definition: string): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema: referenceTo(definition, "v3") }]));
}

const prefix = "#/components/schemas/";

/** Adds the built-in definitions that the document refers to, transitively. */
function withReferred(
  paths: readonly (readonly [string, JsonObject])[],
  own: readonly (readonly [string, JsonObject])[],
  builtIn: Readonly<Record<string, JsonValue>>,
): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>(own);
  const visit = (value: JsonValue): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isJsonObject(value)) return;
    const target = value["$ref"];
    if (typeof target === "string" && target.startsWith(prefix)) add(target.slice(prefix.length));
    Object.values(value).forEach(visit);
  };
  const add = (name: string): void => {
    const schema = found.has(name) ? undefined : getOwn(builtIn, name);
    if (schema === undefined) return;
    found.set(name, schema);
    visit(schema);
  };
  for (const [, item] of paths) visit(item);
  for (const [, definition] of own) visit(definition);
  return found;
}
