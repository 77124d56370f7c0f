import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const patch = { "content-type": "application/merge-patch+json" };

describe("PersistentVolumeClaimResize", () => {
  it("lets bound claims of a class that allows it grow", async () => {
    const { call } = await testServer();
    const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    for (const [name, allowVolumeExpansion] of [
      ["fixed", false],
      ["growing", true],
    ] as const) {
      await call("POST", "/apis/storage.k8s.io/v1/storageclasses", { metadata: { name }, provisioner: "p", allowVolumeExpansion });
      await call("POST", claims, {
        metadata: { name },
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: name, volumeName: "v", resources: { requests: { storage: "1Gi" } } },
      });
    }
    const grow = async (name: string): Promise<unknown> => {
      const { status, object } = await call("PATCH", `${claims}/${name}`, { spec: { resources: { requests: { storage: "2Gi" } } } }, patch);
      return status === 200 ? 200 : object["message"];
    };
    expect(await grow("growing")).toContain("spec is immutable after creation except resources.requests");
    for (const name of ["fixed", "growing"])
      await call("PATCH", `${claims}/${name}/status`, { status: { phase: "Bound", capacity: { storage: "1Gi" } } }, patch);
    expect(await grow("fixed")).toContain("the storageclass that provisions the pvc must support resize");
    expect(await grow("growing")).toBe(200);
  });
});
