/**
 * The spec of a definition in kube-apiserver's internal form: parts that all versions share are hoisted above them, so errors
 * name fields such as `spec.validation.openAPIV3Schema`, which no client wrote.
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

/** Parts that can be hoisted. */
export interface SharedParts {
  readonly schema?: CustomResourceValidation;
  readonly subresources?: CustomResourceSubresources;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  readonly selectableFields?: readonly SelectableField[];
}

/** A version without the hoisted parts. */
export interface InternalVersion
  extends SharedParts, Pick<CustomResourceDefinitionVersion, "name" | "served" | "storage" | "deprecated" | "deprecationWarning"> {}

export interface InternalSpec
  extends SharedParts, Pick<CustomResourceDefinitionSpec, "group" | "names" | "scope" | "conversion" | "preserveUnknownFields"> {
  /** Undefined differs from empty: kube-apiserver prints it as null. */
  readonly versions: readonly InternalVersion[] | undefined;
}

const parts = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/** Hoists the parts that all versions share. */
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
