import { describe, expect, it } from "vitest";
import { crd } from "./crd-builder.ts";

describe("crd builder", () => {
  it("trap 28: writes the scale paths in the form that a server accepts", () => {
    const { spec } = crd.namespacedType("GitJob.gitjob.cattle.io/v1").withScale().toCustomResourceDefinition();
    expect(spec.versions[0]?.subresources).toEqual({
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
    });
    expect(() =>
      crd.namespacedType("GitJob.gitjob.cattle.io/v1").withScale({ specReplicasPath: "Spec.Replicas" }).toCustomResourceDefinition(),
    ).toThrow(/specReplicasPath: a path starts with a dot/);
  });

  it("builds one version with names, columns and status, and by default a schema that keeps all fields (§3.20)", () => {
    const built = crd
      .nonNamespacedType("Proxy.net.example.com/v1beta1")
      .withStatus()
      .withCategories("all")
      .withShortNames("px")
      .withColumn("Host", ".spec.host")
      .withCustomColumn({ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" })
      .toCustomResourceDefinition();
    expect(built.metadata.name).toBe("proxies.net.example.com");
    expect(built.spec).toMatchObject({
      scope: "Cluster",
      names: { kind: "Proxy", listKind: "ProxyList", plural: "proxies", singular: "proxy", categories: ["all"], shortNames: ["px"] },
    });
    expect(built.spec.versions).toEqual([
      expect.objectContaining({
        name: "v1beta1",
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: "Host", type: "string", jsonPath: ".spec.host" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
      }),
    ]);
    expect(built.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"]).toEqual({
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
    });
  });

  it("adds no columns and no subresources by default (§3.20)", () => {
    expect(Object.keys(crd.fromGV({ group: "a.io", version: "v1" }, "Thing").toCustomResourceDefinition().spec.versions[0] ?? {})).toEqual([
      "name",
      "served",
      "storage",
      "schema",
    ]);
  });

  it("is immutable, and an override replaces everything", () => {
    const thing = crd.namespacedType("Thing.a.io/v1");
    thing.withStatus().withGroup("b.io").withPlural("thingies");
    expect(thing.toCustomResourceDefinition()).toMatchObject({ metadata: { name: "things.a.io" } });
    const other = crd.namespacedType("Other.a.io/v1").withSchema({ type: "object" }).toCustomResourceDefinition();
    expect(thing.override(other).toCustomResourceDefinition()).toEqual(other);
  });

  it("rejects an invalid kind", () => {
    for (const name of ["GitJob", "GitJob.v1", "gitjob.cattle.io/v1/x"])
      expect(() => crd.namespacedType(name)).toThrow(/write it as "GitJob\.gitjob\.cattle\.io\/v1"/);
  });
});
