/** Prints definitions as rows of the schema tables: only what patches, validation and defaulting read, references by name. */
import { byText, printLiteral } from "@drover/machinery";
import type { Printable } from "@drover/machinery";
import type { ApiModel, Definition, GroupVersionModel } from "./api-model.ts";
import { homePath } from "./naming.ts";
import type { OpenApiSchema } from "./openapi.ts";
import { referenceOf } from "./references.ts";

/** The order in which the parts of a node are printed; other parts do not reach the tables. */
const scalarKeys = [
  "type",
  "format",
  "nullable",
  "default",
  "enum",
  "required",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "x-kubernetes-int-or-string",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-patch-strategy",
  "x-kubernetes-patch-merge-key",
] as const satisfies readonly (keyof OpenApiSchema)[];

/** The table of one group version. */
export function printSchemaTable({ home, definitions }: GroupVersionModel, model: ApiModel): string {
  const table = {
    path: homePath(home),
    group: home.group,
    version: home.version,
    kinds: definitions.filter(({ isKind }) => isKind).map(({ name }) => name),
    definitions: Object.fromEntries(definitions.map((definition) => [definition.name, definitionNode(definition, model)])),
  };
  return `import type { SchemaTable } from "../schema-table.ts";\n\nexport const table: SchemaTable = ${printLiteral(table, 0, 35)};\n`;
}

function definitionNode({ schema, known, home }: Definition, model: ApiModel): Printable {
  return known.schema === undefined ? node(schema, homePath(home), model) : (known.schema as unknown as Printable);
}

function node(schema: OpenApiSchema, path: string, model: ApiModel): Printable {
  const reference = referenceOf(schema);
  const { items, properties, additionalProperties } = schema;
  return {
    ...(reference === undefined ? {} : { $ref: referenceText(model.definition(reference), path) }),
    ...Object.fromEntries(scalarKeys.map((key) => [key, schema[key] as Printable])),
    items: items === undefined ? undefined : node(items, path, model),
    additionalProperties: typeof additionalProperties === "object" ? node(additionalProperties, path, model) : additionalProperties,
    properties:
      properties === undefined
        ? undefined
        : Object.fromEntries(
            Object.entries(properties)
              .toSorted(([a], [b]) => byText(a, b))
              .map(([name, child]) => [name, node(child, path, model)]),
          ),
  };
}

/** "PodSpec" within its own table, "core/v1/PodSpec" elsewhere. */
function referenceText({ home, name }: Definition, path: string): string {
  return homePath(home) === path ? name : `${homePath(home)}/${name}`;
}
