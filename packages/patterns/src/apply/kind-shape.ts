/** What is known about the objects of a kind: their schema, and how their values are merged. */
import { schemaFor } from "@drover/api/schemas";
import { builtInMergeType, customMergeType, deducedMergeType } from "@drover/machinery";
import type { Kind, MergeType, Schema } from "@drover/machinery";

export interface KindShape {
  /** Undefined for kinds nobody has described. */
  readonly schema: Schema | undefined;
  readonly type: MergeType;
  /** Whether the server takes strategic merge patches for it: only for what is built in. */
  readonly isBuiltIn: boolean;
}

/**
 * From the schemas of the built-in kinds, from what `defineResource` made, or deduced. Keep it: reading a schema twice
 * is reading it twice.
 */
export function kindShape(kind: Kind): KindShape {
  const builtIn = schemaFor(kind);
  if (builtIn !== undefined) return { schema: builtIn, type: builtInMergeType(builtIn), isBuiltIn: true };
  const own = "schema" in kind ? (kind as { readonly schema: Schema }).schema : undefined;
  const metadata = schemaFor({ group: "", version: "v1", kind: "ConfigMap" })?.properties?.["metadata"];
  if (own === undefined || metadata === undefined) return { schema: undefined, type: deducedMergeType, isBuiltIn: false };
  return { schema: { ...own, properties: { ...own.properties, metadata } }, type: customMergeType(own, metadata), isBuiltIn: false };
}
