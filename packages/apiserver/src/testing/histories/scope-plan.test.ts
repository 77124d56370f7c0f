import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { chooseScope, scopeOf, scopeQuery } from "./scope-plan.ts";
import { content } from "./small-history.ts";

describe("scopeOf", () => {
  it("matches collection, namespace and name", () => {
    const scope = scopeOf({ collection: "configmaps", namespace: "default", name: "x" });
    expect(scope.text).toBe("configmaps in default, named x");
    expect(
      ["configmaps/default/x", "configmaps/default/xy", "configmaps/default-2/x", "widgets/default/x"].map((id) => scope.matches(id, {})),
    ).toEqual([true, false, false, false]);
    expect(scopeOf({ collection: "configmaps", namespace: "", name: "x" }).matches("configmaps/default-2/x", {})).toBe(true);
  });

  it.each([
    ["app=web", [true, false, false]],
    ["app!=web", [false, true, true]],
    ["app in (web,db)", [true, true, false]],
    ["!app", [false, false, true]],
  ] as const)("selects by %s", (labels, expected) => {
    const scope = scopeOf({ collection: "configmaps", namespace: "", labels });
    expect(
      [content("", { app: "web" }), content("", { app: "db" }), content("")].map((object) => scope.matches("configmaps/default/x", object)),
    ).toEqual(expected);
  });

  it("selects widgets by the field spec.color", () => {
    const scope = scopeOf({ collection: "widgets", namespace: "", color: "red" });
    expect(
      [{ spec: { color: "red" } }, { spec: { color: "green" } }, {}].map((object) => scope.matches("widgets/default/x", object)),
    ).toEqual([true, false, false]);
  });
});

describe("scopeQuery", () => {
  it("expresses the same scope as selectors", () => {
    expect(scopeQuery({ collection: "widgets", namespace: "", labels: "app!=web", name: "x", color: "red" })).toEqual([
      "labelSelector=app!%3Dweb",
      "fieldSelector=metadata.name%3Dx%2Cspec.color%3Dred",
    ]);
    expect(scopeQuery({ collection: "widgets", namespace: "default" })).toEqual([]);
  });
});

describe("chooseScope", () => {
  it("never selects by a field the kind does not have", () => {
    const random = createRandom(1);
    const scopes = Array.from({ length: 300 }, () =>
      chooseScope(random, { collections: ["configmaps", "widgets"], namespaces: ["default"], names: ["x"] }),
    );
    expect(scopes.filter(({ collection, color }) => collection === "configmaps" && color !== undefined)).toEqual([]);
    expect(scopes.some(({ color }) => color !== undefined)).toBe(true);
  });
});
