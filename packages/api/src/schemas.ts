/**
 * The schemas of all built-in kinds, for patches, validation and defaulting. They come from a server's OpenAPI document, without prose;
 * a kind's own nodes say `format: "quantity"` and `format: "micro-time"` where the document has no word for it.
 *
 * `default` is what the document says, the zero value of a required field included; it is no promise that the server fills it in.
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
 * The schema of a kind, of its list ("PodList") or of a subresource's body ("Scale"), without `$ref`s and deeply frozen; `undefined`
 * for kinds that are not built in. Walk it along a value: CustomResourceDefinition's schema contains itself.
 */
export const schemaFor = (kind: GroupVersionKind): Schema | undefined => byKind.get(keyOf(kind));
