/**
 * Definitions that a server's document cannot describe, or that `@drover/machinery` has a type for.
 *
 * A quantity's node has `format: "quantity"` and no type, because it may be a string or any number; a MicroTime's has
 * `format: "micro-time"` where the document says "date-time" for both kinds of time.
 */
import type { Schema } from "@drover/machinery";

export interface WellKnown {
  /** The type of `@drover/machinery` which takes its place. */
  readonly machinery?: string;
  /** Its TypeScript type; it may name definitions of the same package, and those of machinery listed in `uses`. */
  readonly type?: string;
  readonly uses?: readonly string[];
  /** Its node in the schema tables, where the document's own does not fit; references are names in the same table. */
  readonly schema?: Schema | { readonly anyOf: readonly object[] };
}

const anything: Schema = { "x-kubernetes-preserve-unknown-fields": true };
const anyObject: Schema = { type: "object", ...anything };
const quantity: Schema = { format: "quantity", oneOf: [{ type: "string" }, { type: "number" }] };
const intOrString: Schema = { format: "int-or-string", "x-kubernetes-int-or-string": true };
const listOf = (items: object): object => ({ type: "array", items });
const schemaOr = (other: object): NonNullable<WellKnown["schema"]> => ({ ...anything, anyOf: [{ $ref: "JSONSchemaProps" }, other] });

const shared = "io.k8s.apimachinery.pkg";
const apiextensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";

/** By full name. */
export const wellKnown: Readonly<Record<string, WellKnown>> = {
  [`${shared}.api.resource.Quantity`]: { machinery: "QuantityValue", schema: quantity },
  [`${shared}.util.intstr.IntOrString`]: { machinery: "IntOrString", schema: intOrString },
  [`${shared}.runtime.RawExtension`]: { type: "Record<string, unknown>", schema: anyObject },
  [`${shared}.apis.meta.v1.Condition`]: { machinery: "Condition" },
  [`${shared}.apis.meta.v1.DeleteOptions`]: { machinery: "DeleteOptions" },
  [`${shared}.apis.meta.v1.FieldSelectorRequirement`]: { machinery: "FieldSelectorRequirement" },
  [`${shared}.apis.meta.v1.FieldsV1`]: { type: "Record<string, unknown>", schema: anyObject },
  [`${shared}.apis.meta.v1.LabelSelector`]: { machinery: "LabelSelector" },
  [`${shared}.apis.meta.v1.LabelSelectorRequirement`]: { machinery: "LabelSelectorRequirement" },
  [`${shared}.apis.meta.v1.ListMeta`]: { machinery: "ListMeta" },
  [`${shared}.apis.meta.v1.ManagedFieldsEntry`]: { machinery: "ManagedFieldsEntry" },
  [`${shared}.apis.meta.v1.MicroTime`]: { machinery: "MicroTime", schema: { type: "string", format: "micro-time" } },
  [`${shared}.apis.meta.v1.ObjectMeta`]: { machinery: "ObjectMeta" },
  [`${shared}.apis.meta.v1.OwnerReference`]: { machinery: "OwnerReference" },
  [`${shared}.apis.meta.v1.Preconditions`]: { machinery: "Preconditions" },
  [`${shared}.apis.meta.v1.Time`]: { machinery: "Time" },
  [`${apiextensions}.JSON`]: { type: "JsonValue", uses: ["JsonValue"], schema: anything },
  [`${apiextensions}.JSONSchemaPropsOrArray`]: {
    type: "JSONSchemaProps | JSONSchemaProps[]",
    schema: schemaOr(listOf({ $ref: "JSONSchemaProps" })),
  },
  [`${apiextensions}.JSONSchemaPropsOrBool`]: { type: "JSONSchemaProps | boolean", schema: schemaOr({ type: "boolean" }) },
  [`${apiextensions}.JSONSchemaPropsOrStringArray`]: { type: "JSONSchemaProps | string[]", schema: schemaOr(listOf({ type: "string" })) },
};
