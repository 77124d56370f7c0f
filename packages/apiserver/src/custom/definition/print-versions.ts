/** Prints the versions of a definition as kube-apiserver's errors do: all fields of the internal types, in order. */
import { printGoJson, printInternalSchema } from "@drover/machinery";
import type { InternalVersion } from "./internal-spec.ts";

export function printVersions(versions: readonly InternalVersion[] | undefined): string {
  return versions === undefined ? "null" : list(versions, printVersion);
}

function printVersion({
  name,
  served,
  storage,
  deprecated = false,
  deprecationWarning,
  schema,
  subresources,
  additionalPrinterColumns,
  selectableFields,
}: InternalVersion): string {
  return struct([
    ["Name", printGoJson(name)],
    ["Served", String(served)],
    ["Storage", String(storage)],
    ["Deprecated", String(deprecated)],
    ["DeprecationWarning", printGoJson(deprecationWarning ?? null)],
    [
      "Schema",
      schema === undefined
        ? "null"
        : struct([["OpenAPIV3Schema", schema.openAPIV3Schema === undefined ? "null" : printInternalSchema(schema.openAPIV3Schema)]]),
    ],
    ["Subresources", subresources === undefined ? "null" : printSubresources(subresources)],
    ["AdditionalPrinterColumns", additionalPrinterColumns === undefined ? "null" : list(additionalPrinterColumns, printColumn)],
    [
      "SelectableFields",
      selectableFields === undefined ? "null" : list(selectableFields, ({ jsonPath }) => struct([["JSONPath", printGoJson(jsonPath)]])),
    ],
  ]);
}

function printSubresources({ status, scale }: NonNullable<InternalVersion["subresources"]>): string {
  const printed =
    scale === undefined
      ? "null"
      : struct([
          ["SpecReplicasPath", printGoJson(scale.specReplicasPath)],
          ["StatusReplicasPath", printGoJson(scale.statusReplicasPath)],
          ["LabelSelectorPath", printGoJson(scale.labelSelectorPath ?? null)],
        ]);
  return struct([
    ["Status", status === undefined ? "null" : "{}"],
    ["Scale", printed],
  ]);
}

function printColumn({
  name,
  type,
  format = "",
  description = "",
  priority = 0,
  jsonPath,
}: NonNullable<InternalVersion["additionalPrinterColumns"]>[number]): string {
  const texts: [string, string | number][] = [
    ["Name", name],
    ["Type", type],
    ["Format", format],
    ["Description", description],
    ["Priority", priority],
    ["JSONPath", jsonPath],
  ];
  return struct(texts.map(([field, value]) => [field, printGoJson(value)]));
}

const list = <T>(items: readonly T[], print: (item: T) => string): string => `[${items.map(print).join(",")}]`;
const struct = (fields: readonly (readonly [name: string, text: string])[]): string =>
  `{${fields.map(([name, text]) => `"${name}":${text}`).join(",")}}`;
