/** Which definitions a schema refers to, and which definitions all groups share. */
import type { PrintedSchema } from "@drover/machinery";
import type { OpenApiSchema } from "./openapi.ts";

const prefix = "#/components/schemas/";

/** The full name behind a reference, bare or wrapped in `allOf` to give it siblings such as a default. */
export function referenceOf(schema: Pick<PrintedSchema, "$ref" | "allOf">): string | undefined {
  const reference = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
  if (reference === undefined) return undefined;
  if (reference.startsWith(prefix)) return reference.slice(prefix.length);
  throw new Error(`the reference ${JSON.stringify(reference)} does not begin with ${prefix}`);
}

/** Every definition that the schema refers to, at any depth. */
export function referencesOf(schema: OpenApiSchema): readonly string[] {
  const own = referenceOf(schema);
  const children = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  return [...(own === undefined ? [] : [own]), ...children.flatMap((child) => (typeof child === "object" ? referencesOf(child) : []))];
}

/** Whether a definition belongs to no group: metadata, times, quantities and the like. */
export const isSharedDefinition = (fullName: string): boolean => fullName.startsWith("io.k8s.apimachinery.pkg.");
