import type { Pod } from "@drover/api/core/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NodeGraph } from "./node-graph.ts";
import type { NodeGraphKind, NodeVertex } from "./node-graph.ts";

const at = (kind: NodeGraphKind, name: string, namespace = ""): NodeVertex<NodeGraphKind> => ({ kind, name, namespace });
const secret = (name: string, namespace = "shop"): NodeVertex => ({ kind: "Secret", namespace, name });
const pod = (nodeName: string | undefined, spec: object = {}, metadata: object = {}): Pod => ({
  metadata: { name: "p", ...metadata },
  spec: { containers: [], ...(nodeName === undefined ? {} : { nodeName }), ...spec },
});
const graphOf = (...objects: readonly (readonly [NodeVertex<NodeGraphKind>, object])[]): NodeGraph => {
  const graph = new NodeGraph();
  for (const [place, object] of objects) graph.put(place, object as Pod);
  return graph;
};

describe("NodeGraph", () => {
  it("leads from everything a pod refers to, to its node", () => {
    const volumes = [
      { name: "a", secret: { secretName: "s1" } },
      { name: "b", projected: { sources: [{ secret: { name: "s2" } }, { configMap: { name: "c2" } }] } },
      { name: "c", configMap: { name: "c1" } },
      { name: "d", persistentVolumeClaim: { claimName: "v1" } },
      { name: "e", ephemeral: {} },
      { name: "f", csi: { driver: "x", nodePublishSecretRef: { name: "s3" } } },
    ];
    const container = {
      env: [{ name: "X", valueFrom: { secretKeyRef: { name: "s4", key: "k" } } }],
      envFrom: [{ secretRef: { name: "s5" } }, { configMapRef: { name: "c3" } }],
    };
    const graph = graphOf([
      at("Pod", "p", "shop"),
      pod("n1", {
        volumes,
        serviceAccountName: "robot",
        imagePullSecrets: [{ name: "s6" }, {}],
        initContainers: [container],
        ephemeralContainers: [{ envFrom: [{ secretRef: { name: "s7" } }] }],
        resourceClaims: [
          { name: "g", resourceClaimName: "r1" },
          { name: "h", resourceClaimTemplateName: "t" },
        ],
      }),
    ]);
    const reached = (kind: NodeVertex["kind"], ...names: readonly string[]): readonly boolean[] =>
      names.map((name) => graph.reaches({ kind, namespace: "shop", name }, "n1"));
    expect(reached("Secret", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8")).toEqual([true, true, true, true, true, true, true, false]);
    expect(reached("ConfigMap", "c1", "c2", "c3", "s1")).toEqual([true, true, true, false]);
    expect(reached("PersistentVolumeClaim", "v1", "p-e", "p-d")).toEqual([true, true, false]);
    expect(reached("ServiceAccount", "robot", "default")).toEqual([true, false]);
    expect(reached("ResourceClaim", "r1", "h", "t")).toEqual([true, false, false]);
    expect(reached("Pod", "p", "q")).toEqual([true, false]);
    expect(graph.reaches(secret("s1"), "n2")).toBe(false);
    expect(graph.reaches(secret("s1", "other"), "n1")).toBe(false);
  });

  it("leads from the secrets of a volume over its claim", () => {
    const volume = {
      metadata: {},
      spec: {
        claimRef: { namespace: "shop", name: "v1" },
        csi: { nodeStageSecretRef: { namespace: "store", name: "s1" }, controllerPublishSecretRef: { namespace: "store", name: "s2" } },
      },
    };
    const graph = graphOf(
      [at("PersistentVolume", "pv"), volume],
      [at("Pod", "p", "shop"), pod("n1", { volumes: [{ name: "d", persistentVolumeClaim: { claimName: "v1" } }] })],
    );
    expect(graph.reaches(at("PersistentVolume", "pv"), "n1")).toBe(true);
    expect([graph.reaches(secret("s1", "store"), "n1"), graph.reaches(secret("s2", "store"), "n1")]).toEqual([true, false]);
    graph.remove(at("Pod", "p", "shop"));
    expect(graph.reaches(secret("s1", "store"), "n1")).toBe(false);
  });

  it("gives a mirror pod access to nothing but itself", () => {
    const metadata = { annotations: { "kubernetes.io/config.mirror": "x" } };
    const graph = graphOf([at("Pod", "p", "shop"), pod("n1", { imagePullSecrets: [{ name: "s1" }] }, metadata)]);
    expect([graph.reaches(at("Pod", "p", "shop"), "n1"), graph.reaches(secret("s1"), "n1")]).toEqual([true, false]);
  });

  it("knows the attachments and slices of a node", () => {
    const graph = graphOf(
      [at("VolumeAttachment", "a"), { metadata: {}, spec: { nodeName: "n1" } }],
      [at("ResourceSlice", "s"), { metadata: {}, spec: {} }],
    );
    expect([graph.reaches(at("VolumeAttachment", "a"), "n1"), graph.reaches(at("ResourceSlice", "s"), "n1")]).toEqual([true, false]);
  });

  it("depends on the objects that are there, not on how they came", () => {
    const names: fc.Arbitrary<string> = fc.constantFrom("a", "b", "c");
    const change = fc.record({ name: names, node: fc.option(names, { nil: undefined }), secrets: fc.array(names), isGone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const graph = new NodeGraph();
        const there = new Map<string, (typeof changes)[number]>();
        for (const one of changes) {
          const place = at("Pod", one.name, "shop");
          if (one.isGone) graph.remove(place);
          else graph.put(place, pod(one.node, { imagePullSecrets: one.secrets.map((name) => ({ name })) }));
          if (one.isGone) there.delete(one.name);
          else there.set(one.name, one);
        }
        for (const name of ["a", "b", "c"])
          for (const node of ["a", "b", "c"])
            expect(graph.reaches(secret(name), node)).toBe(
              [...there.values()].some((one) => one.node === node && one.secrets.includes(name)),
            );
      }),
    );
  });
});
