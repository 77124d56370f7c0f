import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const pods = "/api/v1/namespaces/default/pods";
const pod = (spec: object = {}) => ({ metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "c:1" }], ...spec } });

/** conformance/apiserver/admission-plugins.test.ts compares each of them with a real server. */
describe("a plug-in that is off by default", () => {
  it("AlwaysPullImages sets the pull policy of containers and image volumes", async () => {
    const { call } = await testServer({ admissionPlugins: { enable: ["AlwaysPullImages"] } });
    const volumes = [{ name: "v", image: { reference: "v:1", pullPolicy: "Never" } }];
    const { object } = await call("POST", pods, pod({ volumes }));
    expect(object["spec"]).toMatchObject({ containers: [{ imagePullPolicy: "Always" }], volumes: [{ image: { pullPolicy: "Always" } }] });
  });

  it("DenyServiceExternalIPs refuses new external addresses", async () => {
    const { call } = await testServer({ admissionPlugins: { enable: ["DenyServiceExternalIPs"] } });
    const service = { metadata: { name: "s" }, spec: { ports: [{ port: 80 }], externalIPs: ["1.2.3.4"] } };
    expect((await call("POST", "/api/v1/namespaces/default/services", service)).object["message"]).toBe(
      'services "s" is forbidden: Use of external IPs is denied by admission control',
    );
  });

  it("LimitPodHardAntiAffinityTopology allows anti-affinity between nodes only", async () => {
    const { call } = await testServer({ admissionPlugins: { enable: ["LimitPodHardAntiAffinityTopology"] } });
    const affinity = (topologyKey: string) => ({
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: {} }] },
    });
    expect((await call("POST", pods, pod({ affinity: affinity("zone") }))).object["message"]).toContain(
      "has TopologyKey zone but only key",
    );
    expect((await call("POST", pods, pod({ affinity: affinity("kubernetes.io/hostname") }))).status).toBe(201);
  });

  it("ExtendedResourceToleration tolerates the taints of requested resources", async () => {
    const { call } = await testServer({ admissionPlugins: { enable: ["ExtendedResourceToleration"] } });
    const containers = [{ name: "c", image: "c", resources: { limits: { "example.com/gpu": "1" } } }];
    const { object } = await call("POST", pods, pod({ containers }));
    expect((object["spec"] as { readonly tolerations: unknown }).tolerations).toContainEqual({
      key: "example.com/gpu",
      operator: "Exists",
      effect: "NoSchedule",
    });
  });

  it("PodNodeSelector and PodTolerationRestriction read annotations of the namespace", async () => {
    const { call } = await testServer({ admissionPlugins: { enable: ["PodNodeSelector", "PodTolerationRestriction"] } });
    const annotations = {
      "scheduler.alpha.kubernetes.io/node-selector": "disk=ssd",
      "scheduler.alpha.kubernetes.io/defaultTolerations": JSON.stringify([{ key: "k", operator: "Exists" }]),
    };
    await call("POST", "/api/v1/namespaces", { metadata: { name: "shop", annotations } });
    const create = (spec: object) => call("POST", "/api/v1/namespaces/shop/pods?dryRun=All", pod(spec));
    const { nodeSelector, tolerations } = (await create({ nodeSelector: { a: "b" } })).object["spec"] as Readonly<Record<string, unknown>>;
    expect(nodeSelector).toEqual({ a: "b", disk: "ssd" });
    expect(tolerations).toContainEqual({ key: "k", operator: "Exists" });
    expect((await create({ nodeSelector: { disk: "hdd" } })).status).toBe(403);
  });

  it("NamespaceAutoProvision creates namespaces, NamespaceExists wants them", async () => {
    const { call } = await testServer({ admissionPlugins: { enable: ["NamespaceAutoProvision"] } });
    expect((await call("POST", "/api/v1/namespaces/new/configmaps", { metadata: { name: "c" } })).status).toBe(201);
    expect((await call("GET", "/api/v1/namespaces/new")).status).toBe(200);
    const strict = await testServer({ admissionPlugins: { enable: ["NamespaceExists"], disable: ["NamespaceLifecycle"] } });
    expect((await strict.call("POST", "/api/v1/namespaces/new/configmaps", { metadata: { name: "c" } })).object["message"]).toBe(
      'namespaces "new" not found',
    );
  });

  it("AlwaysDeny refuses what a fresh server would start with", async () => {
    await expect(testServer({ admissionPlugins: { enable: ["AlwaysDeny"] } })).rejects.toThrow(
      "admission control is denying all modifications",
    );
  });

  it("OwnerReferencesPermissionEnforcement asks for the right to delete, and to set finalizers of owners that are blocked", async () => {
    const denied = new Set(["delete", "update finalizers"]);
    const { call } = await testServer({
      admissionPlugins: { enable: ["OwnerReferencesPermissionEnforcement"] },
      authorizer: {
        authorize: ({ verb, subresource }) =>
          Promise.resolve({ decision: denied.has(`${verb} ${subresource}`.trim()) ? "no-opinion" : "allow" }),
        rulesFor: () => Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: false }),
      },
    });
    const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };
    const path = "/api/v1/namespaces/default/configmaps";
    expect((await call("POST", path, { metadata: { name: "a", ownerReferences: [owner] } })).status).toBe(201);
    const patch = { "content-type": "application/merge-patch+json" };
    expect((await call("PATCH", `${path}/a`, { metadata: { ownerReferences: [] } }, patch)).object["message"]).toBe(
      `configmaps "a" is forbidden: cannot set an ownerRef on a resource you can't delete: , <nil>`,
    );
    const blocking = { metadata: { name: "b", ownerReferences: [{ ...owner, blockOwnerDeletion: true }] } };
    expect((await call("POST", path, blocking)).object["message"]).toContain("refers to a resource you can't set finalizers on");
    const unknown = { metadata: { name: "b", ownerReferences: [{ ...owner, kind: "Thing", blockOwnerDeletion: true }] } };
    expect((await call("POST", path, unknown)).object["message"]).toContain(
      'cannot find RESTMapping for APIVersion v1 Kind Thing: no matches for kind "Thing" in version "v1"',
    );
  });
});
