import { deepCopy } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const container: JsonObject = {
  name: "c",
  image: "c:1",
  env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
  envFrom: [{ configMapRef: { name: "m" } }],
  ports: [{ containerPort: 80, hostPort: 80 }],
  livenessProbe: { httpGet: { port: 80, host: "h" } },
  lifecycle: { preStop: { tcpSocket: { port: 80, host: "h" } } },
  resources: { requests: { cpu: "1", "example.com/gpu": "1" }, limits: { "example.com/gpu": "1" } },
  securityContext: {
    capabilities: { add: ["CHOWN"], drop: ["ALL"] },
    seLinuxOptions: { type: "t" },
    seccompProfile: { type: "RuntimeDefault" },
    windowsOptions: { hostProcess: false },
  },
};
const pod: JsonObject = {
  metadata: {
    name: "p",
    labels: { a: "b" },
    annotations: { "kubernetes.io/config.mirror": "x" },
    ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid: "u", controller: true }],
  },
  spec: {
    nodeName: "n",
    priority: 0,
    runtimeClassName: "r",
    overhead: { cpu: "1" },
    nodeSelector: { a: "b" },
    tolerations: [{ key: "k", operator: "Exists", effect: "NoExecute", tolerationSeconds: 1 }],
    imagePullSecrets: [{ name: "s" }],
    containers: [container],
    initContainers: [{ ...container, name: "i" }],
    volumes: [
      { name: "v", projected: { sources: [{ serviceAccountToken: { path: "t" } }, { secret: { name: "s" } }] } },
      { name: "w", hostPath: { path: "/" } },
      { name: "x", image: { reference: "r" } },
    ],
    securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }], seLinuxOptions: { user: "u" } },
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/hostname" }] } },
  },
};

/** Every place in a value, as a path. */
function* placesOf(value: JsonValue, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value === "object" && value !== null) for (const [key, inner] of Object.entries(value)) yield* placesOf(inner, [...path, key]);
}

function replaced(value: JsonObject, path: readonly string[], by: JsonValue): JsonObject {
  const copy = deepCopy(value);
  let at = copy as Record<string, JsonValue>;
  for (const key of path.slice(0, -1)) {
    const next = at[key];
    if (typeof next !== "object" || next === null) return copy;
    at = next as Record<string, JsonValue>;
  }
  at[path.at(-1) ?? ""] = by;
  return copy;
}

const plugins = [
  "NodeRestriction",
  "AlwaysPullImages",
  "ExtendedResourceToleration",
  "LimitPodHardAntiAffinityTopology",
  "OwnerReferencesPermissionEnforcement",
  "PodNodeSelector",
  "PodTolerationRestriction",
  "ServiceAccount",
];

async function strictServer(): Promise<TestServer> {
  const server = await testServer({ admissionPlugins: { enable: plugins } });
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await server.call("POST", "/api/v1/namespaces", { metadata: { name: "shop", labels } });
  for (const name of ["default", "shop"])
    await server.call("POST", `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: "default" } });
  await server.call("POST", "/api/v1/namespaces/default/resourcequotas", {
    metadata: { name: "q" },
    spec: { hard: { pods: "10", "requests.cpu": "10", "requests.example.com/gpu": "1" } },
  });
  await server.call("POST", "/api/v1/namespaces/default/limitranges", {
    metadata: { name: "l" },
    spec: {
      limits: [
        { type: "Container", default: { cpu: "1" }, max: { cpu: "2" } },
        { type: "Pod", max: { cpu: "4" } },
      ],
    },
  });
  await server.call("POST", "/api/v1/nodes", { metadata: { name: "n", labels: { "topology.kubernetes.io/zone": "z" } } });
  await server.call("POST", "/apis/node.k8s.io/v1/runtimeclasses", {
    metadata: { name: "r" },
    handler: "r",
    overhead: { podFixed: { cpu: "1" } },
    scheduling: { nodeSelector: { a: "b" }, tolerations: [{ key: "k", operator: "Exists" }] },
  });
  return server;
}

describe("admission plug-ins", () => {
  it("refuse or accept a pod with null or empty values anywhere, and never fail", async () => {
    const { call } = await strictServer();
    // Most plug-ins leave mirror pods alone.
    const plain = replaced(pod, ["metadata", "annotations"], {});
    const places = [...placesOf(pod)];
    const change = fc.tuple(fc.constantFrom(...places), fc.constantFrom<JsonValue>(null, [], {}, [null]));
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.constantFrom("default", "shop"),
        async (changes, asNode, where) => {
          const body = changes.reduce((object, [path, value]) => replaced(object, path, value), asNode ? pod : plain);
          const headers = asNode ? { "impersonate-user": "system:node:n", "impersonate-group": "system:nodes" } : {};
          const { status, object } = await call("POST", `/api/v1/namespaces/${where}/pods?dryRun=All`, body, headers);
          expect(status < 500 ? "" : object["message"]).toBe("");
        },
      ),
      { numRuns: 300 },
    );
  });
});
