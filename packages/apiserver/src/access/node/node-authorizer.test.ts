import { describe, expect, it } from "vitest";
import type { Attributes } from "../authorizer.ts";
import { nodeAuthorizer } from "./node-authorizer.ts";
import { NodeGraph } from "./node-graph.ts";

const kubelet = { name: "system:node:n1", groups: ["system:nodes", "system:authenticated"] };

function stage(): {
  readonly ask: (verb: string, what: string, more?: Partial<Attributes>) => Promise<string>;
  readonly graphs: () => number;
} {
  const graph = new NodeGraph();
  graph.put(
    { kind: "Pod", namespace: "shop", name: "p" },
    {
      metadata: { name: "p" },
      spec: { nodeName: "n1", serviceAccountName: "robot", containers: [], imagePullSecrets: [{ name: "s" }] },
    },
  );
  let graphs = 0;
  const { authorize } = nodeAuthorizer(() => {
    graphs++;
    return Promise.resolve(graph);
  });
  const ask = async (verb: string, what: string, more: Partial<Attributes> = {}): Promise<string> => {
    const [resource = "", subresource = ""] = what.split("/");
    const { decision, reason = "" } = await authorize({
      user: kubelet,
      verb,
      isResourceRequest: true,
      path: "",
      group: "",
      version: "v1",
      resource,
      subresource,
      namespace: "shop",
      name: "",
      ...more,
    });
    return reason === "" ? decision : `${decision}: ${reason}`;
  };
  return { ask, graphs: () => graphs };
}

describe("nodeAuthorizer", () => {
  it("has no opinion on other users", async () => {
    const { ask } = stage();
    for (const user of [
      { name: "alice", groups: ["system:nodes"] },
      { name: "system:node:n1", groups: [] },
    ])
      expect(await ask("create", "nodes", { user })).toBe("no-opinion");
    expect(await ask("create", "nodes", { user: { name: "system:node:", groups: ["system:nodes"] } })).toBe(
      'no-opinion: unknown node for user "system:node:"',
    );
  });

  it("lets a kubelet read what its pods refer to, one object at a time", async () => {
    const { ask } = stage();
    expect(await ask("get", "secrets", { name: "s" })).toBe("allow");
    expect(await ask("watch", "secrets", { name: "s" })).toBe("allow");
    expect(await ask("get", "secrets", { name: "t" })).toBe("no-opinion: no relationship found between node 'n1' and this object");
    expect(await ask("list", "secrets")).toBe("no-opinion: No Object name found");
    expect(await ask("list", "secrets", { namespace: "" })).toBe("no-opinion: can only read namespaced object of this type");
    expect(await ask("update", "configmaps", { name: "c" })).toBe("no-opinion: can only read resources of this type");
    expect(await ask("list", "persistentvolumes", { namespace: "" })).toBe("no-opinion: can only get individual resources of this type");
    expect(await ask("create", "serviceaccounts/token", { name: "robot" })).toBe("allow");
    expect(await ask("create", "serviceaccounts/token", { name: "default" })).toContain("no relationship found");
    expect(await ask("delete", "serviceaccounts", { name: "robot" })).toBe(
      "no-opinion: can only create tokens for individual service accounts",
    );
  });

  it("lets a kubelet list its own pods only", async () => {
    const { ask } = stage();
    expect(await ask("list", "pods", { fieldSelector: "spec.nodeName=n1" })).toBe("allow");
    expect(await ask("watch", "pods", { fieldSelector: "status.phase!=Failed,spec.nodeName=n1" })).toBe("allow");
    for (const fieldSelector of ["", "spec.nodeName=n2", "spec.nodeName!=n1", "=="])
      expect(await ask("list", "pods", { fieldSelector })).toBe("no-opinion: can only list/watch pods with spec.nodeName field selector");
    expect(await ask("get", "pods", { name: "p" })).toBe("allow");
    expect(await ask("deletecollection", "pods")).toBe("no-opinion");
  });

  it("reports without the graph, which costs nothing until it is needed", async () => {
    const { ask, graphs } = stage();
    expect(await ask("patch", "pods/status", { name: "p" })).toBe("allow");
    expect(await ask("delete", "pods", { name: "p" })).toBe("allow");
    expect(await ask("patch", "nodes/status", { name: "n1", namespace: "" })).toBe("allow");
    expect(await ask("get", "nodes", { name: "n1", namespace: "" })).toBe("allow");
    expect(await ask("get", "nodes", { name: "n2", namespace: "" })).toBe(
      "no-opinion: node 'n1' cannot read 'n2', only its own Node object",
    );
    expect(await ask("create", "events")).toBe("allow");
    const leases = { group: "coordination.k8s.io", namespace: "kube-node-lease" };
    expect(await ask("update", "leases", { ...leases, name: "n1" })).toBe("allow");
    expect(await ask("update", "leases", { ...leases, name: "n2" })).toContain("can only access node lease with the same name");
    expect(await ask("get", "leases", { ...leases, namespace: "shop", name: "n1" })).toContain('in the "kube-node-lease" system namespace');
    expect(graphs()).toBe(0);
  });

  it("tells no rules, and says so", async () => {
    const { rulesFor } = nodeAuthorizer(() => Promise.resolve(new NodeGraph()));
    expect(await rulesFor(kubelet, "shop")).toMatchObject({
      incomplete: true,
      evaluationError: "node authorizer does not support user rule resolution",
    });
    expect((await rulesFor({ name: "alice", groups: [] }, "shop")).incomplete).toBe(false);
  });
});
