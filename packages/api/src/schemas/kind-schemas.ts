import type { GroupVersionKind, Schema } from "@drover/machinery";
import { linkSchemas } from "./link-schemas.ts";
import type { SchemaTable } from "./schema-table.ts";

/**
 * The schemas of the kinds in some tables. The first question links them: many programs never ask, and linking takes a
 * quarter of the time in which `drover` loads.
 */
export class KindSchemas {
  readonly #tables: readonly SchemaTable[];
  #byKind: ReadonlyMap<string, Schema> | undefined;

  constructor(tables: readonly SchemaTable[]) {
    this.#tables = tables;
  }

  of(kind: GroupVersionKind): Schema | undefined {
    this.#byKind ??= linkKinds(this.#tables);
    return this.#byKind.get(keyOf(kind));
  }
}

function linkKinds(tables: readonly SchemaTable[]): ReadonlyMap<string, Schema> {
  const definitions = linkSchemas(tables);
  return new Map(
    tables.flatMap(({ path, group, version, kinds }) =>
      kinds.flatMap((kind): [string, Schema][] => {
        const schema = definitions[`${path}/${kind}`];
        return schema === undefined ? [] : [[keyOf({ group, version, kind }), schema]];
      }),
    ),
  );
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
