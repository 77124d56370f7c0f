import { describe, expect, it } from "vitest";
import { nodeHost } from "../http/node-host.ts";
import { bootstrapFile, packBootstrap, readBootstrap } from "./bootstrap-archive.ts";

describe("the archive of bootstrap objects", () => {
  it("reads what was packed", () => {
    const objects = [
      { group: "rbac.authorization.k8s.io", resource: "roles", namespace: "shop", name: "a", text: '{"metadata":{"name":"a b"}}' },
      { group: "", resource: "clusterroles", namespace: "", name: "system:b", text: "{}" },
    ];
    expect(readBootstrap(packBootstrap(objects))).toEqual(objects);
    expect(readBootstrap(packBootstrap([]))).toEqual([]);
  });

  it("has the objects of a cluster", () => {
    const objects = readBootstrap(new TextDecoder().decode(nodeHost.inflate(nodeHost.readData(bootstrapFile))));
    const count = (resource: string): number => objects.filter((object) => object.resource === resource).length;
    expect(
      ["clusterroles", "clusterrolebindings", "roles", "rolebindings", "flowschemas", "prioritylevelconfigurations", "apiservices"].map(
        count,
      ),
    ).toEqual([69, 50, 7, 7, 11, 8, 21]);
  });
});
