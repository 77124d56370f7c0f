/**
 * Validates an object like a server with the resource's CRD: drops unknown fields, adds defaults, then applies the zod
 * schemas, or the structural schema if there are none.
 */
import {
  applyDefaults,
  compileSchema,
  dropNulls,
  getOwn,
  isJsonObject,
  isThenable,
  printFieldErrorBody,
  prune,
  validateListTypes,
} from "@drover/machinery";
import type { CompiledSchema, JsonObject, JsonValue, KubeObject, Schema } from "@drover/machinery";
import type { ZodSchema } from "../schema/zod-schema.ts";
import { InvalidObjectError } from "./invalid-object-error.ts";
import type { ObjectIssue } from "./invalid-object-error.ts";

/** What a parser is built from. */
export interface ObjectParserParts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: Schema;
  readonly spec: ZodSchema;
  readonly status: ZodSchema | undefined;
}

/** Returns the parser of a resource. Compiles the schema once. */
export function objectParser({ apiVersion, kind, schema, spec, status }: ObjectParserParts): (object: unknown) => KubeObject {
  const compiled = compileSchema(schema);
  return schemaParser({ apiVersion, kind, compiled }, (kept) => [
    ...issuesOf(spec, kept, "spec"),
    ...(status === undefined || getOwn(kept, "status") === undefined ? [] : issuesOf(status, kept, "status")),
    // Zod cannot express lists with unique items.
    ...validateListTypes(kept, compiled).map((error) => ({ path: error.field, message: printFieldErrorBody(error) })),
  ]);
}

/** Returns a parser that drops unknown fields and adds defaults, then calls `judge` for the issues. */
export function schemaParser(
  { apiVersion, kind, compiled }: { readonly apiVersion: string; readonly kind: string; readonly compiled: CompiledSchema },
  judge: (object: JsonObject) => readonly ObjectIssue[],
): (object: unknown) => KubeObject {
  return (object) => {
    const given = object as JsonValue | undefined;
    if (!isJsonObject(given))
      throw new InvalidObjectError(kind, [{ path: "", message: `must be an object, not ${given === null ? "null" : typeof given}` }]);
    const kept = applyDefaults(dropNulls(prune(given, compiled).value, compiled), compiled) as JsonObject;
    const issues = [...identityIssues(kept, apiVersion, kind), ...judge(kept)];
    if (issues.length > 0) throw new InvalidObjectError(nameOf(kept, kind), issues);
    return kept as JsonObject & KubeObject;
  };
}

/** apiVersion and kind may be missing, but must not differ. */
function identityIssues(object: JsonObject, apiVersion: string, kind: string): readonly ObjectIssue[] {
  const wanted = Object.entries({ apiVersion, kind });
  return wanted.flatMap(([path, value]) => {
    const found = getOwn(object, path);
    return found === undefined || found === value ? [] : [{ path, message: `is ${JSON.stringify(found)}, not ${JSON.stringify(value)}` }];
  });
}

function issuesOf(schema: ZodSchema, object: JsonObject, part: "spec" | "status"): readonly ObjectIssue[] {
  const result = schema["~standard"].validate(getOwn(object, part));
  if (isThenable(result)) throw new TypeError(`${part}: the schema is async, which a server cannot do`);
  return (result.issues ?? []).map(({ path = [], message }) => ({ path: pathText(part, path), message }));
}

function pathText(part: string, path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  return path.reduce<string>((text, step) => {
    const key = typeof step === "object" ? step.key : step;
    return typeof key === "number" ? `${text}[${key}]` : `${text}.${String(key)}`;
  }, part);
}

function nameOf(object: JsonObject, kind: string): string {
  const metadata = getOwn(object, "metadata");
  if (!isJsonObject(metadata)) return kind;
  const words = [getOwn(metadata, "namespace"), getOwn(metadata, "name")].filter((word) => typeof word === "string");
  return words.length === 0 ? kind : `${kind} ${words.join("/")}`;
}
