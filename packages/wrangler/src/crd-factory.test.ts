import { describe, expect, it } from "vitest";
import { parseYamlDocuments } from "@drover/yaml";
import { crd } from "./crd-builder.ts";
import { crdObjects, printCRDs } from "./crd-factory.ts";

describe("printCRDs and crdObjects", () => {
  it("print one document per definition, which parse back to equal objects (§3.22)", () => {
    const definitions = [
      crd.namespacedType("GitJob.gitjob.cattle.io/v1").withScale(),
      crd.nonNamespacedType("Fleet.a.io/v1").toCustomResourceDefinition(),
    ];
    expect(parseYamlDocuments(printCRDs(...definitions))).toEqual(crdObjects(...definitions));
  });
});
