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

describe("a spec as the server judges it", () => {
  const schema = { openAPIV3Schema: { type: "object" } };

  it("has above its versions what they share", () => {
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

  it("has everything of a single version above it", () => {
    const { versions, ...above } = internalSpec(
      spec(version("v1", { schema, subresources: { status: {} }, selectableFields: [{ jsonPath: ".a" }] })),
    );
    expect(above).toMatchObject({ schema, subresources: { status: {} }, selectableFields: [{ jsonPath: ".a" }] });
    expect(versions).toEqual([{ name: "v1", served: true, storage: true }]);
  });

  it("keeps apart what differs", () => {
    const other = { openAPIV3Schema: { type: "object", description: "x" } };
    const { versions, schema: above } = internalSpec(spec(version("v1", { schema }), version("v2", { schema: other })));
    expect(above).toBeUndefined();
    expect(versions?.map((each) => each.schema)).toEqual([schema, other]);
  });

  it("tells no versions from an empty list of them", () => {
    expect(internalSpec(spec()).versions).toEqual([]);
    expect(internalSpec({ ...spec(), versions: null as never }).versions).toBeUndefined();
  });
});
