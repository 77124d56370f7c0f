/** Random CEL expressions about objects of any shape, and such objects. Most compile; many fail at run time. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import fc from "fast-check";

interface Expressions {
  readonly bool: string;
  readonly number: string;
  readonly text: string;
  readonly list: string;
  readonly any: string;
}

const joined = (...parts: readonly (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((texts) => texts.join(""));
const pick = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);

const fields = pick(
  "object.spec.i",
  "object.spec.n",
  "object.spec.f",
  "object.spec.s",
  "object.spec.t",
  "object.spec.b",
  "object.spec.l",
  "object.spec.m",
  "object.spec.m.a",
  "object.spec.e",
  "object.spec.none",
  "object.spec.o.p.q",
  "object.spec.l[0]",
  "object.spec.l[1].x",
  "object.metadata.name",
  "object.metadata.labels",
  "object.spec.m['a']",
  "request.userInfo.groups",
  "oldObject",
  "variables.v",
);

type Tie = fc.LetrecTypedTie<Expressions>;
const depth = { maxDepth: 4, depthSize: "small", withCrossShrink: true } as const;

const boolOf = (tie: Tie): fc.Arbitrary<string> =>
  fc.oneof(
    depth,
    pick("true", "false", "object.spec.b", "has(object.spec.i)", "has(object.spec.o.p)", "has(object.spec.none.x)", "variables.w"),
    joined("(", tie("any"), pick(" == ", " != "), tie("any"), ")"),
    joined("(", tie("number"), pick(" < ", " <= ", " > ", " >= "), tie("number"), ")"),
    joined("(", tie("text"), pick(" < ", " == ", " != "), tie("text"), ")"),
    joined("(", tie("bool"), pick(" && ", " || "), tie("bool"), ")"),
    joined("!(", tie("bool"), ")"),
    joined("(", tie("any"), " in ", tie("list"), ")"),
    joined("(", tie("text"), ").", pick("contains", "startsWith", "endsWith", "matches"), "(", tie("text"), ")"),
    joined(
      "(",
      tie("list"),
      ").",
      pick("all", "exists", "exists_one"),
      "(x, ",
      pick("x == 1", "x > 0", "x.a == 1", "x == 'a'", "type(x) == int"),
      ")",
    ),
    joined("(", tie("bool"), " ? ", tie("bool"), " : ", tie("bool"), ")"),
    joined("bool(", tie("text"), ")"),
    joined("type(", tie("any"), ") == ", pick("int", "string", "list", "map", "double", "null_type", "bool", "type")),
    joined("isQuantity(", tie("text"), ")"),
    joined("dyn(", tie("any"), ") == dyn(", tie("any"), ")"),
  );

const numberOf = (tie: Tie): fc.Arbitrary<string> =>
  fc.oneof(
    depth,
    pick("object.spec.i", "object.spec.n", "object.spec.f", "0", "1", "-3", "2.5", "9223372036854775807", "1u"),
    joined("(", tie("number"), pick(" + ", " - ", " * ", " / ", " % "), tie("number"), ")"),
    joined("size(", fc.oneof(tie("text"), tie("list"), fields), ")"),
    joined("(", tie("text"), ").size()"),
    joined("int(", fc.oneof(tie("text"), tie("number")), ")"),
    joined("double(", tie("any"), ")"),
    joined("(", tie("list"), ").", pick("sum()", "min()", "max()")),
    joined("(", tie("text"), ").indexOf(", tie("text"), ")"),
    joined("(", tie("bool"), " ? ", tie("number"), " : ", tie("number"), ")"),
  );

const textOf = (tie: Tie): fc.Arbitrary<string> =>
  fc.oneof(
    depth,
    pick(
      "object.spec.s",
      "object.spec.t",
      "'a'",
      "''",
      "'abc'",
      "'10'",
      "'\u00e9'",
      "object.metadata.name",
      "request.operation",
      "object.spec.m.a",
    ),
    joined("(", tie("text"), " + ", tie("text"), ")"),
    joined("string(", tie("any"), ")"),
    joined(
      "(",
      tie("text"),
      ").",
      pick("lowerAscii()", "upperAscii()", "trim()", "charAt(1)", "substring(1)", "replace('a', 'bc')", "reverse()"),
    ),
    joined("(", tie("list"), ").map(x, string(x)).join(',')"),
    joined("'%s %d'.format([", tie("any"), ", ", tie("number"), "])"),
    joined("(", tie("bool"), " ? ", tie("text"), " : ", tie("text"), ")"),
    joined("object.spec.?", pick("s", "none", "i", "m"), ".orValue(", tie("text"), ")"),
  );

const listOf = (tie: Tie): fc.Arbitrary<string> =>
  fc.oneof(
    depth,
    pick("object.spec.l", "object.spec.e", "[]", "[1, 2]", "['a']", "request.userInfo.groups", "object.spec.none"),
    joined("[", tie("any"), "]"),
    joined("(", tie("list"), " + ", tie("list"), ")"),
    joined("(", tie("list"), ").", pick("map(x, x)", "filter(x, x != 1)", "map(x, [x])", "map(x, x == 1, x)")),
    joined("(", tie("text"), ").split(", pick("','", "''", "'a'"), ")"),
    joined("(", tie("list"), ").", pick("distinct()", "sort()", "reverse()", "flatten()")),
  );

const anyOf = (tie: Tie): fc.Arbitrary<string> =>
  fc.oneof(
    depth,
    fields,
    pick("null", "1", "1.0", "'a'", "[1]", "{'a': 1}", "true", "timestamp('2020-01-01T00:00:00Z')", "duration('1h')"),
    tie("number"),
    tie("text"),
    tie("bool"),
    tie("list"),
    joined("quantity(", tie("text"), ")"),
    joined("(", tie("list"), ")[", pick("0", "1", "-1", "'a'"), "]"),
    joined("object.spec.m[", tie("text"), "]"),
    joined("optional.of(", tie("any"), ").value()"),
  );

/** Expressions by the type that they should have; `any` and all fields may have another one. */
const grammar = fc.letrec<Expressions>((tie: Tie) => ({
  bool: boolOf(tie),
  number: numberOf(tie),
  text: textOf(tie),
  list: listOf(tie),
  any: anyOf(tie),
}));

