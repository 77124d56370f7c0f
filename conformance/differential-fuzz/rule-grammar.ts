/**
 * Random rules of a schema whose fields have types, and values for them. Most rules compile, some have wrong types or
 * cost too much, many fail at run time; some compare with the old value.
 */
import type { JsonObject, JsonValue, Schema, ValidationRule } from "@drover/machinery";
import fc from "fast-check";

const text: Schema = { type: "string", maxLength: 10 };
const whole: Schema = { type: "integer" };
const list = (items: Schema, rest: Schema = {}): Schema => ({ type: "array", maxItems: 4, items, ...rest });
const object = (properties: Readonly<Record<string, Schema>>, rest: Schema = {}): Schema => ({ type: "object", properties, ...rest });

/** What every rule is about: a value of every type; every field may be missing. */
export const ruledSchema: Schema = object({
  i: whole,
  j: whole,
  d: { type: "number" },
  s: text,
  t: text,
  b: { type: "boolean" },
  l: list(whole),
  ls: list(text),
  m: { type: "object", maxProperties: 3, additionalProperties: whole },
  o: object({ a: whole, "x-y": text, deep: object({ z: text }) }),
  any: { "x-kubernetes-int-or-string": true, maxLength: 10 },
  when: { type: "string", format: "date-time" },
  dur: { type: "string", format: "duration" },
  n: { type: "string", nullable: true, maxLength: 10 },
  set: list(text, { "x-kubernetes-list-type": "set" }),
  lm: list(object({ k: text, v: whole }, { required: ["k"] }), { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] }),
  en: { type: "string", enum: ["a", "bb"] },
  un: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
});

interface Expressions {
  readonly bool: string;
  readonly int: string;
  readonly double: string;
  readonly text: string;
  readonly ints: string;
  readonly texts: string;
  readonly any: string;
}
type Tie = fc.LetrecTypedTie<Expressions>;

