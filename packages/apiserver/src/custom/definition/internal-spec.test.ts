import { describe, expect, it } from "vitest";
import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from "@drover/api/apiextensions/v1";
import { internalSpec } from "./internal-spec.ts";

const version = (name: string, rest: Partial<CustomResourceDefinitionVersion> = {}): CustomResourceDefinitionVersion => ({
  name,
  served: true,
  storage: true,
  ...rest,
});
const spec = (...versions: CustomResourceDefinitionVersion[]): CustomResourceDefinitionSpec => ({
  group: "ex.io",
  names: { plural: "as", kind: "A" },
  scope: "Namespaced",
  versions,
});

describe("internalSpec", () => {
  const schema = { openAPIV3Schema: { type: "object" } };

  it("hoists parts that all versions share", () => {
    const columns = [{ name: "A", type: "string", jsonPath: ".a" }];
    const { versions, ...above } = internalSpec(
      spec(
        version("v1", { schema, additionalPrinterColumns: columns }),
        version("v2", { schema: { openAPIV3Schema: { type: "object" } } }),
      ),
    );
    expect(above.schema).toEqual(schema);
    expect(above.additionalPrinterColumns).toBeUndefined();
    expect(versions).toEqual([
      { name: "v1", served: true, storage: true, additionalPrinterColumns: columns },
      { name: "v2", served: true, storage: true },
    ]);
  });

  it("hoists everything of a single version", () => {
    const { versions, ...above } = internalSpec(
      spec(version("v1", { schema, subresources: { status: {} }, selectableFields: [{ jsonPath: ".a" }] })),
    );
    expect(above).toMatchObject({ schema, subresources: { status: {} }, selectableFields: [{ jsonPath: ".a" }] });
    expect(versions).toEqual([{ name: "v1", served: true, storage: true }]);
  });

  it("keeps parts that differ in their versions", () => {
    const other = { openAPIV3Schema: { type: "object", description: "x" } };
    const { versions, schema: above } = internalSpec(spec(version("v1", { schema }), version("v2", { schema: other })));
    expect(above).toBeUndefined();
    expect(versions?.map((each) => each.schema)).toEqual([schema, other]);
  });

  it("distinguishes absent versions from an empty list", () => {
    expect(internalSpec(spec()).versions).toEqual([]);
    expect(internalSpec({ ...spec(), versions: null as never }).versions).toBeUndefined();
  });
});
