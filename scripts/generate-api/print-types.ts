/** Prints definitions as TypeScript interfaces. */
import { printInterface, printListInterface, typeText } from "@drover/machinery";
import type { ImportList, PrintedSchema, TypeScope } from "@drover/machinery";
import type { ApiModel, Definition } from "./api-model.ts";
import { homePath } from "./naming.ts";
import type { OpenApiSchema } from "./openapi.ts";
import { referenceOf } from "./references.ts";

/** Where a type is printed: its file, and how it may refer to other types. */
export interface TypePlace {
  readonly model: ApiModel;
  readonly path: string;
  readonly imports: ImportList;
}

const machinery = "@drover/machinery";

/** How types refer to each other: by the names of definitions. */
export function typeScope(place: TypePlace): TypeScope {
  const named = (schema: PrintedSchema): string | undefined => {
    const reference = referenceOf(schema);
    return reference === undefined ? undefined : referencedType(place.model.definition(reference), place);
  };
  return { named, machinery: (name) => place.imports.use(machinery, name, "machinery") };
}

/** The interface of a definition, or a type alias where it is not an object with fields. */
export function printType({ home, name, schema, known, isKind }: Definition, place: TypePlace): string {
  const scope = typeScope(place);
  if (known.type !== undefined) {
    for (const used of known.uses ?? []) scope.machinery(used);
    return `export type ${name} = ${known.type};\n`;
  }
  if (schema.properties === undefined) return `export type ${name} = ${typeText(schema, scope)};\n`;
  if (!isKind) return printInterface(schema, scope, { name });
  const { group, version } = home;
  const item = listItem(schema, place);
  if (item !== undefined) return printListInterface({ group, version, kind: name }, typeText(item, scope), scope, { name });
  // The document calls metadata optional, but every object has it.
  const metadata = schema.properties.metadata === undefined ? undefined : typeText(schema.properties.metadata, scope);
  return printInterface(schema, scope, { name, of: { group, version, kind: name, metadata } });
}

/** The schema of the items when the schema is that of a list of objects. */
function listItem({ properties }: OpenApiSchema, { model }: TypePlace): OpenApiSchema | undefined {
  const metadata = properties?.metadata;
  const reference = metadata === undefined ? undefined : referenceOf(metadata);
  return reference !== undefined && model.definition(reference).known.machinery === "ListMeta" ? properties?.items?.items : undefined;
}

function referencedType({ home, name, known }: Definition, place: TypePlace): string {
  if (known.machinery !== undefined) return place.imports.use(machinery, known.machinery, "machinery");
  const path = homePath(home);
  // A plain record needs no name of its own.
  if (known.type !== undefined && home.folder === "meta") return known.type;
  return path === place.path ? name : place.imports.use(`../${path}.ts`, name, path);
}
