/** Numbers: integer formats and bounds. */
import { definedOnly } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import type { SchemaWalk } from "./schema-walk.ts";
import { checksOf, definitionOf } from "./zod-node.ts";
import type { ZodSchema } from "./zod-schema.ts";

interface Bound {
  readonly value: number;
  readonly isInclusive: boolean;
}

/** Schema of a number. Integers keep zod's bounds: beyond 2^53 JavaScript cannot represent them exactly. */
export function numberSchema(schema: ZodSchema, walk: SchemaWalk): Schema {
  if ("coerce" in definitionOf(schema))
    return walk.refuse({ what: "z.coerce", why: "converts its input, which the server does not do", instead: "z.number() or z.int()" });
  let base: Schema = { type: "number" };
  let lower: Bound = { value: -Infinity, isInclusive: true };
  let upper: Bound = { value: Infinity, isInclusive: true };
  const steps: number[] = [];
  for (const check of checksOf(schema)) {
    if (check.check === "greater_than") lower = higher(lower, { value: Number(check.value), isInclusive: check.inclusive });
    if (check.check === "less_than") upper = lowerOf(upper, { value: Number(check.value), isInclusive: check.inclusive });
    if (check.check === "multiple_of") steps.push(Number(check.value));
    if (check.check !== "number_format") continue;
    const whole = wholeFormats[check.format];
    if (whole === undefined) continue;
    base = { type: "integer", format: whole.format };
    lower = higher(lower, { value: whole.minimum, isInclusive: true });
    upper = lowerOf(upper, { value: whole.maximum, isInclusive: true });
  }
  const [multipleOf, ...others] = steps;
  return {
    ...base,
    ...(lower.value > -Infinity ? { minimum: lower.value, ...(lower.isInclusive ? {} : { exclusiveMinimum: true }) } : {}),
    ...(upper.value < Infinity ? { maximum: upper.value, ...(upper.isInclusive ? {} : { exclusiveMaximum: true }) } : {}),
    ...definedOnly({ multipleOf }),
    ...(others.length > 0 ? { allOf: others.map((step) => ({ multipleOf: step })) } : {}),
  };
}

const wholeFormats: Readonly<Record<string, { readonly format: string; readonly minimum: number; readonly maximum: number }>> = {
  safeint: { format: "int64", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  int32: { format: "int32", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  uint32: { format: "int64", minimum: 0, maximum: 2 ** 32 - 1 },
};

function higher(left: Bound, right: Bound): Bound {
  return right.value > left.value || (right.value === left.value && !right.isInclusive) ? right : left;
}

function lowerOf(left: Bound, right: Bound): Bound {
  return right.value < left.value || (right.value === left.value && !right.isInclusive) ? right : left;
}
