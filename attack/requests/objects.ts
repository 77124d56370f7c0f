/** Objects that a server accepts, and the paths to write them to: what the grammar starts from. */
import { hostileNamespace } from "./hostile-request.ts";

export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Of the collection. */
  readonly path: string;
  /** Everything but apiVersion, kind and metadata. */
  readonly body: Readonly<Record<string, unknown>>;
  /** A review is answered and not stored: it has no name. @default false */
  readonly isReview?: boolean;
}

const inNamespace = (prefix: string, resource: string): string => `${prefix}/namespaces/${hostileNamespace}/${resource}`;
const labels = { app: "hostile" };
const podSpec = {
  containers: [
    { name: "c", image: "i", ports: [{ containerPort: 80 }], env: [{ name: "A", value: "$(B)" }], resources: { limits: { cpu: "1" } } },
  ],
  terminationGracePeriodSeconds: 0,
};
const template = { metadata: { labels }, spec: podSpec };

const core: readonly Subject[] = [
  { kind: "ConfigMap", path: "configmaps", body: { data: { k: "v" }, binaryData: { b: "AAE=" }, immutable: false } },
  { kind: "Secret", path: "secrets", body: { type: "Opaque", stringData: { k: "v" }, data: { d: "dg==" } } },
  { kind: "Pod", path: "pods", body: { spec: podSpec } },
  { kind: "Service", path: "services", body: { spec: { selector: labels, ports: [{ port: 80, targetPort: "http", protocol: "TCP" }] } } },
  { kind: "ServiceAccount", path: "serviceaccounts", body: { automountServiceAccountToken: false, secrets: [{ name: "a" }] } },
  {
    kind: "PersistentVolumeClaim",
    path: "persistentvolumeclaims",
    body: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  },
  {
    kind: "Event",
    path: "events",
    body: { involvedObject: { namespace: hostileNamespace, name: "a" }, reason: "R", message: "m", type: "Normal" },
  },
  { kind: "ReplicationController", path: "replicationcontrollers", body: { spec: { replicas: 1, selector: labels, template } } },
].map((each) => ({ ...each, apiVersion: "v1", path: inNamespace("/api/v1", each.path) }));

const groups: readonly Subject[] = [
  {
    group: "apps/v1",
    kind: "Deployment",
    resource: "deployments",
    body: { spec: { replicas: 1, selector: { matchLabels: labels }, template } },
  },
  {
    group: "apps/v1",
    kind: "StatefulSet",
    resource: "statefulsets",
    body: { spec: { replicas: 1, serviceName: "s", selector: { matchLabels: labels }, template } },
  },
  { group: "apps/v1", kind: "DaemonSet", resource: "daemonsets", body: { spec: { selector: { matchLabels: labels }, template } } },
  {
    group: "batch/v1",
    kind: "Job",
    resource: "jobs",
    body: { spec: { completions: 1, template: { spec: { ...podSpec, restartPolicy: "Never" } } } },
  },
  {
    group: "batch/v1",
    kind: "CronJob",
    resource: "cronjobs",
    body: { spec: { schedule: "0 0 1 1 *", jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } } } } } },
  },
  {
    group: "coordination.k8s.io/v1",
    kind: "Lease",
    resource: "leases",
    body: { spec: { holderIdentity: "h", leaseDurationSeconds: 15, renewTime: "2024-01-01T00:00:00.000000Z" } },
  },
  {
    group: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    resource: "networkpolicies",
    body: { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }] }] } },
  },
  {
    group: "networking.k8s.io/v1",
    kind: "Ingress",
    resource: "ingresses",
    body: {
      spec: {
        rules: [
          { host: "a.b", http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }] } },
        ],
      },
    },
  },
  {
    group: "policy/v1",
    kind: "PodDisruptionBudget",
    resource: "poddisruptionbudgets",
    body: { spec: { minAvailable: "50%", selector: { matchLabels: labels } } },
  },
  {
    group: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    resource: "horizontalpodautoscalers",
    body: { spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "h0" }, minReplicas: 1, maxReplicas: 2 } },
  },
  {
    group: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    resource: "roles",
    body: { rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }] },
  },
  {
    group: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    resource: "rolebindings",
    body: {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "h0" },
      subjects: [{ kind: "ServiceAccount", name: "default", namespace: hostileNamespace }],
    },
  },
  {
    group: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    resource: "endpointslices",
    body: { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.1"] }], ports: [{ port: 80 }] },
  },
  {
    group: "hostile.example/v1",
    kind: "Thing",
    resource: "things",
    body: { spec: { name: "a", count: 1, tags: ["a"], labels: { a: "b" }, parts: [{ name: "a", size: 1 }] } },
  },
].map(({ group, kind, resource, body }) => ({ apiVersion: group, kind, path: inNamespace(`/apis/${group}`, resource), body }));

const reviews: readonly Subject[] = [
  {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: { spec: { resourceAttributes: { verb: "get", resource: "pods", namespace: "a" } } },
  },
  {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    body: { spec: { user: "a", groups: ["g"], extra: { k: ["v"] }, nonResourceAttributes: { path: "/a", verb: "get" } } },
  },
  {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectRulesReview",
    path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
    body: { spec: { namespace: hostileNamespace } },
  },
  {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenReview",
    path: "/apis/authentication.k8s.io/v1/tokenreviews",
    body: { spec: { token: "e30.e30.AAAA", audiences: ["a"] } },
  },
  {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    path: `/api/v1/namespaces/${hostileNamespace}/serviceaccounts/default/token`,
    body: { spec: { audiences: ["a"], expirationSeconds: 600 } },
  },
  {
    apiVersion: "policy/v1",
    kind: "Eviction",
    path: `/api/v1/namespaces/${hostileNamespace}/pods/h0/eviction`,
    body: { metadata: { name: "h0" }, deleteOptions: { gracePeriodSeconds: 0 } },
  },
  {
    apiVersion: "v1",
    kind: "Binding",
    path: `/api/v1/namespaces/${hostileNamespace}/pods/h0/binding`,
    body: { metadata: { name: "h0" }, target: { kind: "Node", name: "node-1" } },
  },
].map((each) => ({ ...each, isReview: true }));

export const subjects: readonly Subject[] = [...core, ...groups, ...reviews];

/** The CRD of the kind Thing, which has rules, defaults, lists with keys and a printer column. */
export const thingDefinition: object = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.hostile.example" },
  spec: {
    group: "hostile.example",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: ".spec.count", statusReplicasPath: ".status.count" } },
        additionalPrinterColumns: [{ name: "Names", type: "string", jsonPath: ".spec.parts[*].name" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                "x-kubernetes-validations": [
                  { rule: "self.count < 100 || self.name.matches('^[a-z]+$')", messageExpression: "'no ' + self.name" },
                ],
                properties: {
                  name: { type: "string", maxLength: 100, default: "a", pattern: "^(a|b|[a-z0-9])*$" },
                  count: { type: "integer", default: 1 },
                  ratio: { type: "number" },
                  port: { "x-kubernetes-int-or-string": true },
                  tags: { type: "array", maxItems: 100, items: { type: "string", maxLength: 50 }, "x-kubernetes-list-type": "set" },
                  labels: { type: "object", maxProperties: 50, additionalProperties: { type: "string", maxLength: 50 } },
                  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                  parts: {
                    type: "array",
                    maxItems: 100,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    items: {
                      type: "object",
                      required: ["name"],
                      properties: { name: { type: "string", maxLength: 50 }, size: { type: "integer", default: 1 } },
                    },
                  },
                },
              },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};
