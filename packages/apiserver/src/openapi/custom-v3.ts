/**
 * The v3 document of a group version of custom resources, made of one part for each of them: parts of resources that have not changed are
 * used again.
 *
 *     Resource → customV3Part → customV3Text
 */
import { compareBytes, encodeJson, getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { BuiltInParts, SharedParameters } from "./built-in-parts.ts";
import { customDefinitions, referenceTo } from "./custom-definition.ts";
import type { PublishedResource } from "./custom-definition.ts";
import { customPaths, outcomesOf, parametersFor } from "./custom-operations.ts";
import type { OperationPlan, PathPlan } from "./custom-operations.ts";
import { textOf } from "./json-order.ts";
import { operationTag } from "./operation-id.ts";

/** Sorted, as v3 lists them. */
const patchTypes: readonly string[] = ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];
const objectTypes: readonly string[] = ["application/json", "application/yaml"];

type Member = readonly [key: string, text: string];

/** What one resource contributes to its document, as JSON. */
export interface V3Part {
  readonly paths: readonly Member[];
  readonly schemas: readonly Member[];
  /** Names of the built-in schemas it refers to. */
  readonly referred: ReadonlySet<string>;
}

const encoded = (value: JsonValue): string => encodeJson(value, { escapeHtml: true });

export function customV3Part(resource: PublishedResource, parts: BuiltInParts): V3Part {
  const paths = customPaths(resource).map((plan) => [plan.path, pathItem(plan, resource, parts.v3)] as const);
  const schemas = customDefinitions(resource, "v3");
  const texts = (members: readonly (readonly [string, JsonObject])[]): Member[] => members.map(([key, value]) => [key, encoded(value)]);
  const referred = referredBy([...paths, ...schemas].map(([, value]) => value));
  return { paths: texts(paths), schemas: texts(schemas), referred };
}

/** Returns the text of the document of one group version. */
export function customV3Text(own: readonly V3Part[], { schemas: builtIn }: BuiltInParts): string {
  const schemas = new Map(own.flatMap((part) => part.schemas));
  const referred = new Set(own.flatMap((part) => [...part.referred]));
  for (const name of referred) {
    const schema = schemas.has(name) ? undefined : getOwn(builtIn, name);
    if (schema === undefined) continue;
    schemas.set(name, encoded(schema));
    // Also visited by this loop.
    for (const further of referredBy([schema])) referred.add(further);
  }
  const info = encoded({ title: "Kubernetes CRD Swagger", version: "v0.1.0" });
  const paths = new Map(own.flatMap((part) => part.paths));
  return `{"openapi":"3.0.0","info":${info},"paths":${objectText(paths)},"components":{"schemas":${objectText(schemas)}}}`;
}

const objectText = (members: ReadonlyMap<string, string>): string =>
  `{${[...members]
    .toSorted(([a], [b]) => compareBytes(a, b))
    .map(([key, text]) => `${encoded(key)}:${text}`)
    .join(",")}}`;

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

/** Names of the schemas that values refer to. */
function referredBy(values: readonly JsonValue[]): Set<string> {
  const names = new Set<string>();
  const visit = (value: JsonValue): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isJsonObject(value)) return;
    const target = value["$ref"];
    if (typeof target === "string" && target.startsWith(prefix)) names.add(target.slice(prefix.length));
    Object.values(value).forEach(visit);
  };
  values.forEach(visit);
  return names;
}
