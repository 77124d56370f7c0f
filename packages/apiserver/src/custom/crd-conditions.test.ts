import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { deepFreeze } from "@drover/machinery";
import { hasCondition, removeCrdCondition, setCrdCondition } from "./crd-conditions.ts";

const crd = (): CustomResourceDefinition => ({
  metadata: {},
  spec: { group: "", names: { plural: "", kind: "" }, scope: "", versions: [] },
});

describe("conditions of a CustomResourceDefinition", () => {
  it("can be set, found and removed", () => {
    const definition = crd();
    setCrdCondition(definition, { type: "Established", status: "False", reason: "A", message: "a" }, 0);
    expect(hasCondition(definition, "Established")).toBe(false);
    setCrdCondition(definition, { type: "Established", status: "True", reason: "B", message: "b" }, 1000);
    setCrdCondition(definition, { type: "Established", status: "True", reason: "C", message: "c" }, 2000);
    expect(definition.status?.conditions).toEqual([
      { type: "Established", status: "True", reason: "C", message: "c", lastTransitionTime: "1970-01-01T00:00:01Z" },
    ]);
    expect(hasCondition(definition, "Established")).toBe(true);
    removeCrdCondition(definition, "Established");
    removeCrdCondition(definition, "Terminating");
    expect(definition.status?.conditions).toEqual([]);
  });

  it("may be null, and other status fields stay unchanged", () => {
    const status = deepFreeze({ conditions: null as never, storedVersions: ["v1"] });
    const definition = { ...crd(), status: status as CustomResourceDefinition["status"] & object };
    expect(hasCondition(definition, "Established")).toBe(false);
    removeCrdCondition(definition, "Established");
    setCrdCondition(definition, { type: "Terminating", status: "True", reason: "A", message: "a" }, 0);
    expect(definition.status).toMatchObject({ conditions: [{ type: "Terminating" }], storedVersions: ["v1"] });
  });
});
