import { describe, expect, it } from "vitest";
import type { JsonObject } from "@drover/machinery";
import { OpenApiDocuments } from "./openapi-documents.ts";
import { smallHost, smallV2 } from "./testing/small-archive.ts";
import { customResource, deployments, pods } from "./testing/small-resources.ts";

const read = (bytes: Uint8Array): JsonObject => JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;

/** Documents on a clock that goes on by a second at every look. */
function documentsOf(): { readonly documents: OpenApiDocuments; readonly reads: string[] } {
  const reads: string[] = [];
  let now = 0;
  return {
    documents: new OpenApiDocuments(
      smallHost(
        () => (now += 1000),
        (name) => reads.push(name),
      ),
    ),
    reads,
  };
}

describe("OpenAPI documents", () => {
  it("are read from the archive when somebody first asks, and only once", () => {
    const { documents, reads } = documentsOf();
    expect(reads).toEqual([]);
    documents.v3([pods]);
    documents.v3([deployments]);
    documents.v2([pods]);
    expect(reads).toEqual(["openapi.br"]);
  });

  it("are there for the built-in group versions that are served, with the archive's hash", () => {
    const { documents } = documentsOf();
    expect([...documents.v3([pods, deployments])].map(([name, { hash }]) => [name, hash])).toEqual(
      ["api", "api/v1", "apis/apps", "apis/apps/v1", "version"].map((name) => [name, `HASH OF ${name}`]),
    );
    expect([...documents.v3([pods]).keys()]).toEqual(["api", "api/v1", "version"]);
  });

  it("are written for custom resources, one for each group version", () => {
    const { documents } = documentsOf();
    const found = documents.v3([
      pods,
      deployments,
      customResource("Widget"),
      customResource("Widget", { version: "v2" }),
      customResource("Gadget"),
    ]);
    expect([...found.keys()]).toEqual(["api", "api/v1", "apis/apps", "apis/apps/v1", "apis/ex.io/v1", "apis/ex.io/v2", "version"]);
    const { paths } = read(found.get("apis/ex.io/v1")?.bytes ?? expect.fail("no document")) as { readonly paths: object };
    expect(Object.keys(paths).filter((path) => !path.includes("{"))).toEqual(["/apis/ex.io/v1/gadgets", "/apis/ex.io/v1/widgets"]);
  });

  it("are the same as long as the list is, and keep their time as long as their resources are", () => {
    const { documents } = documentsOf();
    const [widgets, gadgets] = [customResource("Widget"), customResource("Gadget", { version: "v2" })];
    const first = [pods, widgets, gadgets];
    const before = documents.v3(first);
    expect(documents.v3(first)).toBe(before);
    const after = documents.v3([pods, widgets, customResource("Gadget", { version: "v2" }, { type: "object", description: "new" })]);
    expect(after.get("apis/ex.io/v1")).toBe(before.get("apis/ex.io/v1"));
    expect(after.get("apis/ex.io/v2")?.lastModified).toBeGreaterThan(before.get("apis/ex.io/v2")?.lastModified ?? Infinity);
    const same = documents.v3([pods, { ...widgets }]);
    expect(same.get("apis/ex.io/v1")?.lastModified).toBe(before.get("apis/ex.io/v1")?.lastModified);
    expect([...same.keys()]).not.toContain("apis/ex.io/v2");
  });

  it("do not let a custom resource take the place of a built-in group version", () => {
    const { documents } = documentsOf();
    expect(documents.v3([deployments, customResource("Widget", { group: "apps" })]).get("apis/apps/v1")?.hash).toBe("HASH OF apis/apps/v1");
  });
});

describe("the v2 document", () => {
  it("is the archive's, byte for byte, if that is what is served", () => {
    const { documents } = documentsOf();
    expect(new TextDecoder().decode(documents.v2([pods, deployments]).bytes)).toBe(JSON.stringify(smallV2));
  });

  it("lacks the paths of what is not served", () => {
    const { documents } = documentsOf();
    expect(Object.keys(read(documents.v2([pods]).bytes)["paths"] as object)).toEqual(["/api/v1/pods", "/version/"]);
  });

  it("has custom resources among the others, sorted, and escapes nothing", () => {
    const { documents } = documentsOf();
    const { bytes } = documents.v2([pods, deployments, customResource("Widget")]);
    const { paths, definitions } = read(bytes) as { readonly paths: object; readonly definitions: object };
    expect(Object.keys(paths)).toEqual(Object.keys(paths).toSorted());
    expect(Object.keys(definitions)).toEqual([
      "io.ex.v1.Widget",
      "io.ex.v1.WidgetList",
      "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
    ]);
    expect(new TextDecoder().decode(bytes)).toContain('"<b>"');
  });

  it("is the same document after a change that does not show in it", () => {
    const { documents } = documentsOf();
    expect(documents.v2([pods, deployments])).toBe(documents.v2([deployments, pods]));
  });

  it("keeps numbers that JavaScript would round, in both forms", () => {
    const schema = { type: "object", properties: { n: { type: "integer", enum: [9007199254740993n] } } };
    const document = documentsOf().documents.v2([pods, customResource("Widget", {}, schema)]);
    for (const form of [document.bytes, document.protobuf()]) expect(new TextDecoder().decode(form)).toContain("9007199254740993");
  });

  it("makes its other forms once", () => {
    const document = documentsOf().documents.v2([pods]);
    expect(document.protobuf()).toBe(document.protobuf());
    expect(document.compressed(document.bytes)).toBe(document.compressed(document.bytes));
    expect(document.compressed(document.protobuf())).not.toBe(document.compressed(document.bytes));
  });
});
