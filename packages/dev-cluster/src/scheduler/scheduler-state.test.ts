import type { Node, Pod, PodSpec } from "@drover/api/core/v1";
import { definedOnly } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SchedulerState } from "./scheduler-state.ts";

function node(
  name: string,
  more: { readonly allocatable?: Record<string, string>; readonly spec?: Node["spec"]; readonly labels?: Record<string, string> } = {},
): Node {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, ...more.labels } },
    spec: more.spec ?? {},
    status: { allocatable: { cpu: "2", memory: "4Gi", pods: "10", ...more.allocatable } },
  };
}

let count = 0;
function pod(spec: Partial<PodSpec> = {}, requests: Record<string, string> = {}): Pod {
  const uid = `pod-${++count}`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: uid, namespace: "web", uid },
    spec: { containers: [{ name: "a", image: "a", resources: { requests } }], ...spec },
  };
}

function stateOf(...nodes: readonly Node[]): SchedulerState {
  const state = new SchedulerState();
  for (const each of nodes) state.setNode(each);
  return state;
}

describe("SchedulerState.place feasibility", () => {
  it("finds no node without nodes", () => {
    expect(stateOf().place(pod())).toEqual({ message: "no nodes available to schedule pods", victims: [] });
  });

  it.each<readonly [string, Partial<PodSpec>, Record<string, string>, readonly Node[]]>([
    ["0/1 nodes are available: 1 node(s) were unschedulable.", {}, {}, [node("a", { spec: { unschedulable: true } })]],
    [
      "0/1 nodes are available: 1 node(s) had untolerated taint(s).",
      {},
      {},
      [node("a", { spec: { taints: [{ key: "k", value: "v", effect: "NoSchedule" }] } })],
    ],
    [
      "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
      { nodeSelector: { disk: "ssd" } },
      {},
      [node("a"), node("b", { labels: { disk: "hdd" } })],
    ],
    ["0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.", {}, { cpu: "3", memory: "5Gi" }, [node("a")]],
    ["0/1 nodes are available: 1 Insufficient example.com/gpu.", {}, { "example.com/gpu": "1" }, [node("a")]],
    ["0/1 nodes are available: 1 Too many pods.", {}, {}, [node("a", { allocatable: { pods: "0" } })]],
    [
      "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.",
      {},
      { cpu: "3" },
      [node("a"), node("b", { spec: { unschedulable: true } }), node("c", { spec: { taints: [{ key: "k", effect: "NoExecute" }] } })],
    ],
  ])("%s", (message, spec, requests, nodes) => {
    expect(stateOf(...nodes).place(pod(spec, requests))).toMatchObject({
      message: expect.stringMatching(
        new RegExp(`^${message.replaceAll(/[()/.]/g, "\\$&")} no new claims to deallocate, preemption: `),
      ) as unknown,
      victims: [],
    });
  });

  it("requires tolerated taints, cordon included", () => {
    const state = stateOf(
      node("a", {
        spec: {
          unschedulable: true,
          taints: [
            { key: "k", value: "v", effect: "NoSchedule" },
            { key: "soft", effect: "PreferNoSchedule" },
          ],
        },
      }),
    );
    expect(
      state.place(
        pod({
          tolerations: [
            { key: "k", value: "v" },
            { key: "node.kubernetes.io/unschedulable", operator: "Exists" },
          ],
        }),
      ),
    ).toEqual({ node: "a" });
    expect(state.place(pod({ tolerations: [{ operator: "Exists" }] }))).toEqual({ node: "a" });
    expect(state.place(pod({ tolerations: [{ operator: "Exists", effect: "NoExecute" }] }))).toHaveProperty("message");
  });

  it("uses the node that affinity names by field, as for DaemonSets", () => {
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In" as const, values: ["b"] }] }],
        },
      },
    };
    expect(stateOf(node("a"), node("b"), node("c")).place(pod({ affinity }))).toEqual({ node: "b" });
  });

  it("requires one matching affinity term; an empty term never matches", () => {
    const terms = (
      ...nodeSelectorTerms: NonNullable<
        NonNullable<NonNullable<PodSpec["affinity"]>["nodeAffinity"]>["requiredDuringSchedulingIgnoredDuringExecution"]
      >["nodeSelectorTerms"]
    ) => pod({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } });
    const state = stateOf(node("a", { labels: { size: "3" } }), node("b", { labels: { size: "9", zone: "x" } }));
    expect(state.place(terms({ matchExpressions: [{ key: "size", operator: "Gt", values: ["5"] }] }))).toEqual({ node: "b" });
    expect(state.place(terms({ matchExpressions: [{ key: "zone", operator: "DoesNotExist" }] }))).toEqual({ node: "a" });
    expect(state.place(terms({}, { matchExpressions: [{ key: "zone", operator: "NotIn", values: ["x"] }] }))).toEqual({ node: "a" });
    expect(state.place(terms({}))).toHaveProperty("message");
  });

  it("refuses a taken host port, unless the addresses differ", () => {
    const state = stateOf(node("a"));
    const listening = (hostIP?: string): Pod =>
      pod({
        containers: [{ name: "a", image: "a", ports: [{ containerPort: 80, hostPort: 80, ...definedOnly({ hostIP }) }] }],
      });
    state.assume(listening("10.0.0.1"), "a");
    expect(state.place(listening())).toEqual({
      message:
        "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
      promised: "",
      victims: [],
    });
    expect(state.place(listening("10.0.0.2"))).toEqual({ node: "a" });
  });

  it("requires room for the larger of containers and an init container, beside sidecars", () => {
    const container = (cpu: string, restartPolicy?: "Always") => ({
      name: cpu,
      image: "a",
      resources: { requests: { cpu } },
      ...definedOnly({ restartPolicy }),
    });
    const asking = (initContainers: ReturnType<typeof container>[], containers: ReturnType<typeof container>[]): Pod =>
      pod({ initContainers, containers });
    const state = stateOf(node("a"));
    expect(state.place(asking([container("1500m")], [container("1"), container("1")]))).toEqual({ node: "a" });
    expect(state.place(asking([container("500m", "Always"), container("1600m")], [container("1")]))).toHaveProperty("message");
    expect(state.place(asking([container("1600m"), container("500m", "Always")], [container("1500m")]))).toEqual({ node: "a" });
    expect(state.place(asking([container("500m", "Always")], [container("1501m")]))).toHaveProperty("message");
  });
});

