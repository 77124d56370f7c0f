/**
 * Definitions and parameters that documents of custom resources share with the built-in ones, extracted from those.
 *
 *     archive (apis/apps/v1, v2) → builtInParts → custom-v3, custom-v2
 */
import { assert, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { textOf } from "./json-order.ts";

/** Parameters of the operations on a collection and on an object, in v2 or v3. */
export interface SharedParameters {
  readonly list: readonly JsonValue[];
  readonly post: readonly JsonValue[];
  readonly put: readonly JsonValue[];
  readonly patch: readonly JsonValue[];
  readonly delete: readonly JsonValue[];
  /** The list's parameter that a get also has. */
  readonly resourceVersion: JsonValue;
  readonly namespace: JsonValue;
  readonly pretty: JsonValue;
}

export interface BuiltInParts {
  /** Definitions of the v3 documents by name. */
  readonly schemas: Readonly<Record<string, JsonValue>>;
  readonly v3: SharedParameters;
  readonly v2: SharedParameters;
}

const metaPrefix = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const deleteOptions = `${metaPrefix}DeleteOptions`;
const kindExtension = "x-kubernetes-group-version-kind";
const collectionPath = "/apis/apps/v1/namespaces/{namespace}/deployments";
/** Groups missing from kube-apiserver's own client, and therefore from the documents of custom resources. */
const unknownToClients: ReadonlySet<string> = new Set([
  "admission.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "imagepolicy.k8s.io",
]);

/** Extracts the parts from the v3 document of apps/v1 and the v2 document. */
export function builtInParts(appsV3: JsonObject, allV2: JsonObject): BuiltInParts {
  const schemas = at(appsV3, "components", "schemas");
  const kinds = at(allV2, "definitions", deleteOptions)[kindExtension];
  assert(Array.isArray(kinds), "the v2 document does not list the kinds of DeleteOptions");
  const ownKinds = kinds.filter((kind) => isJsonObject(kind) && !unknownToClients.has(textOf(kind["group"])));
  return {
    schemas: { ...schemas, [deleteOptions]: { ...at(schemas, deleteOptions), [kindExtension]: ownKinds } },
    v3: sharedParameters(at(appsV3, "paths"), nameOfParameter),
    v2: sharedParameters(at(allV2, "paths"), nameOfReference),
  };
}

function sharedParameters(paths: JsonObject, nameOf: (parameter: JsonObject) => string): SharedParameters {
  const [collection, object] = [at(paths, collectionPath), at(paths, `${collectionPath}/{name}`)];
  const list = parametersOf(at(collection, "get"));
  const named = (parameters: readonly JsonValue[], name: string): JsonValue => {
    const found = parameters.find((parameter) => isJsonObject(parameter) && nameOf(parameter) === name);
    assert(found !== undefined, `operations on deployments lack the parameter ${name}`);
    return found;
  };
  const common = parametersOf(collection);
  return {
    list,
    post: parametersOf(at(collection, "post")),
    put: parametersOf(at(object, "put")),
    patch: parametersOf(at(object, "patch")),
    delete: parametersOf(at(object, "delete")),
    resourceVersion: named(list, "resourceVersion"),
    namespace: named(common, "namespace"),
    pretty: named(common, "pretty"),
  };
}

const nameOfParameter = ({ name }: JsonObject): string => textOf(name);

/** "#/parameters/pretty-tJGM1-ng" → "pretty". */
const nameOfReference = ({ $ref: reference }: JsonObject): string =>
  textOf(reference)
    .replace(/^#\/parameters\//, "")
    .replace(/-.{8}$/, "");

function parametersOf({ parameters }: JsonObject): readonly JsonValue[] {
  assert(Array.isArray(parameters), "operations on deployments have no parameters");
  return parameters;
}

function at(object: JsonObject, ...keys: readonly string[]): JsonObject {
  let found: JsonObject = object;
  for (const key of keys) {
    const member = found[key];
    assert(isJsonObject(member), `the documents of the built-in kinds lack ${keys.join(" ")}`);
    found = member;
  }
  return found;
}
