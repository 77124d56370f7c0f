/**
 * Definitions that a document cannot describe as the server decodes them: values of two types, and objects with arbitrary
 * content.
 */
import type { Schema } from "@drover/machinery";

const anything: Schema = { "x-kubernetes-preserve-unknown-fields": true };
const anyObject: Schema = { type: "object", ...anything };
const shared = "io.k8s.apimachinery.pkg";
const apiextensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions";

const schemas: ReadonlyMap<string, Schema> = new Map([
  [`${shared}.api.resource.Quantity`, { format: "quantity", oneOf: [{ type: "string" }, { type: "number" }] }],
  [`${shared}.util.intstr.IntOrString`, { format: "int-or-string", "x-kubernetes-int-or-string": true }],
  [`${shared}.runtime.RawExtension`, anyObject],
  [`${shared}.apis.meta.v1.FieldsV1`, anyObject],
  ...["v1", "v1beta1"].flatMap((version): [string, Schema][] => [
    [`${apiextensions}.${version}.JSON`, anything],
    [`${apiextensions}.${version}.JSONSchemaPropsOrArray`, anything],
    [`${apiextensions}.${version}.JSONSchemaPropsOrBool`, anything],
    [`${apiextensions}.${version}.JSONSchemaPropsOrStringArray`, anything],
  ]),
]);

/** Returns the schema of a definition by its full name; undefined if the document's own is sufficient. */
export function wellKnownSchema(definition: string): Schema | undefined {
  return schemas.get(definition);
}
