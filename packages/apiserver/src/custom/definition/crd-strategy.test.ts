import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition, JSONSchemaProps } from "@drover/api/apiextensions/v1";
import { crdStrategy } from "./crd-strategy.ts";

const context = { now: 0, user: { name: "admin", groups: [] }, dryRun: false };

function crd(...schemas: JSONSchemaProps[]): CustomResourceDefinition {
  const versions = schemas.map((openAPIV3Schema, index) => ({
    name: `v${index + 1}`,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema },
  }));
  return {
    metadata: { name: "as.ex.io" },
    spec: { group: "ex.io", names: { plural: "as", kind: "A", singular: "a", listKind: "AList" }, scope: "Cluster", versions },
  };
}

const formats = (...names: string[]): JSONSchemaProps => ({
  type: "object",
  properties: Object.fromEntries(names.map((format, index) => [`p${index}`, { type: "string", format }])),
});

describe("crdStrategy", () => {
  it("records the storage version in the status and keeps earlier ones", () => {
    const made = crd({ type: "object" });
    crdStrategy.prepareForCreate?.(made, context);
    expect(made.status).toEqual({ storedVersions: ["v1"] });
    const changed = { ...crd({ type: "object" }, { type: "object" }), status: { storedVersions: ["v1"], conditions: [] } };
    for (const version of changed.spec.versions) version.storage = version.name === "v2";
    crdStrategy.prepareForUpdate?.(changed, made, context);
    expect(changed.status).toEqual({ storedVersions: ["v1", "v2"], conditions: [] });
  });

  it("warns about unknown formats, on update only about new ones", () => {
    expect(crdStrategy.warningsOnCreate?.(crd(formats("odd", "date-time", "k8s-long-name")))).toEqual(['unrecognized format "odd"']);
    expect(crdStrategy.warningsOnUpdate?.(crd(formats("odd", "odder")), crd(formats("odd")))).toEqual(['unrecognized format "odder"']);
    const typed: JSONSchemaProps = {
      type: "object",
      properties: {
        a: { type: "integer", format: "int16" },
        b: { type: "integer", format: "int32" },
        c: { type: "number", format: "double" },
        d: { type: "boolean", format: "date" },
      },
    };
    expect(crdStrategy.warningsOnCreate?.(crd(typed))).toEqual(['unrecognized format "int16"', 'unrecognized format "date"']);
  });

  it("validates the definition, and accepted names at status", () => {
    const odd = { ...crd({}), status: { storedVersions: ["v1"], acceptedNames: { plural: "A", kind: "" } } };
    expect(crdStrategy.validate?.(odd).map(({ field }) => field)).toEqual([
      "spec.validation.openAPIV3Schema.type",
      "status.acceptedNames.plural",
    ]);
    expect(crdStrategy.subresources?.["status"]?.validateUpdate?.(odd, odd).map(({ field }) => field)).toEqual([
      "status.acceptedNames.plural",
    ]);
  });
});
