/**
 * Schemas of all built-in kinds, for patches, validation and defaulting. They come from a server's OpenAPI document, without
 * descriptions, with `format: "quantity"` and `format: "micro-time"` added where the document has no format for it.
 *
 * `default` is what the document says, including zero values of required fields; the server need not fill it in.
 */
import type { GroupVersionKind, Schema } from "@drover/machinery";
import { linkSchemas } from "./schemas/link-schemas.ts";
import { tables } from "./schemas/tables.ts";

const definitions: Readonly<Record<string, Schema>> = linkSchemas(tables);

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

const byKind: ReadonlyMap<string, Schema> = new Map(
  tables.flatMap(({ path, group, version, kinds }) =>
    kinds.flatMap((kind): [string, Schema][] => {
      const schema = definitions[`${path}/${kind}`];
      return schema === undefined ? [] : [[keyOf({ group, version, kind }), schema]];
    }),
  ),
);

/**
 * Returns the schema of a kind, of its list ("PodList") or of a subresource body ("Scale"), without `$ref`s and deeply frozen;
 * `undefined` for kinds that are not built in. Walk it along a value: the schema of CustomResourceDefinition is recursive.
 */
export const schemaFor = (kind: GroupVersionKind): Schema | undefined => byKind.get(keyOf(kind));
