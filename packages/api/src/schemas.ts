/**
 * Schemas of all built-in kinds, for patches, validation and defaulting. They come from a server's OpenAPI document, without
 * descriptions, with `format: "quantity"` and `format: "micro-time"` added where the document has no format for it.
 *
 * `default` is what the document says, including zero values of required fields; the server need not fill it in.
 */
import type { GroupVersionKind, Schema } from "@drover/machinery";
import { KindSchemas } from "./schemas/kind-schemas.ts";
import { tables } from "./schemas/tables.ts";

const builtIn = new KindSchemas(tables);

/**
 * Returns the schema of a kind, of its list ("PodList") or of a subresource body ("Scale"), without `$ref`s and deeply frozen;
 * `undefined` for kinds that are not built in. Walk it along a value: the schema of CustomResourceDefinition is recursive.
 */
export const schemaFor = (kind: GroupVersionKind): Schema | undefined => builtIn.of(kind);
