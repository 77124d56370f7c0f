/**
 * A resource known only by its CustomResourceDefinition: a kind like any other, created at run time.
 *
 *     const Certificate = kindFromCrd(await client.get(CustomResourceDefinition, "certificates.cert-manager.io"));
 *     for await (const event of client.watch(Certificate, { namespace: "*" })) …
 *
 * If you know the definition when you write the program, generate types instead: generate-kinds.ts.
 */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Unstructured } from "@drover/client";
import {
  apiVersionOf,
  compareKubeVersions,
  compileSchema,
  deepCopy,
  definedOnly,
  parseGroupVersion,
  printFieldErrorBody,
  validate,
} from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Schema } from "@drover/machinery";
import { schemaParser } from "../resource/parse-object.ts";
import type { Resource } from "../resource/resource.ts";
import { kindOf, readCrd } from "./crd-shape.ts";
import type { CrdShape, CrdVersion } from "./crd-shape.ts";

/** Options of `kindFromCrd`. */
export interface KindFromCrdOptions {
  /** Version to use. @default the storage version, or the newest served one if that is not served */
  readonly version?: string;
}

/**
 * Returns a kind for a definition from a server or a file. Only the metadata of its objects is typed.
 *
 * `parse` validates like the server, except CEL rules, which only the server evaluates. `convert` does what the server
 * does without a webhook; request objects of a webhook-converted resource in the version you need. Throws a `TypeError`
 * that names the field if the definition is invalid or has no such version.
 */
export function kindFromCrd(crd: unknown, { version }: KindFromCrdOptions = {}): Resource<Unstructured> {
  const shape = readCrd(crd);
  const chosen = chooseVersion(shape, version);
  const kind = kindOf(shape, chosen);
  const schema: Schema = chosen.schema ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const compiled = compileSchema(schema);
  const judge = schemaParser({ apiVersion: apiVersionOf(kind), kind: kind.kind, compiled }, (object) =>
    validate(object, compiled).map((error) => ({ path: error.field, message: printFieldErrorBody(error) })),
  );
  return {
    ...(kind as Kind<Unstructured>),
    schema,
    definition: () => definitionOf(crd as DeepReadonly<CustomResourceDefinition>),
    parse: (object) => judge(object) as Unstructured,
    convert: (object, target) => convert(object, target, shape),
  };
}

function chooseVersion({ name, versions }: CrdShape, wanted: string | undefined): CrdVersion {
  const served = versions.filter((version) => version.served);
  const chosen =
    wanted === undefined
      ? (served.find(({ storage }) => storage) ?? served.toSorted((a, b) => compareKubeVersions(a.name, b.name))[0])
      : served.find((version) => version.name === wanted);
  if (chosen !== undefined) return chosen;
  throw new TypeError(
    `CustomResourceDefinition ${name} ${wanted === undefined ? "serves no version" : `serves no version ${wanted}; it serves ${served.map((version) => version.name).join(", ") || "none"}`}`,
  );
}

/** The definition without fields that the server added. */
function definitionOf({ metadata: { name, labels, annotations }, spec }: DeepReadonly<CustomResourceDefinition>): CustomResourceDefinition {
  const metadata = definedOnly({ name, labels, annotations });
  return deepCopy({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec }) as CustomResourceDefinition;
}

function convert(object: DeepReadonly<KubeObject>, target: string, { group, names, versions, isConvertedByWebhook }: CrdShape): KubeObject {
  const from = parseGroupVersion(object.apiVersion ?? "");
  if (from.group !== group || object.kind !== names.kind)
    throw new TypeError(
      `cannot convert ${object.kind ?? "an object without a kind"} of ${object.apiVersion ?? "no apiVersion"}: it is not a ${names.kind} of ${group}`,
    );
  for (const version of [from.version, target]) {
    if (!versions.some(({ name }) => name === version))
      throw new TypeError(`${names.kind} has no version ${version}; it has ${versions.map(({ name }) => name).join(", ")}`);
  }
  if (from.version === target) return object as KubeObject;
  if (isConvertedByWebhook)
    throw new TypeError(
      `${names.kind} ${from.version} is converted to ${target} by a webhook; request the object in ${target} from the server instead`,
    );
  return { ...object, apiVersion: `${group}/${target}` } as KubeObject;
}
