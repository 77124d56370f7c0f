import { describe, expect, it } from "vitest";
import type { JsonObject } from "@drover/machinery";
import { OpenApiDocuments } from "./openapi-documents.ts";
import { smallHost, smallV2 } from "./testing/small-archive.ts";
import { customResource, deployments, pods } from "./testing/small-resources.ts";

const read = (bytes: Uint8Array): JsonObject => JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;

/** Documents with a clock that advances by one second per reading. */
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

describe("OpenApiDocuments.v3", () => {
  it("reads the archive on first use, once", () => {
    const { documents, reads } = documentsOf();
    expect(reads).toEqual([]);
    documents.v3([pods]);
    documents.v3([deployments]);
    documents.v2([pods]);
    expect(reads).toEqual(["openapi.br"]);
  });

  it("returns the served built-in group versions with the archive's hash", () => {
    const { documents } = documentsOf();
    expect([...documents.v3([pods, deployments])].map(([name, { hash }]) => [name, hash])).toEqual(
      ["api", "api/v1", "apis/apps", "apis/apps/v1", "version"].map((name) => [name, `HASH OF ${name}`]),
    );
    expect([...documents.v3([pods]).keys()]).toEqual(["api", "api/v1", "version"]);
  });

  it("generates one document per custom group version", () => {
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

  it("makes the parts of new custom resources beforehand, with a pause after each", async () => {
    const { documents } = documentsOf();
    const [widgets, gadgets] = [customResource("Widget"), customResource("Gadget")];
    let pauses = 0;
    const pause = (): undefined => void pauses++;
    await documents.prepare([pods, widgets], pause);
    await documents.prepare([pods, widgets, gadgets], pause);
    expect(pauses).toBe(2);
    const fresh = documentsOf().documents.v3([pods, widgets, gadgets]);
    expect(documents.v3([pods, widgets, gadgets]).get("apis/ex.io/v1")?.hash).toBe(fresh.get("apis/ex.io/v1")?.hash);
  });

  it("caches documents, and their time while their resources do not change", () => {
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

  it("does not let a custom resource replace a built-in group version", () => {
    const { documents } = documentsOf();
    expect(documents.v3([deployments, customResource("Widget", { group: "apps" })]).get("apis/apps/v1")?.hash).toBe("HASH OF apis/apps/v1");
  });
});

describe("OpenApiDocuments.v2", () => {
  it("returns the archived document if exactly that is served", () => {
    const { documents } = documentsOf();
    expect(new TextDecoder().decode(documents.v2([pods, deployments]).bytes)).toBe(JSON.stringify(smallV2));
  });

  it("omits paths of resources that are not served", () => {
    const { documents } = documentsOf();
    expect(Object.keys(read(documents.v2([pods]).bytes)["paths"] as object)).toEqual(["/api/v1/pods", "/version/"]);
  });

  it("adds custom resources, sorted and without HTML escaping", () => {
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

  it("keeps the document after a change that does not affect it", () => {
    const { documents } = documentsOf();
    expect(documents.v2([pods, deployments])).toBe(documents.v2([deployments, pods]));
  });

  it("keeps numbers that JavaScript would round, in JSON and protobuf", () => {
    const schema = { type: "object", properties: { n: { type: "integer", enum: [9007199254740993n] } } };
    const document = documentsOf().documents.v2([pods, customResource("Widget", {}, schema)]);
    for (const form of [document.bytes, document.protobuf()]) expect(new TextDecoder().decode(form)).toContain("9007199254740993");
  });

  it("produces each encoding once", () => {
    const document = documentsOf().documents.v2([pods]);
    expect(document.protobuf()).toBe(document.protobuf());
    expect(document.compressed(document.bytes)).toBe(document.compressed(document.bytes));
    expect(document.compressed(document.protobuf())).not.toBe(document.compressed(document.bytes));
  });
});