describe("SchedulerState.place choice", () => {
  it("prefers the node with the most room", () => {
    const state = stateOf(node("a"), node("b"));
    state.assume(pod({}, { cpu: "1" }), "a");
    expect(state.place(pod({}, { cpu: "100m" }))).toEqual({ node: "b" });
  });

  it("takes turns between equal nodes", () => {
    const state = stateOf(node("a"), node("b"), node("c"));
    expect([1, 2, 3, 4].map(() => state.place(pod()))).toEqual([{ node: "a" }, { node: "b" }, { node: "c" }, { node: "a" }]);
  });

  it("spreads pods of one owner", () => {
    const state = stateOf(node("a", { allocatable: { cpu: "64", memory: "64Gi" } }), node("b"));
    const places = Array.from({ length: 6 }, () => {
      const one = {
        ...pod(),
        metadata: {
          ...pod().metadata,
          ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid: "r", controller: true }],
        },
      };
      const placement = state.place(one);
      if ("node" in placement) state.assume(one, placement.node);
      return placement;
    });
    expect(places.filter((place) => "node" in place && place.node === "b")).toHaveLength(3);
  });

  it("follows preferred affinity and PreferNoSchedule taints", () => {
    const preferring = pod({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 10, preference: { matchExpressions: [{ key: "zone", operator: "Exists" }] } },
          ],
        },
      },
    });
    expect(stateOf(node("a"), node("b", { labels: { zone: "x" } })).place(preferring)).toEqual({ node: "b" });
    expect(stateOf(node("a", { spec: { taints: [{ key: "k", effect: "PreferNoSchedule" }] } }), node("b")).place(pod())).toEqual({
      node: "b",
    });
  });
});

describe("SchedulerState", () => {
  it("frees the resources of a pod that finished or is gone", () => {
    const state = stateOf(node("a"));
    const large = pod({ nodeName: "a" }, { cpu: "2" });
    state.setPod(large);
    expect(state.place(pod({}, { cpu: "1" }))).toHaveProperty("message");
    state.setPod({ ...large, status: { phase: "Succeeded" } });
    expect(state.place(pod({}, { cpu: "1" }))).toEqual({ node: "a" });
    state.setPod(large);
    state.removePod(large.metadata.uid ?? "");
    expect(state.place(pod({}, { cpu: "1" }))).toEqual({ node: "a" });
  });

  it("counts a pod once, where it was seen last, also before its node is known", () => {
    const state = stateOf(node("b"));
    const large = pod({}, { cpu: "2" });
    state.assume(large, "a");
    state.setNode(node("a"));
    expect(state.place(pod({}, { cpu: "1" }))).toEqual({ node: "b" });
    state.setPod({ ...large, spec: { containers: [], ...large.spec, nodeName: "b" } });
    expect(state.place(pod({}, { cpu: "1" }))).toEqual({ node: "a" });
  });

  it("never overcommits a node, whatever comes and goes", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ cpu: fc.integer({ min: 0, max: 1200 }), leaves: fc.nat(20) }), { maxLength: 60 }), (steps) => {
        const state = stateOf(node("a"), node("b", { allocatable: { cpu: "1" } }));
        const room = { a: 2000, b: 1000 };
        const placed: { readonly pod: Pod; readonly node: "a" | "b"; readonly cpu: number }[] = [];
        for (const { cpu, leaves } of steps) {
          const one = pod({}, { cpu: `${cpu}m` });
          const placement = state.place(one);
          if ("node" in placement) {
            const name = placement.node as "a" | "b";
            state.assume(one, name);
            placed.push({ pod: one, node: name, cpu });
            room[name] -= cpu;
            expect(room[name]).toBeGreaterThanOrEqual(0);
          } else if (cpu > 0) {
            expect(placement.message).toMatch(/Insufficient cpu|Too many pods/);
          }
          const [gone] = placed.splice(leaves, 1);
          if (gone === undefined) continue;
          state.removePod(gone.pod.metadata.uid ?? "");
          room[gone.node] += gone.cpu;
        }
      }),
    );
  });
});
