import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from "@drover/api/apiextensions/v1";
import { acceptNames } from "./names-acceptance.ts";

const crd = (
  names: CustomResourceDefinitionNames,
  acceptedNames?: CustomResourceDefinitionNames,
  group = "ex.io",
): CustomResourceDefinition => ({
  metadata: { name: `${names.plural}.${group}` },
  spec: { group, names, scope: "Cluster", versions: [] },
  ...(acceptedNames === undefined ? {} : { status: { acceptedNames } }),
});
const names = { plural: "as", singular: "a", kind: "A", listKind: "AList" };
const taken = (given: Partial<CustomResourceDefinitionNames>, group?: string): CustomResourceDefinition[] => [
  crd({ plural: "others", kind: "Other" }, { plural: "", kind: "", ...given }, group),
];

describe("acceptNames", () => {
  it("accepts all free names, and returns undefined if nothing changes", () => {
    expect(acceptNames(crd(names), [])).toEqual({
      names,
      condition: { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
    });
    expect(acceptNames(crd(names, names), [])).toBeUndefined();
  });

  it("returns names in the order of Go's JSON", () => {
    const all = { ...names, shortNames: ["x"], categories: ["all"] };
    expect(Object.keys(acceptNames(crd(all), [])?.names ?? {})).toEqual([
      "plural",
      "singular",
      "shortNames",
      "kind",
      "listKind",
      "categories",
    ]);
    expect(Object.keys(acceptNames(crd(names), [])?.names ?? {})).toEqual(["plural", "singular", "kind", "listKind"]);
  });

  it.each([
    [{ plural: "as" }, "PluralConflict", '"as" is already in use'],
    [{ singular: "as" }, "PluralConflict", '"as" is already in use'],
    [{ shortNames: ["a"] }, "SingularConflict", '"a" is already in use'],
    [{ kind: "A" }, "KindConflict", '"A" is already in use'],
    [{ kind: "AList" }, "ListKindConflict", '"AList" is already in use'],
    [{ plural: "as", listKind: "A" }, "KindConflict", '"A" is already in use'],
  ])("refuses names that are taken by %j", (given, reason, message) => {
    expect(acceptNames(crd(names), taken(given))?.condition).toEqual({ type: "NamesAccepted", status: "False", reason, message });
    expect(acceptNames(crd(names), taken(given, "other.io"))?.condition.status).toBe("True");
  });

  it("accepts the other names of a definition with conflicts, and keeps earlier ones", () => {
    const before = { plural: "as", singular: "a", kind: "A", listKind: "AList", shortNames: ["x"] };
    const asked = crd({ ...names, listKind: "As", shortNames: ["y", "x"], categories: ["all"] }, before);
    expect(acceptNames(asked, [asked, ...taken({ shortNames: ["y"] })])?.names).toEqual({ ...before, listKind: "As", categories: ["all"] });
    expect(acceptNames(crd(names, { ...before, categories: ["all"] }), [])?.names).toEqual(names);
  });

  it("refuses one name in two roles", () => {
    const own = crd({ ...names, singular: "as" }, names);
    expect(acceptNames(own, [own])?.condition).toMatchObject({ reason: "SingularConflict", message: '"as" is already in use' });
  });
});
