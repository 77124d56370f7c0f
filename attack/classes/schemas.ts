/** CRDs with schemas, patterns, defaults and rules that cost more than they seem to. */
import type { Arena } from "../arena.ts";
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled, expectStatus } from "../expect-answer.ts";
import { crd, crds, custom, customObject } from "./paths.ts";

/** Creates a CRD and, where it was accepted, an object of it. */
async function define(arena: Arena, plural: string, spec: object, object?: unknown, version?: object): Promise<void> {
  const answer = await arena.post(crds, crd(plural, spec, version));
  expectHandled(answer);
  if (answer.status !== 201 || object === undefined) return;
  const until = performance.now() + 5000;
  for (;;) {
    const made = await arena.post(custom(plural), customObject(plural, "one", object));
    // The store refuses what is too large as etcd does, and the server passes that on.
    if (made.status === 500 && made.text.includes("request is too large")) return;
    if (made.status !== 404 || performance.now() > until) return expectHandled(made);
  }
}

const defined = (name: string, plural: string, spec: () => object, object?: () => unknown, version?: object): Attack => ({
  name,
  act: (arena) => define(arena, plural, spec(), object?.(), version),
});

const text = (pattern: string): object => ({ type: "object", properties: { text: { type: "string", pattern } } });
const wide = (count: number): object => ({
  type: "object",
  properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: "string" }])),
});
const deep = (levels: number): object => {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level++) schema = { type: "object", properties: { a: schema } };
  return schema;
};
const large = "x".repeat(10_000);
const rules = (rule: string): object => ({
  type: "object",
  properties: {
    list: { type: "array", maxItems: 1000, items: { type: "string", maxLength: 100 } },
    text: { type: "string", maxLength: 100_000 },
  },
  "x-kubernetes-validations": [{ rule }],
});

export const schemas: AttackClass = {
  name: "schemas",
  attacks: [
    defined(
      "a pattern with nested repetition",
      "nests",
      () => text("^(a+)+$"),
      () => ({ text: "a".repeat(50_000) + "!" }),
    ),
    defined(
      "a pattern with many alternatives",
      "alternatives",
      () => text("^(a|a|a|a|a|aa)*$"),
      () => ({ text: "a".repeat(50_000) + "!" }),
    ),
    defined(
      "a pattern with counted repetition",
      "counts",
      () => text("^((a{1,100}){1,10}){1,10}$"),
      () => ({ text: "a".repeat(20_000) }),
    ),
    defined("a pattern that counts beyond its limit", "beyonds", () => text("((((a{1,1000}){1,1000}){1,1000}){1,1000})")),
    defined(
      "a pattern of 100,000 characters",
      "longs",
      () => text(`(${"a|".repeat(50_000)}b)`),
      () => ({ text: "c" }),
    ),
    defined("an unbalanced pattern", "balances", () => text("(((((((")),
    defined(
      "20,000 properties",
      "wides",
      () => wide(20_000),
      () => ({ p1: "x" }),
    ),
    defined(
      "a schema nested 500 levels deep",
      "deeps",
      () => deep(500),
      () => ({ a: {} }),
    ),
    defined(
      "an object with 100,000 unknown fields, pruned",
      "prunes",
      () => wide(1),
      () => Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`q${n}`, 1])),
    ),
    defined(
      "defaults that make a small body large",
      "defaults",
      () => ({
        type: "object",
        properties: {
          list: { type: "array", items: { type: "object", default: {}, properties: { text: { type: "string", default: large } } } },
        },
      }),
      () => ({ list: Array.from({ length: 20_000 }, () => ({})) }),
    ),
    defined(
      "defaults in defaults",
      "defaultsin",
      () => {
        let schema: object = { type: "object", default: { text: "x".repeat(1000) }, properties: { text: { type: "string" } } };
        for (let level = 0; level < 8; level++) schema = { type: "object", default: {}, properties: { a: schema, b: schema } };
        return schema;
      },
      () => ({}),
    ),
    defined(
      "a list of 100,000 items with unique keys",
      "uniques",
      () => ({
        type: "object",
        properties: {
          list: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
          },
        },
      }),
      () => ({ list: Array.from({ length: 100_000 }, (_, n) => ({ k: `k${n}` })) }),
    ),
    defined(
      "a set of 100,000 equal items",
      "equals",
      () => ({ type: "object", properties: { list: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } } } }),
      () => ({ list: Array.from({ length: 100_000 }, () => "same") }),
    ),
    defined(
      "an enum with 50,000 values",
      "enums",
      () => ({ type: "object", properties: { text: { type: "string", enum: Array.from({ length: 50_000 }, (_, n) => `v${n}`) } } }),
      () => ({ text: "other" }),
    ),
    {
      name: "60 CRDs one after the other",
      limits: { seconds: 60 },
      act: async (arena) => {
        for (let index = 0; index < 60; index++) expectStatus(await arena.post(crds, crd(`kinds${index}`, wide(20))), 201);
      },
    },
  ],
};

/** CEL rules whose cost grows with the object, or with themselves. */
export const celRules: AttackClass = {
  name: "rules",
  attacks: [
    defined(
      "a rule that compares every pair",
      "pairs",
      () => rules("self.list.all(a, self.list.all(b, self.list.all(c, a == b || b == c || a != c)))"),
      () => ({ list: Array.from({ length: 1000 }, (_, n) => `i${n}`), text: "" }),
    ),
    defined(
      "a rule that doubles a text",
      "doubles",
      () => rules(`${"(".repeat(20)}self.text${" + self.text)".repeat(20)}.size() > 0`),
      () => ({ text: "x".repeat(100_000), list: [] }),
    ),
    defined(
      "a rule with a pattern from the object",
      "matches",
      () => rules("self.text.matches(self.list[0])"),
      () => ({ text: "a".repeat(100_000), list: ["^(a+)+$"] }),
    ),
    defined(
      "a rule of 90,000 characters",
      "longrules",
      () => rules(`self.text == "" ${"|| self.text == '' ".repeat(5000)}`),
      () => ({ text: "x", list: [] }),
    ),
    defined(
      "a rule nested 240 levels deep",
      "deeprules",
      () => rules(`${"(".repeat(240)}true${")".repeat(240)}`),
      () => ({ text: "", list: [] }),
    ),
    defined("a rule that does not end its text", "texts", () => rules("self.text == 'x")),
    defined("a rule with an unknown function", "unknowns", () => rules("self.text.explode()")),
    defined(
      "a rule that divides by zero",
      "zeros",
      () => rules("1 / (size(self.list) - size(self.list)) > 0"),
      () => ({ list: [], text: "" }),
    ),
    defined(
      "a rule that reads its message from a long text",
      "messages",
      () => ({ ...rules("false"), "x-kubernetes-validations": [{ rule: "false", messageExpression: "self.text + self.text" }] }),
      () => ({ text: "x".repeat(50_000), list: [] }),
    ),
    defined(
      "a rule that formats every item",
      "formats",
      () => rules("self.list.map(i, i + i + i + i).size() >= 0"),
      () => ({
        list: Array.from({ length: 1000 }, () => "x".repeat(100)),
        text: "",
      }),
    ),
  ],
};
