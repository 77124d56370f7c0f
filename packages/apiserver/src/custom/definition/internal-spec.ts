/**
 * The spec of a definition the way the server judges it: what all versions have in common stands above them, so errors in it have fields
 * like `spec.validation.openAPIV3Schema`, which no client ever wrote.
 */
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from "@drover/api/apiextensions/v1";
import { semanticEqual } from "@drover/machinery";

/** What may stand above the versions, or in each. */
export interface SharedParts {
  readonly schema?: CustomResourceValidation;
  readonly subresources?: CustomResourceSubresources;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  readonly selectableFields?: readonly SelectableField[];
}

/** A version, without what stands above it. */
export interface InternalVersion
  extends SharedParts, Pick<CustomResourceDefinitionVersion, "name" | "served" | "storage" | "deprecated" | "deprecationWarning"> {}

export interface InternalSpec
  extends SharedParts, Pick<CustomResourceDefinitionSpec, "group" | "names" | "scope" | "conversion" | "preserveUnknownFields"> {
  /** Undefined is not the same as none: the server prints it as null. */
  readonly versions: readonly InternalVersion[] | undefined;
}

const parts = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/** Moves what all versions share above them. */
export function internalSpec({ versions, ...spec }: CustomResourceDefinitionSpec): InternalSpec {
  const [first, ...others] = versions ?? [];
  if (first === undefined) return { ...spec, versions: versions ?? undefined };
  const shared = parts.filter((part) => others.every((other) => semanticEqual(other[part], first[part])));
  return {
    ...spec,
    ...pickParts(first, (part) => shared.includes(part)),
    versions: versions.map((version) => internalVersion(version, (part) => !shared.includes(part))),
  };
}

type PartTest = (part: (typeof parts)[number]) => boolean;

function internalVersion(version: CustomResourceDefinitionVersion, keeps: PartTest): InternalVersion {
  const { schema: _schema, subresources: _subresources, additionalPrinterColumns: _columns, selectableFields: _fields, ...own } = version;
  return { ...own, ...pickParts(version, keeps) };
}

function pickParts(version: CustomResourceDefinitionVersion, keeps: PartTest): SharedParts {
  const { schema, subresources, additionalPrinterColumns, selectableFields } = version;
  return {
    ...(schema !== undefined && keeps("schema") ? { schema } : {}),
    ...(subresources !== undefined && keeps("subresources") ? { subresources } : {}),
    ...(additionalPrinterColumns !== undefined && additionalPrinterColumns.length > 0 && keeps("additionalPrinterColumns")
      ? { additionalPrinterColumns }
      : {}),
    ...(selectableFields !== undefined && selectableFields.length > 0 && keeps("selectableFields") ? { selectableFields } : {}),
  };
}
