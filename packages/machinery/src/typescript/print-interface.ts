/** Interfaces in generated code: of parts, of kinds, and of lists of kinds. */
import { apiVersionOf } from "../object/group-version.ts";
import type { GroupVersionKind } from "../object/group-version.ts";
import { definedOnly } from "../json/defined-only.ts";
import { docComment } from "./doc-comment.ts";
import { printFields } from "./schema-type.ts";
import type { PrintedSchema, TypeScope } from "./schema-type.ts";

/** Name of an interface, and the kind it describes. */
export interface InterfaceOptions {
  readonly name: string;
  /** The kind, and the type of its metadata. @default none: a part of a kind */
  readonly of?: GroupVersionKind & { readonly metadata: string | undefined };
  /** Why it is deprecated. @default not deprecated */
  readonly deprecated?: string;
}

/** Prints the interface of an object with fields. One that preserves unknown fields has an index signature. */
export function printInterface(schema: PrintedSchema, scope: TypeScope, { name, of, deprecated }: InterfaceOptions): string {
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([field]) => of === undefined || !["apiVersion", "kind", "metadata"].includes(field),
  );
  const metadata = of?.metadata === undefined ? "" : `  metadata: ${of.metadata};\n`;
  const head = of === undefined ? "" : `${identity(of)}${metadata}`;
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true ? "  [key: string]: unknown;\n" : "";
  const comment = docComment(schema.description ?? "", "", definedOnly({ deprecated }));
  return `${comment}export interface ${name} {\n${head}${printFields(fields, schema.required ?? [], scope)}${open}}\n`;
}

/** Prints the interface of a list of objects. */
export function printListInterface(
  kind: GroupVersionKind,
  item: string,
  scope: TypeScope,
  { name }: Pick<InterfaceOptions, "name">,
): string {
  return `export interface ${name} extends ${scope.machinery("KubeList")}<${item}> {\n${identity(kind)}}\n`;
}

function identity(kind: GroupVersionKind): string {
  return `  apiVersion?: ${JSON.stringify(apiVersionOf(kind))};\n  kind?: ${JSON.stringify(kind.kind)};\n`;
}
