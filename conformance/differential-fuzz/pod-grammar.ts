/** Random parts of pods, alone and in templates of deployments. There are few names, so that requests touch the same fields. */
import type { JsonObject } from "@drover/machinery";
import { anyOf, listOf, oneOf, rarely, some, together } from "./value-grammar.ts";
import type { Grammar } from "./value-grammar.ts";

const variable = anyOf<JsonObject>(
  some({ value: oneOf("1", "2", "$(A)") }, { name: oneOf("A", "B") }),
  oneOf(
    { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "B", valueFrom: { configMapKeyRef: { name: "a", key: "k" } } },
  ),
);

const container = some(
  {
    image: oneOf("example.com/c:1", "example.com/c:2", "example.com/c"),
    env: listOf(variable),
    args: listOf(oneOf("x", "y")),
    imagePullPolicy: oneOf("Always", "Never", "Sometimes"),
    ports: listOf(some({ name: oneOf("p", "q"), protocol: oneOf("TCP", "UDP") }, { containerPort: oneOf(80, 81) })),
    resources: oneOf<JsonObject>(
      {},
      { limits: { cpu: "1" } },
      { limits: { cpu: "500m", memory: "1024Mi" }, requests: { cpu: "0.5" } },
      { requests: { memory: "1.5Gi" } },
      { limits: { cpu: "1" }, requests: { cpu: "2" } },
    ),
    livenessProbe: oneOf<JsonObject>(
      { httpGet: { port: 80 } },
      { httpGet: { path: "/x", port: "p" }, periodSeconds: 5 },
      { exec: { command: ["x"] } },
      { tcpSocket: { port: 81 }, failureThreshold: 0 },
    ),
    volumeMounts: listOf(some({ readOnly: oneOf(true, false) }, { name: oneOf("v", "w"), mountPath: oneOf("/v", "/w") })),
    securityContext: some({ runAsUser: oneOf(0, 1000), readOnlyRootFilesystem: oneOf(true, false) }),
  },
  { name: oneOf("c", "d"), image: oneOf("example.com/c:1", "example.com/c:2") },
);

const volume = anyOf<JsonObject>(
  some({ emptyDir: oneOf<JsonObject>({}, { medium: "Memory" }) }, { name: oneOf("v", "w") }),
  oneOf(
    { name: "v", configMap: { name: "a" } },
    { name: "w", secret: { secretName: "a" } },
    { name: "w", secret: { secretName: "a" }, configMap: { name: "a" } },
  ),
);

const toleration = oneOf<JsonObject>(
  { key: "a", operator: "Exists" },
  { key: "a", value: "1", effect: "NoSchedule" },
  { operator: "Exists", tolerationSeconds: 5, effect: "NoExecute" },
  { key: "b", operator: "Maybe" },
);

/** Members of a pod's spec. */
export const podSpec: Grammar<JsonObject> = together(
  some({
    containers: listOf(container),
    volumes: listOf(volume),
    tolerations: listOf(toleration),
    terminationGracePeriodSeconds: oneOf(0, 5, 30),
    nodeSelector: some({ a: oneOf("1", "2"), b: oneOf("") }),
    activeDeadlineSeconds: oneOf(5, 10),
    imagePullSecrets: listOf(some({}, { name: oneOf("a", "b") })),
    hostAliases: listOf(oneOf<JsonObject>({ ip: "1.2.3.4", hostnames: ["a"] }, { ip: "1.2.3.5" })),
  }),
  rarely(
    some({
      hostNetwork: oneOf(true, false),
      dnsPolicy: oneOf("Default", "ClusterFirst"),
      restartPolicy: oneOf("Never", "OnFailure"),
      priority: oneOf(0, 5),
      initContainers: listOf(container),
      hostname: oneOf("h", "H"),
      securityContext: some({ fsGroup: oneOf(1), runAsNonRoot: oneOf(true) }),
      schedulerName: oneOf("other"),
      nodeName: oneOf("n1"),
      schedulingGates: listOf(oneOf<JsonObject>({ name: "example.com/g" })),
      automountServiceAccountToken: oneOf(false),
      affinity: oneOf<JsonObject>(
        {},
        {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
            },
          },
        },
      ),
    }),
    25,
  ),
);

/** Members of a pod's status. */
export const podStatus: Grammar<JsonObject> = some({
  phase: oneOf("Running", "Succeeded", "Pending", "Odd"),
  message: oneOf("m", ""),
  reason: oneOf("R"),
  podIP: oneOf("1.2.3.4", "1.2.3.5"),
  podIPs: listOf(oneOf<JsonObject>({ ip: "1.2.3.4" }, { ip: "::1" })),
  hostIP: oneOf("1.1.1.1"),
  conditions: listOf(
    some(
      { reason: oneOf("r"), lastTransitionTime: oneOf("2020-01-02T03:04:05Z") },
      { type: oneOf("Ready", "example.com/x"), status: oneOf("True", "False") },
    ),
  ),
  containerStatuses: listOf(
    some(
      { ready: oneOf(true), state: oneOf<JsonObject>({ running: {} }, { terminated: { exitCode: 1 } }) },
      { name: oneOf("c", "d"), image: oneOf("i"), imageID: oneOf(""), restartCount: oneOf(0, 1), ready: oneOf(false) },
    ),
  ),
  observedGeneration: oneOf(1, 2),
  qosClass: oneOf("Guaranteed", "BestEffort"),
  startTime: oneOf("2020-01-02T03:04:05Z"),
});
