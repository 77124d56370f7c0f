import { describe, expect, it } from "vitest";
import { printVersions } from "./print-versions.ts";

describe("printed versions of a CustomResourceDefinition", () => {
  it("contain all fields in the order of the internal type", () => {
    expect(printVersions([{ name: "v1", served: true, storage: false }])).toBe(
      '[{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]',
    );
  });

  it("contain the fields of nested types", () => {
    const [printed] = JSON.parse(
      printVersions([
        {
          name: "v1",
          served: true,
          storage: true,
          deprecated: true,
          deprecationWarning: "<old>",
          schema: { openAPIV3Schema: { type: "object" } },
          subresources: { status: {}, scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.b" } },
          additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".a" }],
          selectableFields: [{ jsonPath: ".b" }],
        },
      ]),
    ) as Record<string, unknown>[];
    expect(printed).toMatchObject({
      DeprecationWarning: "<old>",
      Schema: { OpenAPIV3Schema: { Type: "object", Properties: null } },
      Subresources: { Status: {}, Scale: { SpecReplicasPath: ".spec.a", StatusReplicasPath: ".status.b", LabelSelectorPath: null } },
      AdditionalPrinterColumns: [{ Name: "A", Type: "string", Format: "", Description: "", Priority: 0, JSONPath: ".a" }],
      SelectableFields: [{ JSONPath: ".b" }],
    });
    expect(printVersions([{ name: "v1", served: true, storage: true, subresources: {}, schema: {} }])).toContain(
      '"Schema":{"OpenAPIV3Schema":null},"Subresources":{"Status":null,"Scale":null}',
    );
  });

  it("are null when absent", () => {
    expect([printVersions(undefined), printVersions([])]).toEqual(["null", "[]"]);
  });
});
