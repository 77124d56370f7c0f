/**
 * The kinds of random requests: where each is served, its smallest object, and random members.
 *
 *     value-grammar.ts, pod-grammar.ts → worldKinds → step-grammar.ts
 */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { configMap, deployment, pod, service } from "../differential/probe-objects.ts";
import { podSpec, podStatus } from "./pod-grammar.ts";
import { anyOf, listOf, oneOf, rarely, some, together } from "./value-grammar.ts";
import type { Grammar } from "./value-grammar.ts";

export interface WorldKind {
  /** As `ProbeSession.in` takes it. */
  readonly resource: string;
  /** The smallest object a server accepts. */
  readonly base: (name: string) => JsonObject;
  /** Random members beside metadata and status. */
  readonly members: Grammar<JsonObject>;
  /** Random members of the status; undefined for kinds without one. */
  readonly status: Grammar<JsonObject>;
  /** Which of /status and /scale are requested. */
  readonly subresources: readonly ("status" | "scale")[];
  /** Selectors of fields that only this kind has, valid and invalid. */
  readonly fieldSelectors: readonly string[];
}

/** The group of the kinds in world-definitions.ts. */
export const worldGroup = "fuzz.example.com";

const word = oneOf("1", "2", "", "yes", "12345678901234567890");
const noStatus: Grammar<JsonObject> = () => ({});
const spec =
  (members: Grammar<JsonObject>): Grammar<JsonObject> =>
  (random) => ({ spec: members(random) });
const labels = some({ app: oneOf("web", "other"), a: word });

const condition = some(
  { reason: oneOf("R", "S"), message: oneOf("", "m"), lastTransitionTime: oneOf("2020-01-02T03:04:05Z"), observedGeneration: oneOf(1) },
  { type: oneOf("Available", "Progressing"), status: oneOf("True", "False", "Unknown") },
);

