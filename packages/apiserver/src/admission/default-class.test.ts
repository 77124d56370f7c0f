import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const claim = (name: string, spec: object = {}, annotations: Readonly<Record<string, string>> = {}) => ({
  metadata: { name, annotations },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const isDefault = { "storageclass.kubernetes.io/is-default-class": "true" };

describe("default classes", () => {
  it("are given to claims that name none, the newest first", async () => {
    const { call, clock } = await testServer();
    const classes = "/apis/storage.k8s.io/v1/storageclasses";
    const classOf = async (body: ReturnType<typeof claim>): Promise<unknown> =>
      ((await call("POST", "/api/v1/namespaces/default/persistentvolumeclaims?dryRun=All", body)).object["spec"] as never)[
        "storageClassName"
      ];
    expect(await classOf(claim("a"))).toBe(undefined);
    await call("POST", classes, { metadata: { name: "old", annotations: isDefault }, provisioner: "p" });
    expect(await classOf(claim("a"))).toBe("old");
    await clock.advance(1000);
    await call("POST", classes, { metadata: { name: "z", annotations: isDefault }, provisioner: "p" });
    await call("POST", classes, { metadata: { name: "y", annotations: isDefault }, provisioner: "p" });
    expect(await classOf(claim("a"))).toBe("y");
    expect(await classOf(claim("a", { storageClassName: "" }))).toBe("");
    expect(await classOf(claim("a", {}, { "volume.beta.kubernetes.io/storage-class": "x" }))).toBe(undefined);
    await call("DELETE", `${classes}/y`);
    expect(await classOf(claim("a"))).toBe("z");
  });

  it("are given to ingresses that name none", async () => {
    const { call } = await testServer();
    await call("POST", "/apis/networking.k8s.io/v1/ingressclasses", {
      metadata: { name: "web", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
      spec: { controller: "example.com/c" },
    });
    const classOf = async (metadata: object): Promise<unknown> =>
      (
        (
          await call("POST", "/apis/networking.k8s.io/v1/namespaces/default/ingresses", {
            metadata: metadata as never,
            spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
          })
        ).object["spec"] as never
      )["ingressClassName"];
    expect(await classOf({ name: "a" })).toBe("web");
    expect(await classOf({ name: "b", annotations: { "kubernetes.io/ingress.class": "x" } })).toBe(undefined);
  });
});
