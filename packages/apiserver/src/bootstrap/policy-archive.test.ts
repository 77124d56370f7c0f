import { describe, expect, it } from "vitest";
import { nodeHost } from "../http/node-host.ts";
import { packPolicy, policyFile, readPolicy } from "./policy-archive.ts";

describe("the archive of the bootstrap policy", () => {
  it("reads what was packed", () => {
    const objects = [
      { resource: "roles", namespace: "shop", name: "a", text: '{"metadata":{"name":"a b"}}' },
      { resource: "clusterroles", namespace: "", name: "system:b", text: "{}" },
    ];
    expect(readPolicy(packPolicy(objects))).toEqual(objects);
    expect(readPolicy(packPolicy([]))).toEqual([]);
  });

  it("has the objects of a cluster", () => {
    const objects = readPolicy(new TextDecoder().decode(nodeHost.inflate(nodeHost.readData(policyFile))));
    const count = (resource: string): number => objects.filter((object) => object.resource === resource).length;
    expect(["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map(count)).toEqual([69, 50, 7, 7]);
  });
});
