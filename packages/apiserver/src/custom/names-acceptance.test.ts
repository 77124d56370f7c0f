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

describe("giving names", () => {
  it("gives all that are free, and nothing to who has them", () => {
    expect(acceptNames(crd(names), [])).toEqual({
      names,
      condition: { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
    });
    expect(acceptNames(crd(names, names), [])).toBeUndefined();
  });

  it.each([
    [{ plural: "as" }, "PluralConflict", '"as" is already in use'],
    [{ singular: "as" }, "PluralConflict", '"as" is already in use'],
    [{ shortNames: ["a"] }, "SingularConflict", '"a" is already in use'],
    [{ kind: "A" }, "KindConflict", '"A" is already in use'],
    [{ kind: "AList" }, "ListKindConflict", '"AList" is already in use'],
    [{ plural: "as", listKind: "A" }, "KindConflict", '"A" is already in use'],
  ])("gives none that is taken by %j", (given, reason, message) => {
    expect(acceptNames(crd(names), taken(given))?.condition).toEqual({ type: "NamesAccepted", status: "False", reason, message });
    expect(acceptNames(crd(names), taken(given, "other.io"))?.condition.status).toBe("True");
  });

  it("gives the rest when some are taken, and keeps what was given before", () => {
    const before = { plural: "as", singular: "a", kind: "A", listKind: "AList", shortNames: ["x"] };
    const asked = crd({ ...names, listKind: "As", shortNames: ["y", "x"], categories: ["all"] }, before);
    expect(acceptNames(asked, [asked, ...taken({ shortNames: ["y"] })])?.names).toEqual({ ...before, listKind: "As", categories: ["all"] });
    expect(acceptNames(crd(names, { ...before, categories: ["all"] }), [])?.names).toEqual(names);
  });

  it("gives nobody a name under two headings", () => {
    const own = crd({ ...names, singular: "as" }, names);
    expect(acceptNames(own, [own])?.condition).toMatchObject({ reason: "SingularConflict", message: '"as" is already in use' });
  });
});
