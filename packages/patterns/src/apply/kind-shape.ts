/** The shape of a kind: its schema and how its values merge. */
import { schemaFor } from "@drover/api/schemas";
import { builtInMergeType, customMergeType, deducedMergeType } from "@drover/machinery";
import type { Kind, MergeType, Schema } from "@drover/machinery";

/** Schema and merge rules of a kind. */
export interface KindShape {
  /** Undefined for kinds without a known schema. */
  readonly schema: Schema | undefined;
  readonly type: MergeType;
  /** Whether the server accepts strategic merge patches: only for built-in kinds. */
  readonly isBuiltIn: boolean;
}

/** Returns the shape from the built-in schemas, from `defineResource`, or deduced. Cache it: reading a schema is expensive. */
export function kindShape(kind: Kind): KindShape {
  const builtIn = schemaFor(kind);
  if (builtIn !== undefined) return { schema: builtIn, type: builtInMergeType(builtIn), isBuiltIn: true };
  const own = "schema" in kind ? (kind as { readonly schema: Schema }).schema : undefined;
  const metadata = schemaFor({ group: "", version: "v1", kind: "ConfigMap" })?.properties?.["metadata"];
  if (own === undefined || metadata === undefined) return { schema: undefined, type: deducedMergeType, isBuiltIn: false };
  return { schema: { ...own, properties: { ...own.properties, metadata } }, type: customMergeType(own, metadata), isBuiltIn: false };
}
