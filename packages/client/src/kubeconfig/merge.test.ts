import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseKubeconfig, printKubeconfig } from "./kubeconfig-text.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { emptyKubeconfig } from "./kubeconfig.ts";
import { mergeKubeconfigs } from "./merge.ts";

/** Each case prints YAML seven times and parses it three times. */
const numRuns = Math.max(20, Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 20));

describe("mergeKubeconfigs", () => {
  it("uses the whole entry of the first kubeconfig that has it, without parts of later ones", () => {
    const first = parseKubeconfig("users: [{ name: red, user: { token: one } }]", { file: "/1" });
    const second = parseKubeconfig("users: [{ name: red, user: { username: u, password: p } }, { name: blue, user: { as: b } }]", {
      file: "/2",
    });
    const { users } = mergeKubeconfigs([first, second]);
    expect(users.map(({ name, user, origin }) => [name, Object.keys(user), origin?.file])).toEqual([
      ["red", ["token"], "/1"],
      ["blue", ["as"], "/2"],
    ]);
  });

  it("uses the first current context that is not empty", () => {
    const [none, a, b] = ["", "a", "b"].map((name) => ({ ...emptyKubeconfig, "current-context": name })) as [
      Kubeconfig,
      Kubeconfig,
      Kubeconfig,
    ];
    expect([[none, a, b], [b, a], [none]].map((configs) => mergeKubeconfigs(configs)["current-context"])).toEqual(["a", "b", ""]);
  });

  it("merges preferences, extensions and unknown fields; the first of a name wins", () => {
    const merged = mergeKubeconfigs([
      parseKubeconfig("x: 1\npreferences: { extensions: [{ name: a, extension: 1 }], p: 1 }\nextensions: [{ name: e, extension: 1 }]\n"),
      parseKubeconfig(
        "x: 2\nz: 2\npreferences: { colors: true, extensions: [{ name: a, extension: 2 }, { name: b, extension: 2 }], p: 2, q: 2 }\nextensions: [{ name: e, extension: 2 }, { name: f }]\n",
      ),
    ]);
    expect([merged.preferences?.colors, merged.preferences?.extensions?.map(({ name, extension }) => [name, extension?.reveal()])]).toEqual(
      [
        true,
        [
          ["a", 1],
          ["b", 2],
        ],
      ],
    );
    expect(merged.preferences?.other?.reveal()).toEqual({ p: 1, q: 2 });
    expect(merged.other?.reveal()).toEqual({ x: 1, z: 2 });
    expect(merged.extensions.map(({ extension }) => extension?.reveal())).toEqual([1, undefined]);
  });

  const name = fc.constantFrom("a", "b", "c", "__proto__");
  const entries = (field: string): fc.Arbitrary<{ name: string }[]> =>
    fc.uniqueArray(
      fc.record({ name, [field]: fc.dictionary(fc.constantFrom("server", "as", "namespace", "new"), fc.constantFrom("1", "2")) }),
      { selector: (entry) => entry.name, maxLength: 3 },
    ) as never;
  const config = fc
    .record({
      clusters: entries("cluster"),
      users: entries("user"),
      contexts: entries("context"),
      extensions: entries("extension"),
      "current-context": fc.constantFrom("", "a", "b"),
      preferences: fc.option(fc.record({ colors: fc.boolean() }), { nil: null }),
      extra: fc.constantFrom(1, 2),
    })
    .map((value) => parseKubeconfig(JSON.stringify(value)));

  it("is associative, and an empty kubeconfig changes nothing", () => {
    fc.assert(
      fc.property(config, config, config, (a, b, c) => {
        const text = (...configs: Kubeconfig[]): string => printKubeconfig(mergeKubeconfigs(configs));
        expect(text(mergeKubeconfigs([a, b]), c)).toBe(text(a, mergeKubeconfigs([b, c])));
        expect([text(a, emptyKubeconfig), text(emptyKubeconfig, a), text(a, a)]).toEqual([text(a), text(a), text(a)]);
      }),
      { numRuns },
    );
  });

  it("uses each name's first entry", () => {
    fc.assert(
      fc.property(fc.array(config, { maxLength: 4 }), (configs) => {
        const merged = mergeKubeconfigs(configs);
        for (const entry of merged.users)
          expect(entry).toBe(configs.flatMap(({ users }) => users).find((user) => user.name === entry.name));
        expect(new Set(merged.users.map((user) => user.name))).toEqual(
          new Set(configs.flatMap(({ users }) => users.map((user) => user.name))),
        );
      }),
      { numRuns },
    );
  });
});
