/** A Pod as a busy cluster has it and a server writes it: about 7 KB of JSON, 2.5 KB of it managedFields, fields in the server's order. */

interface Container {
  readonly name: string;
  readonly port: number;
  readonly env: readonly string[];
}

const containers: readonly Container[] = [{ name: "web", port: 8080, env: ["LOG_LEVEL", "DATABASE_URL"] }, { name: "proxy", port: 15001, env: ["LOG_LEVEL"] }];
const created = "2026-11-15T13:35:46Z";

/** The n-th Pod; names, ids and addresses differ from one to the next. */
export function pod(n: number): Record<string, unknown> {
  const owner = `web-${hex(n >> 4, 10)}`;
  const ownerUid = uid(n >> 4, 7);
  const ip = `10.244.${(n >> 8) & 255}.${n & 255}`;
  return {
    kind: "Pod", apiVersion: "v1",
    metadata: {
      name: `${owner}-${hex(n * 7919, 5)}`, generateName: `${owner}-`, namespace: "shop", uid: uid(n, 3), resourceVersion: String(4_000_000 + n), generation: 1, creationTimestamp: created,
      labels: { app: "web", "app.kubernetes.io/name": "web", "app.kubernetes.io/part-of": "shop", "pod-template-hash": hex(n >> 4, 10) },
      annotations: { "prometheus.io/port": "8080", "prometheus.io/scrape": "true", "shop.example.com/settings": "{\"replicas\":3,\"zones\":[\"a\",\"b\"]}" },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: owner, uid: ownerUid, controller: true, blockOwnerDeletion: true }],
      managedFields: managedFields(ownerUid, ip),
    },
    spec: spec(n), status: status(n, ip),
  };
}

/** The same without managedFields. */
export function podWithoutManagedFields(n: number): Record<string, unknown> {
  const { metadata, ...rest } = pod(n);
  const { managedFields: _, ...kept } = metadata as Record<string, unknown>;
  return { kind: rest["kind"], apiVersion: rest["apiVersion"], metadata: kept, spec: rest["spec"], status: rest["status"] };
}

function spec(n: number): unknown {
  const token = `kube-api-access-${hex(n * 31, 5)}`;
  return {
    volumes: [{
      name: token,
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: "token" } }, { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
          { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
        ],
        defaultMode: 420,
      },
    }],
    containers: containers.map(({ name, port, env }) => ({
      name, image: `registry.example.com/shop/${name}:1.27.3`, ports: [{ name: "http", containerPort: port, protocol: "TCP" }], env: env.map((key) => ({ name: key, value: "info" })),
      resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
      volumeMounts: [{ name: token, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }],
      readinessProbe: { httpGet: { path: "/healthz", port, scheme: "HTTP" }, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
      terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File", imagePullPolicy: "IfNotPresent",
    })),
    restartPolicy: "Always", terminationGracePeriodSeconds: 30, dnsPolicy: "ClusterFirst", serviceAccountName: "default", serviceAccount: "default", nodeName: `node-${n % 100}`, securityContext: {},
    schedulerName: "default-scheduler",
    tolerations: ["not-ready", "unreachable"].map((state) => ({ key: `node.kubernetes.io/${state}`, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 })),
    priority: 0, enableServiceLinks: true, preemptionPolicy: "PreemptLowerPriority",
  };
}

function status(n: number, ip: string): unknown {
  return {
    observedGeneration: 1, phase: "Running",
    conditions: ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) =>
      ({ type, observedGeneration: 1, status: "True", lastProbeTime: null, lastTransitionTime: "2026-11-15T13:35:48Z" })),
    hostIP: "172.18.0.5", hostIPs: [{ ip: "172.18.0.5" }], podIP: ip, podIPs: [{ ip }], startTime: created,
    containerStatuses: containers.map(({ name }, index) => ({
      name, state: { running: { startedAt: "2026-11-15T13:35:47Z" } }, lastState: {}, ready: true, restartCount: 0, image: `registry.example.com/shop/${name}:1.27.3`,
      imageID: `registry.example.com/shop/${name}@sha256:${hex(index + 1, 64)}`, containerID: `containerd://${hex(n * 2 + index, 64)}`, started: true,
    })),
    qosClass: "Burstable",
  };
}

function managedFields(ownerUid: string, ip: string): unknown {
  const entry = (manager: string, fieldsV1: unknown, subresource?: string): unknown =>
    ({ manager, operation: "Update", apiVersion: "v1", time: created, fieldsType: "FieldsV1", fieldsV1, ...(subresource === undefined ? {} : { subresource }) });
  const owned = (...names: string[]): Record<string, unknown> => Object.fromEntries([".", ...names.map((name) => `f:${name}`)].map((name) => [name, {}]));
  const container = ({ name, port, env }: Container): [string, unknown] => [`k:{"name":"${name}"}`, {
    ".": {}, "f:env": { ".": {}, ...Object.fromEntries(env.map((key) => [`k:{"name":"${key}"}`, owned("name", "value")])) }, "f:image": {}, "f:imagePullPolicy": {}, "f:name": {},
    "f:ports": { ".": {}, [`k:{"containerPort":${port},"protocol":"TCP"}`]: owned("containerPort", "name", "protocol") },
    "f:readinessProbe": { ...owned("failureThreshold"), "f:httpGet": owned("path", "port", "scheme"), "f:periodSeconds": {}, "f:successThreshold": {}, "f:timeoutSeconds": {} },
    "f:resources": { ".": {}, "f:limits": owned("cpu", "memory"), "f:requests": owned("cpu", "memory") }, "f:terminationMessagePath": {}, "f:terminationMessagePolicy": {},
  }];
  const condition = (type: string): [string, unknown] => [`k:{"type":"${type}"}`, owned("lastProbeTime", "lastTransitionTime", "status", "type")];
  return [
    entry("kube-controller-manager", {
      "f:metadata": {
        "f:annotations": owned("prometheus.io/port", "prometheus.io/scrape", "shop.example.com/settings"), "f:generateName": {}, "f:labels": owned("app", "app.kubernetes.io/name", "pod-template-hash"),
        "f:ownerReferences": { ".": {}, [`k:{"uid":"${ownerUid}"}`]: {} },
      },
      "f:spec": {
        "f:containers": Object.fromEntries(containers.map(container)), "f:dnsPolicy": {}, "f:enableServiceLinks": {}, "f:restartPolicy": {}, "f:schedulerName": {}, "f:securityContext": {},
        "f:terminationGracePeriodSeconds": {},
      },
    }),
    entry("kubelet", {
      "f:status": {
        "f:conditions": Object.fromEntries(["ContainersReady", "Initialized", "Ready"].map(condition)), "f:containerStatuses": {}, "f:hostIP": {}, "f:phase": {}, "f:podIP": {},
        "f:podIPs": { ".": {}, [`k:{"ip":"${ip}"}`]: owned("ip") }, "f:startTime": {},
      },
    }, "status"),
  ];
}

/** Digits that look random and are always the same. */
function hex(seed: number, length: number): string {
  let state = seed + 0x9e3779b9;
  let digits = "";
  while (digits.length < length) {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
    digits += ((state ^ (state >>> 13)) >>> 0).toString(16).padStart(8, "0");
  }
  return digits.slice(0, length);
}

function uid(n: number, salt: number): string {
  const digits = hex(n * 131 + salt, 32);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}
