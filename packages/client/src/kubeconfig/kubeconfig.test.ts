import { describe, expect, it } from "vitest";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import { findEntry, isEmptyKubeconfig } from "./kubeconfig.ts";

describe("isEmptyKubeconfig", () => {
  it.each(["", "kind: Config", "future: 1", "preferences: { colors: false }", "current-context: ''"])("is true for %j", (written) => {
    expect(isEmptyKubeconfig(parseKubeconfig(written))).toBe(true);
  });

  it.each([
    "clusters: [{ name: a }]",
    "users: [{ name: a }]",
    "contexts: [{ name: a }]",
    "extensions: [{ name: a }]",
    "current-context: a",
    "preferences: { colors: true }",
    "preferences: { extensions: [{ name: a }] }",
  ])("is false for %j", (written) => {
    expect(isEmptyKubeconfig(parseKubeconfig(written))).toBe(false);
  });
});

describe("findEntry", () => {
  it("finds an entry by name, and nothing without a name", () => {
    const { users } = parseKubeconfig("users: [{ name: a }, { name: __proto__ }]");
    expect([findEntry(users, "__proto__")?.name, findEntry(users, "constructor"), findEntry(users, undefined)]).toEqual([
      "__proto__",
      undefined,
      undefined,
    ]);
  });
});
