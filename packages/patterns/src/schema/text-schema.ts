/** Strings: lengths and patterns. The server matches patterns with RE2, so patterns that only JavaScript supports are refused. */
import { compileRe2, errorText } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import type { SchemaWalk } from "./schema-walk.ts";
import { checksOf, definitionOf, patternOf } from "./zod-node.ts";
import type { ZodCheck } from "./zod-node.ts";
import type { ZodSchema } from "./zod-schema.ts";

/** Schema of a string. */
export function textSchema(schema: ZodSchema, walk: SchemaWalk): Schema {
  if ("coerce" in definitionOf(schema))
    return walk.refuse({
      what: "z.coerce",
      why: "converts its input, which the server does not do",
      instead: "z.string(), and the conversion in the reconcile",
    });
  return withPatterns(
    { type: "string" },
    checksOf(schema).flatMap((check) => rulesOf(check, walk)),
  );
}

/** Schema of a template literal: the pattern with which zod matches it. */
export function templateSchema(schema: ZodSchema, walk: SchemaWalk): Schema {
  const pattern = patternOf(schema);
  return withPatterns({ type: "string" }, pattern === undefined ? [] : patternRules(pattern, "z.templateLiteral()", walk));
}

/** Uses `pattern` for the first pattern and `allOf` for the others. */
function withPatterns(base: Schema, rules: readonly Schema[]): Schema {
  const [first, ...others] = rules.filter(({ pattern }) => pattern !== undefined);
  const lengths = rules.filter(({ pattern }) => pattern === undefined);
  const minLength = Math.max(...lengths.map((rule) => rule.minLength ?? 0));
  const maxLength = Math.min(...lengths.map((rule) => rule.maxLength ?? Infinity));
  return {
    ...base,
    ...first,
    ...(minLength > 0 ? { minLength } : {}),
    ...(maxLength < Infinity ? { maxLength } : {}),
    ...(others.length > 0 ? { allOf: others } : {}),
  };
}

function rulesOf(check: ZodCheck, walk: SchemaWalk): readonly Schema[] {
  if (check.check === "min_length") return [{ minLength: check.minimum }];
  if (check.check === "max_length") return [{ maxLength: check.maximum }];
  if (check.check === "length_equals") return [{ minLength: check.length, maxLength: check.length }];
  if (check.check === "string_format") return formatRules(check, walk);
  // Checks in JavaScript are handled by `withoutCode`, which knows the CEL rules.
  if (check.check !== "overwrite") return [];
  return refused(walk, {
    what: "trim(), toLowerCase() and the like",
    why: "change their input, which the server does not do",
    instead: "a pattern for the allowed values: .regex(/^\\S+$/)",
  });
}

type FormatCheck = Extract<ZodCheck, { readonly check: "string_format" }>;

function formatRules(check: FormatCheck, walk: SchemaWalk): readonly Schema[] {
  const name = check.format === "regex" ? "regex" : `the format ${check.format}`;
  if (check.pattern === undefined) {
    return refused(walk, {
      what: name,
      why: "is checked by JavaScript code, which the server cannot run",
      instead: `z.string().regex(…), or a rule in CEL: .meta({ "x-kubernetes-validations": [{ rule: "isURL(self)" }] })`,
    });
  }
  // Besides the pattern, zod checks these with code.
  if (check.format === "base64" || check.format === "base64url") {
    return refused(walk, {
      what: name,
      why: "is checked by JavaScript besides its pattern",
      instead: "z.string().regex(/^(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=)?$/)",
    });
  }
  return patternRules(check.pattern, name, walk);
}

function patternRules(pattern: RegExp, what: string, walk: SchemaWalk): readonly Schema[] {
  const flags = pattern.flags.replaceAll("u", "");
  if (flags !== "" && flags !== "i")
    return refused(walk, {
      what: `${what} /${pattern.source.slice(0, 40)}/${pattern.flags}`,
      why: `has the flag ${flags.replace("i", "").charAt(0)}, which RE2 does not support`,
      instead: "the same pattern without it",
    });
  // JavaScript escapes slashes, RE2 does not know that escape.
  const text = `${flags === "i" ? "(?i)" : ""}${pattern.source.replaceAll("\\/", "/")}`;
  try {
    compileRe2(text);
  } catch (error) {
    return refused(walk, {
      what: `${what} /${pattern.source.slice(0, 40)}${pattern.source.length > 40 ? "…" : ""}/`,
      why: `is not valid RE2, which the server uses (${errorText(error)})`,
      instead: "z.string().regex(…) without look-around and back-references, or a rule in CEL",
    });
  }
  return [{ pattern: text }];
}

function refused(walk: SchemaWalk, refusal: Parameters<SchemaWalk["refuse"]>[0]): readonly Schema[] {
  walk.refuse(refusal);
  return [];
}
