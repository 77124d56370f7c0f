import { describe, expect, it } from "vitest";
import { builtInParts } from "./built-in-parts.ts";
import { smallApps, smallV2 } from "./testing/small-archive.ts";

describe("builtInParts", () => {
  const parts = builtInParts(smallApps, smallV2);

  it("extracts parameters, inline in v3 and as references in v2", () => {
    expect(parts.v3.resourceVersion).toMatchObject({ name: "resourceVersion", in: "query" });
    expect(parts.v3.list).toHaveLength(2);
    expect([parts.v2.resourceVersion, parts.v2.namespace]).toEqual([
      { $ref: "#/parameters/resourceVersion-12345678" },
      { $ref: "#/parameters/namespace-12345678" },
    ]);
  });

  it("extracts definitions, with DeleteOptions of all kinds a client knows", () => {
    expect(parts.schemas["io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"]).toEqual({
      "x-kubernetes-group-version-kind": [
        { group: "", kind: "DeleteOptions", version: "v1" },
        { group: "apps", kind: "DeleteOptions", version: "v1" },
      ],
    });
  });

  it("fails for documents without deployments", () => {
    expect(() => builtInParts({ paths: {}, components: { schemas: {} } }, smallV2)).toThrow("the documents of the built-in kinds lack");
  });
});
