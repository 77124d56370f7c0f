/** Random CEL expressions about objects of any shape, and such objects. Most compile; many fail at run time. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import fc from "fast-check";

interface Expressions {
  readonly bool: string;
  readonly int: string;
  readonly text: string;
  readonly dyn: string;
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
const depth = { maxDepth: 3, depthSize: "xsmall", withCrossShrink: true } as const;

const boolOf = (tie: Tie): fc.Arbitrary<string> =>
  fc.oneof(
    depth,
    pick("object.spec.b == true", "has(object.spec.i)", "has(object.spec.o.p)", "has(object.spec.none.x)", "variables.w == true", "false"),
    joined(
      "(",
      tie("dyn"),
      pick(" == ", " != "),
      fc.oneof(tie("dyn"), tie("int"), tie("text"), pick("null", "true", "[1]", "{'a': 1}")),
      ")",
    ),
    joined("(", tie("int"), pick(" < ", " <= ", " > ", " >= ", " == "), fc.oneof(tie("int"), tie("dyn")), ")"),
    joined("(", tie("dyn"), pick(" < ", " <= ", " > ", " >= "), fc.oneof(tie("int"), tie("dyn"), tie("text")), ")"),
    joined("(", tie("text"), pick(" < ", " == ", " != "), fc.oneof(tie("text"), tie("dyn")), ")"),
    joined("(", tie("bool"), pick(" && ", " || "), tie("bool"), ")"),
    joined("!(", tie("bool"), ")"),
    joined("(", fc.oneof(tie("int"), tie("text"), tie("dyn")), " in ", tie("dyn"), ")"),
    joined(fc.oneof(tie("text"), tie("dyn")), pick(".contains(", ".startsWith(", ".endsWith(", ".matches("), tie("text"), ")"),
    joined(
      tie("dyn"),
      pick(".all(", ".exists(", ".exists_one("),
      "x, ",
      pick("x == 1", "x > 0", "x.a == 1", "x == 'a'", "type(x) == int", "has(x.x)"),
      ")",
    ),
    joined("(", tie("bool"), " ? ", tie("bool"), " : ", tie("bool"), ")"),
    joined("bool(", fc.oneof(tie("text"), tie("dyn")), ")"),
    joined("type(", tie("dyn"), ") == ", pick("int", "string", "list", "map", "double", "null_type", "bool")),
    joined("isQuantity(", fc.oneof(tie("text"), tie("dyn")), ")"),
    joined("quantity(", tie("dyn"), ").isGreaterThan(quantity('", pick("1", "1k", "x"), "'))"),
  );

const intOf = (tie: Tie): fc.Arbitrary<string> =>
  fc.oneof(
    depth,
    pick("0", "1", "-3", "9223372036854775807", "int(object.spec.i)", "size(object.spec.l)"),
    joined("(", tie("int"), pick(" + ", " - ", " * ", " / ", " % "), fc.oneof(tie("int"), tie("dyn")), ")"),
    joined("size(", fc.oneof(tie("text"), tie("dyn")), ")"),
    joined("int(", fc.oneof(tie("text"), tie("dyn")), ")"),
    joined("(", tie("text"), ").indexOf(", tie("text"), ")"),
    joined("(", tie("bool"), " ? ", tie("int"), " : ", tie("int"), ")"),
  );

const textOf = (tie: Tie): fc.Arbitrary<string> =>
  fc.oneof(
    depth,
    pick("'a'", "''", "'abc'", "'10'", "'é'", "request.operation", "string(object.spec.s)"),
    joined("(", tie("text"), " + ", fc.oneof(tie("text"), tie("dyn")), ")"),
    joined("string(", fc.oneof(tie("dyn"), tie("int"), tie("bool")), ")"),
    joined("(", tie("text"), ").", pick("lowerAscii()", "upperAscii()", "trim()", "charAt(1)", "substring(1)", "replace('a', 'bc')")),
    joined(tie("dyn"), ".map(x, string(x)).join(',')"),
    joined("'%s %d'.format([dyn(", tie("dyn"), "), dyn(", tie("int"), ")])"),
    joined("(", tie("bool"), " ? ", tie("text"), " : ", tie("text"), ")"),
    joined("string(object.spec.?", pick("s", "none", "i", "m"), ".orValue(", tie("text"), "))"),
  );

const dynOf = (tie: Tie): fc.Arbitrary<string> =>
  fc.oneof(
    depth,
    fields,
    fields,
    joined("dyn(", fc.oneof(tie("int"), tie("text"), tie("bool")), ")"),
    pick(
      "dyn(null)",
      "dyn(1.0)",
      "dyn([1, 2])",
      "dyn(['a'])",
      "dyn({'a': 1})",
      "dyn(1u)",
      "dyn(timestamp('2020-01-01T00:00:00Z'))",
      "dyn(duration('1h'))",
    ),
    joined("(", tie("dyn"), pick(" + ", " - ", " * ", " / ", " % "), fc.oneof(tie("dyn"), tie("int")), ")"),
    joined("(", tie("bool"), " ? ", tie("dyn"), " : ", tie("dyn"), ")"),
    joined(tie("dyn"), "[", fc.oneof(tie("int"), tie("text"), pick("0", "1", "-1", "'a'")), "]"),
    joined("dyn(", tie("dyn"), ".", pick("map(x, x)", "filter(x, x != 1)", "map(x, [x])", "map(x, x == 1, x)"), ")"),
    joined("dyn(object.spec.?", pick("s", "none", "l", "m"), ".hasValue())"),
    joined("dyn(object.spec.l.", pick("distinct()", "flatten()", "slice(0, 1)"), ")"),
    joined("dyn(object.spec.", pick("t", "m", "b", "l", "n"), ".", pick("distinct()", "sort()", "sortBy(x, x)"), ")"),
    joined("optional.of(", tie("dyn"), ").value()"),
  );

/** Expressions by their static type; those of type `dyn` may turn out to have any type. */
const grammar = fc.letrec<Expressions>((tie: Tie) => ({
  bool: boolOf(tie),
  int: intOf(tie),
  text: textOf(tie),
  dyn: dynOf(tie),
}));

/** A policy: a variable of any type, one that is a boolean, and validations with a message or without. */
export interface RandomPolicy {
  readonly variable: string;
  readonly boolean: string;
  readonly validations: readonly { readonly expression: string; readonly message: string | undefined }[];
}

const isFree = (text: string): boolean => !text.includes("variables.");

/** Policies with that many validations. */
export const randomPolicy = (count: number): fc.Arbitrary<RandomPolicy> =>
  fc.record({
    variable: grammar.dyn.filter(isFree),
    boolean: grammar.bool.filter(isFree),
    validations: fc.array(fc.record({ expression: grammar.bool, message: fc.option(grammar.text, { nil: undefined, freq: 2 }) }), {
      minLength: count,
      maxLength: count,
    }),
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
