/**
 * Scalars, keys and free-form JSON for examples: ordinary values among those that break careless code, all valid on the wire. Every
 * value survives JSON text unchanged: integers beyond 2^53 are bigints, and there is no minus zero.
 */
import { pick } from "@drover/machinery";
import type { JsonValue, Random, Schema } from "@drover/machinery";

const texts: readonly string[] = [
  "",
  "web",
  "registry.example/app:v1.2",
  "true",
  "null",
  "0",
  "007",
  "~",
  "a: b",
  "- x",
  "# no comment",
  "two\nlines\n",
  "\ttab",
  'quote " and \\ backslash',
  "</script>",
  "\u2028",
  "\u0000\u001f\u007f",
  "Größe",
  "名前",
  "👩‍👩‍👧",
  "__proto__",
  "constructor",
  " padded ",
  "x".repeat(300),
];
/** Keys of labels, data and annotations. "10" and "2" come before all others in an object, in ascending order. */
const keys: readonly string[] = [
  "app",
  "app.kubernetes.io/name",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
  "10",
  "2",
  "a.b",
  "a b",
  '"',
  "ключ",
  "length",
  "toJSON",
];
const int32s: readonly number[] = [0, 1, -1, 3, 80, 65_535, 2_147_483_647, -2_147_483_648];
const int64s: readonly (number | bigint)[] = [
  ...int32s,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  9_007_199_254_740_993n,
  9_223_372_036_854_775_807n,
  -9_223_372_036_854_775_808n,
];
const doubles: readonly number[] = [0, 1, -2.25, 0.1, 1e-7, 5e-324, 1.5e300];
const quantities: readonly (string | number)[] = ["0", "100m", "1", "1Gi", "1.5Ki", "-2", "12e6", "250u", "1E", 0, 2, 0.5];
const portsAndShares: readonly (string | number)[] = [0, 1, 8080, "http", "25%", "100%"];

/** Returns a value for a node that is neither a list, a map nor an object with fields. */
export function exampleScalar(schema: Schema, random: Random): JsonValue {
  if (schema.enum !== undefined) return pick(random, schema.enum);
  if (schema["x-kubernetes-int-or-string"] === true) return pick(random, portsAndShares);
  if (schema.format === "quantity") return pick(random, quantities);
  switch (schema.type) {
    case "boolean":
      return random.int(2) === 1;
    case "integer":
      return pick(random, schema.format === "int64" ? int64s : int32s);
    case "number":
      return pick(random, doubles);
    case "string":
      return exampleText(schema.format, random);
    case "object":
      return schema["x-kubernetes-preserve-unknown-fields"] === true ? exampleFields(random, 2) : {};
    case undefined:
    default:
      return exampleJson(random, 2);
  }
}

/** Returns a map key, sometimes one that every object inherits. */
export const exampleKey = (random: Random): string => pick(random, keys);

function exampleText(format: string | undefined, random: Random): string {
  switch (format) {
    case "byte":
      return pick(random, ["AA==", "aGVsbG8=", "/+8="]);
    case "date-time":
      return exampleSecond(random);
    case "micro-time":
      return exampleSecond(random).replace("Z", `.${digits(random.int(1_000_000), 6)}Z`);
    case undefined:
    default:
      return pick(random, texts);
  }
}

function exampleSecond(random: Random): string {
  const part = (from: number, count: number): string => digits(from + random.int(count), 2);
  return `${digits(1970 + random.int(100), 4)}-${part(1, 12)}-${part(1, 28)}T${part(0, 24)}:${part(0, 60)}:${part(0, 60)}Z`;
}

const digits = (value: number, width: number): string => String(value).padStart(width, "0");

function exampleJson(random: Random, depth: number): JsonValue {
  switch (random.int(depth > 0 ? 6 : 4)) {
    case 0:
      return pick(random, [null, true, false]);
    case 1:
      return pick(random, int64s);
    case 2:
      return pick(random, doubles);
    case 3:
      return pick(random, texts);
    case 4:
      return Array.from({ length: random.int(3) }, () => exampleJson(random, depth - 1));
    default:
      return exampleFields(random, depth);
  }
}

function exampleFields(random: Random, depth: number): JsonValue {
  return Object.fromEntries(Array.from({ length: random.int(3) }, () => [exampleKey(random), exampleJson(random, depth - 1)]));
}
