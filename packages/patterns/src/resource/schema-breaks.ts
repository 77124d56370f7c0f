/**
 * Finds changes of a schema that break stored objects: which would become invalid, and which data would be lost.
 *
 *     installed schema, wanted schema → "spec.host: was removed; its data in stored objects would be lost"
 */
import { jsonEqual } from "@drover/machinery";
import type { Schema } from "@drover/machinery";

/**
 * Returns every place where the wanted schema accepts less than the installed one; empty if all valid objects stay
 * valid and lose nothing.
 */
export function schemaBreaks(installed: Schema, wanted: Schema, path = ""): readonly string[] {
  const problem = (words: string): string => `${path === "" ? "the object" : path}: ${words}`;
  if (isAnything(wanted)) return [];
  if (isAnything(installed)) return [problem(`accepted anything, now accepts ${wanted.type ?? "less"}`)];
  if (installed.type !== wanted.type && !(installed.type === "integer" && wanted.type === "number"))
    return [problem(`was ${nameOf(installed)}, now ${nameOf(wanted)}`)];
  return [
    ...ruleBreaks(installed, wanted).map(problem),
    ...fieldBreaks(installed, wanted, path),
    ...(installed.items === undefined || wanted.items === undefined ? [] : schemaBreaks(installed.items, wanted.items, `${path}[]`)),
    ...(typeof installed.additionalProperties === "object" && typeof wanted.additionalProperties === "object"
      ? schemaBreaks(installed.additionalProperties, wanted.additionalProperties, `${path}{}`)
      : []),
  ];
}

function isAnything(schema: Schema): boolean {
  return schema.type === undefined && schema["x-kubernetes-preserve-unknown-fields"] === true;
}

function nameOf({ type, "x-kubernetes-int-or-string": intOrString }: Schema): string {
  return type ?? (intOrString === true ? "int-or-string" : "anything");
}

type Limit = "minimum" | "minLength" | "minItems" | "minProperties" | "maximum" | "maxLength" | "maxItems" | "maxProperties";
const lowest: readonly Limit[] = ["minimum", "minLength", "minItems", "minProperties"];
const highest: readonly Limit[] = ["maximum", "maxLength", "maxItems", "maxProperties"];

function ruleBreaks(installed: Schema, wanted: Schema): readonly string[] {
  const breaks: string[] = [];
  for (const limit of lowest)
    if ((wanted[limit] ?? -Infinity) > (installed[limit] ?? -Infinity))
      breaks.push(`has ${limit} ${wanted[limit]}, was ${installed[limit] ?? "unlimited"}`);
  for (const limit of highest)
    if ((wanted[limit] ?? Infinity) < (installed[limit] ?? Infinity))
      breaks.push(`has ${limit} ${wanted[limit]}, was ${installed[limit] ?? "unlimited"}`);
  if (wanted.pattern !== undefined && wanted.pattern !== installed.pattern)
    breaks.push(`must match ${wanted.pattern}, ${installed.pattern === undefined ? "had no pattern" : `was ${installed.pattern}`}`);
  if (wanted.format !== installed.format && wanted.format !== undefined && installed.format !== undefined)
    breaks.push(`has format ${wanted.format}, was ${installed.format}`);
  if (installed.nullable === true && wanted.nullable !== true) breaks.push("can no longer be null");
  const missing = (installed.enum ?? []).filter((value) => !(wanted.enum ?? installed.enum ?? []).some((other) => jsonEqual(other, value)));
  if (missing.length > 0) breaks.push(`no longer accepts ${missing.map((value) => JSON.stringify(value)).join(", ")}`);
  if (installed.enum === undefined && wanted.enum !== undefined)
    breaks.push(`now accepts only ${wanted.enum.map((value) => JSON.stringify(value)).join(", ")}`);
  const listType = "x-kubernetes-list-type";
  if ((installed[listType] ?? "atomic") !== (wanted[listType] ?? "atomic"))
    breaks.push(`is a list of type ${wanted[listType] ?? "atomic"}, was ${installed[listType] ?? "atomic"}`);
  return breaks;
}

function fieldBreaks(installed: Schema, wanted: Schema, path: string): readonly string[] {
  const before = installed.properties ?? {};
  const after = wanted.properties ?? {};
  const keeps = wanted["x-kubernetes-preserve-unknown-fields"] === true || wanted.additionalProperties !== undefined;
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const known = Object.entries(before).flatMap(([name, schema]) => {
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (now !== undefined) return schemaBreaks(schema, now, at(name));
    return keeps ? [] : [`${at(name)}: was removed; its data in stored objects would be lost`];
  });
  const needed = (wanted.required ?? []).filter((name) => !(installed.required ?? []).includes(name) && after[name]?.default === undefined);
  return [...known, ...needed.map((name) => `${at(name)}: is now required, but stored objects may lack it; give it a default`)];
}