const depth = { maxDepth: 3, depthSize: "xsmall" } as const;
const pick = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const joined = (...parts: readonly (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((texts) => texts.join(""));
const either = (...options: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> => fc.oneof(depth, ...options);
const choice = (tie: Tie, type: keyof Expressions): fc.Arbitrary<string> =>
  joined("(", tie("bool"), " ? ", tie(type), " : ", tie(type), ")");

const boolOf = (tie: Tie): fc.Arbitrary<string> =>
  either(
    pick("self.b", "has(self.i)", "has(self.o.deep.z)", "has(self.m.a)", "has(self.n)", "true", "'a' in self.m"),
    joined("(", tie("int"), pick(" < ", " <= ", " > ", " >= ", " == ", " != "), tie("int"), ")"),
    joined("(", tie("double"), pick(" < ", " >= ", " == "), tie("double"), ")"),
    joined("(", tie("text"), pick(" < ", " == ", " != "), tie("text"), ")"),
    joined("(", tie("any"), pick(" == ", " != ", " < "), tie("any"), ")"),
    joined("(", tie("ints"), pick(" == ", " != "), tie("ints"), ")"),
    joined("(", tie("texts"), pick(" == ", " != "), fc.oneof(tie("texts"), pick("self.set", "self.ls")), ")"),
    joined("(", tie("bool"), pick(" && ", " || ", " && ", " || ", " == "), tie("bool"), ")"),
    joined("!(", tie("bool"), ")"),
    joined("(", tie("int"), " in ", tie("ints"), ")"),
    joined("(", tie("text"), " in ", tie("texts"), ")"),
    joined(tie("text"), pick(".contains(", ".startsWith(", ".endsWith(", ".matches("), tie("text"), ")"),
    joined(tie("ints"), pick(".all(", ".exists(", ".exists_one("), "x, ", pick("x == 1", "x > self.i", "x / self.j == 1", "x == 'a'"), ")"),
    joined(
      tie("texts"),
      pick(".all(", ".exists(", ".exists_one("),
      "x, ",
      pick("x == 'a'", "x.size() > 1", "x < self.s", "int(x) > 0"),
      ")",
    ),
    pick(
      "self.lm.all(e, e.v > 0)",
      "self.lm.exists(e, e.k == 'a' && has(e.v))",
      "self.m.all(k, self.m[k] > 0)",
      "self.m.exists(k, k == self.s)",
    ),
    choice(tie, "bool"),
    pick(
      "self.when > timestamp('2020-01-01T00:00:00Z')",
      "self.dur < duration('1h')",
      "self.when.getFullYear() == 2020",
      "self.dur.getHours() > 0",
    ),
    pick("type(self.any) == int", "self.any == self.i", "self.any == self.s", "self.un == self.un", "self.none == 1", "self.n == null"),
    joined("isQuantity(", tie("text"), ")"),
    joined("quantity(", tie("text"), pick(").isLessThan(quantity('1Gi'))", ").isInteger()", ").compareTo(quantity('2')) == 0")),
    pick("isIP(self.s)", "url(self.s).getHost() == 'a'", "format.dns1123Label().validate(self.s).hasValue()", "isSemver(self.t)"),
    joined(
      "self.?",
      pick("i.orValue(1) == 1", "m.?a.hasValue()", "o.?deep.?z.orValue('a') == 'a'", "s.orValue(1) == 1", "lm[?0].?v.orValue(3) > 2"),
    ),
    pick("self.l == oldSelf.l", "oldSelf.hasValue()", "oldSelf.i <= self.i", "self == oldSelf", "self.s == oldSelf.s"),
  );

const intOf = (tie: Tie): fc.Arbitrary<string> =>
  either(
    pick("self.i", "self.j", "0", "1", "-3", "9223372036854775807", "self.o.a", "self.m.a", "self.m['a']", "self.l[0]", "self.lm[0].v"),
    joined("(", tie("int"), pick(" + ", " - ", " * ", " / ", " % "), tie("int"), ")"),
    joined("size(", fc.oneof(tie("text"), tie("ints"), tie("texts"), pick("self.m", "self.lm")), ")"),
    joined("int(", fc.oneof(tie("text"), tie("double"), tie("any")), ")"),
    joined(tie("text"), ".indexOf(", tie("text"), ")"),
    joined(tie("ints"), pick(".sum()", ".max()", ".min()", "[1]", ".indexOf(1)")),
    choice(tie, "int"),
    joined("-(", tie("int"), ")"),
    pick("int(self.when)", "self.when.getMonth()", "self.l.size()"),
  );

const doubleOf = (tie: Tie): fc.Arbitrary<string> =>
  either(
    pick("self.d", "self.d", "0.5", "1e300", "double(self.i)"),
    joined("(", tie("double"), pick(" + ", " - ", " * ", " / "), tie("double"), ")"),
    joined("double(", fc.oneof(tie("int"), tie("text")), ")"),
  );

const textOf = (tie: Tie): fc.Arbitrary<string> =>
  either(
    pick("self.s", "self.t", "self.s", "'a'", "''", "'10'", "'é'", "self.o.x__dash__y", "self.o.deep.z", "self.ls[0]", "self.en", "self.n"),
    joined("(", tie("text"), " + ", tie("text"), ")"),
    joined("string(", fc.oneof(tie("int"), tie("double"), tie("bool"), tie("any")), ")"),
    joined(tie("text"), ".", pick("lowerAscii()", "upperAscii()", "trim()", "charAt(1)", "substring(1)", "replace('a', 'bc')")),
    joined(tie("texts"), ".join(',')"),
    joined("'%s/%d'.format([", tie("text"), ", ", tie("int"), "])"),
    joined(tie("text"), ".split('a')[", pick("0", "1"), "]"),
    choice(tie, "text"),
  );

const intsOf = (tie: Tie): fc.Arbitrary<string> =>
  either(
    pick("self.l", "self.l", "[1, 2]", "[self.i]", "[]"),
    joined("(", tie("ints"), " + ", tie("ints"), ")"),
    joined(
      tie("ints"),
      ".",
      pick("map(x, x + 1)", "filter(x, x > 0)", "map(x, x > 0, x * 2)", "distinct()", "sort()", "sortBy(x, -x)", "slice(0, 1)"),
    ),
    joined(tie("texts"), ".map(x, ", pick("size(x)", "int(x)"), ")"),
  );

const textsOf = (tie: Tie): fc.Arbitrary<string> =>
  either(
    pick("self.ls", "self.set", "['a', 'b']", "[self.s]", "self.lm.map(e, e.k)", "self.m.map(k, k)"),
    joined("(", tie("texts"), " + ", tie("texts"), ")"),
    joined(tie("texts"), ".", pick("map(x, x + 'a')", "filter(x, x != 'a')", "distinct()", "sortBy(x, int(x))")),
    joined(tie("text"), ".", pick("split('a')", "split(',', 2)", "findAll('[a-c]')")),
    joined(tie("ints"), ".map(x, string(x))"),
  );

const anyOf = (tie: Tie): fc.Arbitrary<string> =>
  either(
    pick("self.any", "self.any", "dyn(self.i)", "dyn(null)", "dyn(self.un)"),
    joined("dyn(", fc.oneof(tie("int"), tie("text"), tie("double"), tie("ints")), ")"),
    tie("text"),
    tie("int"),
  );

const grammar = fc.letrec<Expressions>((tie: Tie) => ({
  bool: boolOf(tie),
  int: intOf(tie),
  double: doubleOf(tie),
  text: textOf(tie),
  ints: intsOf(tie),
  texts: textsOf(tie),
  any: anyOf(tie),
}));

/** A rule of `ruledSchema`; with an old value it may be about creations as well. */
export const randomRule: fc.Arbitrary<ValidationRule> = fc
  .record({
    rule: grammar.bool,
    message: fc.option(grammar.text, { nil: undefined, freq: 2 }),
    optional: fc.boolean(),
    reason: fc.constantFrom("FieldValueInvalid", "FieldValueForbidden", undefined, undefined),
    fieldPath: fc.constantFrom(".i", ".o.deep", undefined, undefined),
  })
  .map(({ rule, message, optional, reason, fieldPath }) => ({
    rule,
    ...(message === undefined || message.includes("oldSelf") ? {} : { messageExpression: message }),
    ...(optional && rule.includes("oldSelf.hasValue()") ? { optionalOldSelf: true } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(fieldPath === undefined ? {} : { fieldPath }),
  }));

const name = fc.constantFrom("a", "b", "c");
const word = fc.constantFrom("", "a", "abc", "A b", "10", "-7", "é€", "1Gi", "1.2.3", "1.1.1.1");
const number = fc.integer({ min: -4, max: 9 });

/** A value of `ruledSchema`. Maps have one entry, because Go iterates over them in random order. */
export const randomValue: fc.Arbitrary<JsonObject> = fc.record(
  {
    i: number,
    j: number,
    d: fc.constantFrom(0.5, -2.5, 3, 1e300),
    s: word,
    t: word,
    b: fc.boolean(),
    l: fc.array(number, { maxLength: 4 }),
    ls: fc.array(word, { maxLength: 4 }),
    m: fc.constantFrom<JsonValue>({}, { a: 1 }, { b: -2 }),
    o: fc.constantFrom<JsonValue>({}, { a: 1 }, { a: 2, deep: {} }, { "x-y": "a", deep: { z: "abc" } }),
    any: fc.oneof(number, word),
    when: fc.constantFrom("2020-01-01T00:00:00Z", "2021-06-30T12:30:00.5Z"),
    dur: fc.constantFrom("1h", "90m", "5s"),
    n: fc.constantFrom<JsonValue>(null, "a"),
    set: fc.uniqueArray(name, { maxLength: 3 }),
    lm: fc.uniqueArray(fc.record({ k: name, v: number }, { requiredKeys: ["k"] }), { maxLength: 3, selector: ({ k }) => k }),
    en: fc.constantFrom("a", "bb"),
    un: fc.constantFrom<JsonValue>({}, { x: 1 }, { x: "a" }, { y: [1] }),
  },
  { requiredKeys: [] },
);
