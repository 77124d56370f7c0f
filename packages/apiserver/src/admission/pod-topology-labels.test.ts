import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const zone = "topology.kubernetes.io/zone";
const pods = "/api/v1/namespaces/default/pods";
const pod = (name: string, spec: object = {}, labels: Readonly<Record<string, string>> = {}) => ({
  metadata: { name, labels },
  spec: { containers: [{ name: "c", image: "c" }], ...spec },
});

describe("PodTopologyLabels", () => {
  it("copies the zone and the region of the node to pods that are bound or created with it", async () => {
    const { call } = await testServer();
    await call("POST", "/api/v1/nodes", {
      metadata: { name: "n", labels: { [zone]: "z", "topology.kubernetes.io/region": "r", other: "x" } },
    });
    const labelsOf = (object: Readonly<Record<string, unknown>>): unknown => (object["metadata"] as { readonly labels?: unknown }).labels;
    const expected = { [zone]: "z", "topology.kubernetes.io/region": "r" };
    expect(labelsOf((await call("POST", pods, pod("a", { nodeName: "n" }, { [zone]: "mine" }))).object)).toEqual(expected);
    expect(labelsOf((await call("POST", pods, pod("b", { nodeName: "gone" }))).object)).toBe(undefined);
    await call("POST", pods, pod("c"));
    await call("POST", `${pods}/c/binding`, { metadata: { name: "c" }, target: { kind: "Node", name: "n" } });
    expect(labelsOf((await call("GET", `${pods}/c`)).object)).toEqual(expected);
  });
});
