import { describe, expect, it } from "vitest";
import { checkNames, requireNames } from "./name-rules.ts";

describe("names of a CustomResourceDefinition", () => {
  it("must be DNS labels, kinds case-insensitively", () => {
    expect(
      checkNames(
        { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList", shortNames: ["wd"], categories: ["all"] },
        "spec.names",
      ),
    ).toEqual([]);
    const errors = checkNames(
      { plural: "W", singular: "w_", kind: "9", listKind: "a b", shortNames: ["ok", "-"], categories: ["X"] },
      "spec.names",
    );
    expect(errors.map(({ field }) => field)).toEqual(
      ["plural", "singular", "kind", "listKind", "shortNames[1]", "categories[0]"].map((name) => `spec.names.${name}`),
    );
    expect(errors[2]?.detail).toMatch(/^may have mixed case, but should otherwise match: a DNS-1035 label/);
  });

  it("must differ for kind and listKind", () => {
    expect(checkNames({ plural: "ws", kind: "W", listKind: "W" }, "spec.names").map(({ field, detail }) => [field, detail])).toEqual([
      ["spec.names.listKind", "kind and listKind may not be the same"],
    ]);
  });

  it("are validated where set, and required separately", () => {
    expect(checkNames({ plural: "", kind: "" }, "status.acceptedNames")).toEqual([]);
    expect(requireNames({ plural: "", kind: "" }, "spec.names").map(({ field }) => field)).toEqual([
      "spec.names.plural",
      "spec.names.singular",
      "spec.names.kind",
      "spec.names.listKind",
    ]);
  });
});