/** A policy: a variable of any type, one that is a boolean, a validation and a message. */
export interface RandomPolicy {
  readonly variable: string;
  readonly boolean: string;
  readonly expression: string;
  readonly message: string | undefined;
}

export const randomPolicy: fc.Arbitrary<RandomPolicy> = fc.record({
  variable: fc.oneof(
    fields.filter((text) => !text.startsWith("variables")),
    grammar.any.filter((text) => !text.includes("variables.")),
  ),
  boolean: grammar.bool.filter((text) => !text.includes("variables.")),
  expression: grammar.bool,
  message: fc.option(grammar.text, { nil: undefined, freq: 2 }),
});

const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(0, 1, -7, 2.5, 1e300, true, false, "", "a", "abc", "10", "1Gi", "é€", "2020-01-01T00:00:00Z"),
  fc.integer({ min: -10, max: 10 }),
);

/** The spec of an object; every field may be missing. Maps have one entry, because Go iterates over them in random order. */
export const randomSpec: fc.Arbitrary<JsonObject> = fc.record(
  {
    i: fc.integer({ min: -5, max: 5 }),
    n: fc.oneof(scalar, fc.constant(9_007_199_254_740_991)),
    f: fc.constantFrom<JsonValue>(0.5, 2.5, -1e10, 3),
    s: fc.constantFrom("", "a", "abc", "A b", "10", "é€"),
    t: scalar,
    b: fc.oneof({ weight: 4, arbitrary: fc.boolean() }, scalar),
    l: fc.array(fc.oneof(scalar, fc.constantFrom<JsonValue>({ x: 1 }, { a: 1 }, [1], [])), { maxLength: 4 }),
    m: fc.oneof(fc.constantFrom<JsonValue>({}, { a: 1 }, { a: "x" }, { b: true }), scalar),
    e: fc.constant([]),
    o: fc.constantFrom<JsonValue>({}, { p: {} }, { p: { q: 1 } }, { p: 1 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;