const deploymentSpec = together(
  some({
    replicas: oneOf(0, 1, 2, 5),
    paused: oneOf(true, false),
    minReadySeconds: oneOf(0, 5),
    revisionHistoryLimit: oneOf(0, 3),
    progressDeadlineSeconds: oneOf(600, 3, 60),
    strategy: oneOf<JsonObject>(
      { type: "Recreate" },
      { type: "RollingUpdate" },
      { rollingUpdate: { maxSurge: 1 } },
      { type: "RollingUpdate", rollingUpdate: { maxSurge: "10%", maxUnavailable: 0 } },
      { type: "Recreate", rollingUpdate: { maxSurge: 1 } },
      { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
    ),
    template: some({ metadata: some({ labels, annotations: some({ x: word }) }), spec: podSpec }),
  }),
  rarely(
    some({
      selector: oneOf<JsonObject>({ matchLabels: { app: "other" } }, { matchExpressions: [{ key: "app", operator: "Exists" }] }),
      replicas: oneOf(-1),
    }),
    8,
  ),
);

const servicePort = some(
  {
    name: oneOf("p", "q"),
    protocol: oneOf("TCP", "UDP", "SCTP"),
    targetPort: oneOf<JsonValue>(80, "web", 8080),
    appProtocol: oneOf("http"),
  },
  { port: oneOf(80, 81, 443) },
);

const widgetSpec = together(
  some({
    size: oneOf<JsonValue>(0, 3, 10),
    mode: oneOf("a", "b"),
    name: oneOf("", "n", "abcde"),
    replicas: oneOf(0, 1, 2),
    tags: listOf(oneOf("x", "y", "z")),
    when: oneOf("2020-01-02T03:04:05Z"),
    amount: oneOf<JsonValue>(1, "2Gi", 0.5),
    parts: listOf(some({ value: oneOf("1", "2"), port: oneOf(80, 81) }, { key: oneOf("a", "b", "c") })),
    free: some({ a: anyOf<JsonValue>(word, listOf(word)), b: some({ c: oneOf<JsonValue>(1, 2.5, true) }) }),
    atomic: some({ a: word, b: word }),
  }),
  rarely(
    some({
      size: oneOf<JsonValue>(11, -1, "3", 2.5),
      mode: oneOf("c"),
      name: oneOf("abcdef"),
      tags: oneOf<JsonValue>(["x", "x"]),
      parts: oneOf<JsonValue>([{ key: "a" }, { key: "a" }], [{ value: "1" }]),
      when: oneOf("now"),
      shadow: oneOf(1),
    }),
    15,
  ),
);

/** Every kind of the world. */
export const worldKinds: readonly WorldKind[] = [
  {
    resource: "configmaps",
    base: (name) => configMap(name),
    status: noStatus,
    subresources: [],
    fieldSelectors: ["data.a=1"],
    members: together(
      some({ data: some({ a: word, b: word, "c.d": word }), binaryData: some({ x: oneOf("AA==", "AQI=", ""), a: oneOf("AA==") }) }),
      rarely(some({ immutable: oneOf(true, false), data: some({ "a/b": word }) })),
    ),
  },
  {
    resource: "secrets",
    base: (name) => ({ apiVersion: "v1", kind: "Secret", metadata: { name } }),
    status: noStatus,
    subresources: [],
    fieldSelectors: ["type=Opaque", "type!=Opaque"],
    members: together(
      some({ data: some({ a: oneOf("MQ==", "Mg==", ""), b: oneOf("MQ==") }), stringData: some({ a: word, b: word }) }),
      rarely(some({ immutable: oneOf(true, false), type: oneOf("Opaque", "example.com/t", "kubernetes.io/tls"), data: oneOf({ a: "?" }) })),
    ),
  },
  {
    resource: "apps/v1/deployments",
    base: (name) => deployment(name),
    subresources: ["status", "scale"],
    fieldSelectors: ["status.successful=1"],
    members: spec(deploymentSpec),
    status: some({
      replicas: oneOf(0, 1, 3),
      readyReplicas: oneOf(1, 4),
      availableReplicas: oneOf(1),
      updatedReplicas: oneOf(1),
      observedGeneration: oneOf(1, 2),
      conditions: listOf(condition),
      collisionCount: oneOf(0, 1),
    }),
  },
  {
    resource: "services",
    base: (name) => service(name, { clusterIP: "None" }),
    subresources: ["status"],
    fieldSelectors: ["spec.clusterIP=None", "spec.type=ClusterIP"],
    members: spec(
      together(
        some({
          ports: listOf(servicePort),
          selector: labels,
          sessionAffinity: oneOf("ClientIP", "None"),
          publishNotReadyAddresses: oneOf(true, false),
          internalTrafficPolicy: oneOf("Local", "Cluster"),
        }),
        rarely(
          some({
            externalIPs: oneOf<JsonValue>(["1.2.3.4"], ["x"]),
            trafficDistribution: oneOf("PreferClose"),
            externalTrafficPolicy: oneOf("Local"),
            sessionAffinityConfig: oneOf({ clientIP: { timeoutSeconds: 5 } }),
          }),
        ),
      ),
    ),
    status: some({ loadBalancer: oneOf<JsonObject>({}, { ingress: [{ ip: "1.2.3.4" }] }), conditions: listOf(condition) }),
  },
  {
    resource: "pods",
    base: (name) => pod(name),
    subresources: ["status"],
    fieldSelectors: ["status.phase=Running", "spec.nodeName=n1", "status.phase!=Pending,spec.restartPolicy=Always"],
    members: spec(podSpec),
    status: podStatus,
  },
  {
    resource: "coordination.k8s.io/v1/leases",
    base: (name) => ({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name } }),
    status: noStatus,
    subresources: [],
    fieldSelectors: ["spec.holderIdentity=a"],
    members: spec(
      some({
        holderIdentity: oneOf("a", "b", ""),
        leaseDurationSeconds: oneOf(15, 30),
        renewTime: oneOf("2020-01-02T03:04:05.000006Z", "2020-01-02T03:04:05Z"),
        acquireTime: oneOf("2020-01-02T03:04:05.100000Z"),
        leaseTransitions: oneOf(0, 1, -1),
        strategy: oneOf("OldestEmulationVersion"),
      }),
    ),
  },
  {
    resource: `${worldGroup}/v1/widgets`,
    base: (name) => ({ apiVersion: `${worldGroup}/v1`, kind: "Widget", metadata: { name }, spec: {} }),
    subresources: ["status", "scale"],
    fieldSelectors: ["spec.mode=a", "spec.mode!=a", "spec.size=3"],
    members: spec(widgetSpec),
    status: some({
      replicas: oneOf<JsonValue>(0, 1, 2),
      selector: oneOf("app=web"),
      phase: oneOf("On", "Off"),
      conditions: listOf(condition),
    }),
  },
  {
    resource: `${worldGroup}/v1/gadgets`,
    base: (name) => ({ apiVersion: `${worldGroup}/v1`, kind: "Gadget", metadata: { name } }),
    subresources: ["status"],
    fieldSelectors: ["spec.a=1"],
    members: some({
      spec: some({ a: anyOf<JsonValue>(word, listOf(word)), b: some({ c: oneOf<JsonValue>(1, 2.5, true, null) }) }),
      limit: oneOf<JsonValue>(1, 5, 9),
      other: word,
    }),
    status: some({ phase: oneOf("On", "Off") }),
  },
];
