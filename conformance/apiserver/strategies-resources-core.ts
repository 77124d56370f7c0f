/** Kinds of the core group, and of storage, valid and invalid. */
import { casesOf } from "./strategies-resources-case.ts";
import type { ResourceCase } from "./strategies-resources-case.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const large = "x".repeat(1024 * 1024);
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

export const coreCases: readonly ResourceCase[] = [
  ...casesOf("/v1/ConfigMap", [
    ["holds texts and bytes", { data: { a: "b" }, binaryData: { c: base64("d") } }],
    ["refuses bad keys", { data: { "a b": "c", "..": "d" }, binaryData: { "/": "" } }],
    ["refuses a key in both", { data: { a: "b" }, binaryData: { a: base64("c") } }],
    ["refuses more than it can hold", { data: { a: large, b: "x" } }],
    [
      "refuses to change when it is immutable",
      { immutable: true, data: { a: "b" } },
      { immutable: false, data: { a: "c" }, binaryData: { b: base64("d") } },
    ],
    ["lets its labels change when it is immutable", { immutable: true, data: { a: "b" } }, { metadata: { labels: { a: "b" } } }],
  ]),
  ...casesOf("/v1/Secret", [
    ["folds texts into its data", { data: { a: base64("b"), c: base64("d") }, stringData: { a: "new", e: "ü" } }],
    ["refuses bad keys", { data: { "a b": "" } }],
    ["refuses more than it can hold", { stringData: { a: large, b: "x" } }],
    ["needs what its type needs: basic auth", { type: "kubernetes.io/basic-auth" }],
    ["is content with one of two: basic auth", { type: "kubernetes.io/basic-auth", stringData: { password: "p" } }],
    ["needs what its type needs: ssh", { type: "kubernetes.io/ssh-auth" }],
    ["needs what its type needs: tls", { type: "kubernetes.io/tls" }],
    ["needs what its type needs: dockercfg", { type: "kubernetes.io/dockercfg" }],
    ["needs JSON where its type says so", { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "{bad" } }],
    ["needs an object where its type says so", { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "[]" } }],
    ["needs JSON that is there", { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "" } }],
    ["takes JSON where its type says so", { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "{}" } }],
    ["needs an account for a token", { type: "kubernetes.io/service-account-token" }],
    ["refuses to change its type", {}, { type: "example.com/other" }],
    ["keeps its type when none is sent", { type: "example.com/other" }, { type: null }],
    [
      "refuses to change when it is immutable",
      { immutable: true, data: { a: base64("b") } },
      { immutable: null, data: { a: base64("c") } },
    ],
  ]),
  ...casesOf("/v1/ServiceAccount", [
    ["keeps the names of its secrets alone", { secrets: [{ name: "a", kind: "Secret", namespace: "b" }] }],
  ]),
  ...casesOf("/v1/Namespace", [
    ["is active and has a finalizer", {}],
    ["keeps the finalizers it names", { spec: { finalizers: ["example.com/a"] } }],
    ["refuses bad finalizers", { spec: { finalizers: ["a", "a b"] } }],
    ["refuses to change its finalizers", {}, { spec: { finalizers: [] } }],
    ["refuses another phase", {}, { status: { phase: "Terminating" } }, "status"],
    ["refuses bad finalizers at finalize", {}, { spec: { finalizers: ["a"] } }, "finalize"],
    [
      "takes finalizers at finalize",
      {},
      { spec: { finalizers: ["example.com/a", "kubernetes"] }, status: { phase: "Terminating" } },
      "finalize",
    ],
  ]),
  ...casesOf("/v1/Node", [
    [
      "refuses bad taints",
      {
        spec: {
          taints: [
            { key: "a b", value: "c d", effect: "Zed" },
            { key: "a", effect: "" },
            { key: "b", effect: "NoSchedule" },
            { key: "b", value: "c", effect: "NoSchedule" },
          ],
        },
      },
    ],
    ["refuses bad amounts", { status: { capacity: { cpu: "-1", pods: "1.5" }, allocatable: { "example.com/gpu": "500m" } } }],
    ["refuses bad blocks for pods", { spec: { podCIDR: "10.0.0.1/24", podCIDRs: ["10.0.0.1/24", "10.1.0.0/24"] } }],
    [
      "refuses to change its blocks for pods",
      { spec: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24"] } },
      { spec: { podCIDR: "10.1.0.0/24", podCIDRs: ["10.1.0.0/24"] } },
    ],
    ["refuses to change who provides it", { spec: { providerID: "a" } }, { spec: { providerID: "b" } }],
    [
      "refuses an address twice",
      {},
      {
        status: {
          addresses: [
            { type: "Hostname", address: "a" },
            { type: "Hostname", address: "a" },
          ],
        },
      },
      "status",
    ],
  ]),
  ...casesOf("/v1/Endpoints", [
    [
      "refuses bad addresses",
      {
        subsets: [
          {
            addresses: [{ ip: "127.0.0.1", hostname: "A_", nodeName: "A_" }, { ip: "x" }],
            ports: [{ port: 0 }, { port: 80, name: "A_", protocol: "zed", appProtocol: "a b" }],
          },
          {},
        ],
      },
    ],
    ["keeps what is unchanged", {}, { metadata: { labels: { a: "b" } } }],
  ]),
  ...casesOf("/v1/Event", [
    ["refuses to be about another namespace", { involvedObject: { namespace: "other" } }],
    ["needs more when it has a time", { eventTime: "2024-01-02T03:04:05.000006Z", action: "a".repeat(129), message: "m".repeat(1025) }],
  ]),
  ...casesOf("events.k8s.io/v1/Event", [
    ["is taken", {}],
    [
      "refuses what is left from the older group",
      { deprecatedCount: 1, deprecatedFirstTimestamp: "2024-01-02T03:04:05Z", deprecatedSource: { component: "c" }, type: "Zed" },
    ],
    ["needs a time", { eventTime: null }],
    ["refuses a short series", { series: { count: 1, lastObservedTime: "2024-01-02T03:04:05.000006Z" } }],
    [
      "refuses to change",
      {},
      {
        regarding: { name: "n" },
        note: "new",
        reason: "new",
        type: "Warning",
        action: "new",
        reportingController: "new",
        reportingInstance: "new",
        related: { name: "n" },
      },
    ],
    ["takes a series later", {}, { series: { count: 2, lastObservedTime: "2024-01-02T03:04:05.000006Z" } }],
  ]),
  ...casesOf("/v1/LimitRange", [
    ["refuses bad types", { spec: { limits: [{ type: "Zed" }, { type: "a b" }, { type: "Pod" }, { type: "Pod" }] } }],
    [
      "refuses bad bounds",
      {
        spec: {
          limits: [
            {
              type: "Container",
              min: { cpu: "2", "example.com/gpu": "1" },
              max: { cpu: "1", zed: "1" },
              default: { cpu: "3", "example.com/gpu": "2" },
              defaultRequest: { cpu: "4", "example.com/gpu": "1" },
              maxLimitRequestRatio: { cpu: "500m" },
            },
          ],
        },
      },
    ],
    [
      "refuses defaults for pods",
      {
        spec: {
          limits: [
            {
              type: "Pod",
              default: { cpu: "1" },
              defaultRequest: { cpu: "1" },
              max: { cpu: "4" },
              min: { cpu: "2" },
              maxLimitRequestRatio: { cpu: "3" },
            },
          ],
        },
      },
    ],
    ["needs storage for claims", { spec: { limits: [{ type: "PersistentVolumeClaim", max: { cpu: "1" } }] } }],
  ]),
  ...casesOf("/v1/ResourceQuota", [
    [
      "refuses bad names and amounts",
      { spec: { hard: { zed: "1", "a b": "1", pods: "1.5", cpu: "-1", "count/pods": "1", storage: "1" } } },
    ],
    ["refuses bad scopes", { spec: { hard: { services: "1" }, scopes: ["Zed", "BestEffort", "NotBestEffort"] } }],
    [
      "refuses bad selectors of scopes",
      {
        spec: {
          hard: { services: "1" },
          scopeSelector: {
            matchExpressions: [
              { scopeName: "PriorityClass", operator: "In" },
              { scopeName: "BestEffort", operator: "In", values: ["a"] },
              { scopeName: "Zed", operator: "Zed" },
              { scopeName: "Terminating", operator: "Exists", values: ["a"] },
            ],
          },
        },
      },
    ],
    ["refuses to change its scopes", { spec: { scopes: ["BestEffort"] } }, { spec: { scopes: ["NotBestEffort"] } }],
    ["takes what is used", { spec: { hard: { pods: "1" } } }, { status: { hard: { pods: "1" }, used: { pods: "0", zed: "1" } } }, "status"],
  ]),
  ...casesOf("/v1/PersistentVolume", [
    ["is pending", {}],
    ["needs a source, a size and a mode", { spec: { hostPath: null, capacity: null, accessModes: null } }],
    ["refuses two sources", { spec: { nfs: { server: "s", path: "/p" }, local: { path: "/l" } } }],
    [
      "refuses bad values",
      {
        spec: {
          accessModes: ["Zed", "ReadWriteOncePod", "ReadWriteOnce"],
          capacity: { storage: "-1", cpu: "1" },
          persistentVolumeReclaimPolicy: "Zed",
          volumeMode: "Zed",
          storageClassName: "A_",
        },
      },
    ],
    ["refuses to wipe the root", { spec: { hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" } }],
    ["needs a node for a local disk", { spec: { hostPath: null, local: { path: "../a" } } }],
    ["refuses a bad driver", { spec: { hostPath: null, csi: { driver: "", volumeHandle: "", nodePublishSecretRef: {} } } }],
    ["refuses a class of attributes without a driver", { spec: { volumeAttributesClassName: "" } }],
    ["refuses to change how it is used", {}, { spec: { volumeMode: "Block" } }],
    ["takes another phase", {}, { status: { phase: "Available", lastPhaseTransitionTime: null } }, "status"],
  ]),
  ...casesOf("/v1/PersistentVolumeClaim", [
    ["is taken", {}],
    ["needs a mode and a size", { spec: { accessModes: null, resources: null } }],
    [
      "refuses bad values",
      {
        spec: {
          accessModes: ["Zed"],
          resources: { requests: { storage: "-1" } },
          volumeMode: "Zed",
          storageClassName: "A_",
          selector: { matchLabels: { "a b": "c" } },
        },
      },
    ],
    ["names its source twice", { spec: { dataSource: { kind: "PersistentVolumeClaim", name: "a" } } }],
    ["names its source in the older way too", { spec: { dataSourceRef: { apiGroup: "example.com", kind: "Thing", name: "a" } } }],
    ["loses a source it cannot have", { spec: { dataSource: { apiGroup: "example.com", kind: "Thing", name: "a" } } }],
    [
      "refuses sources that disagree",
      { spec: { dataSource: { kind: "PersistentVolumeClaim", name: "a" }, dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" } } },
    ],
    [
      "refuses to change",
      { spec: { ...claim, storageClassName: "a" } },
      { spec: { storageClassName: "b", accessModes: ["ReadOnlyMany"] } },
    ],
    ["refuses to change how it is used", {}, { spec: { volumeMode: "Block" } }],
    ["refuses to grow before it is bound", {}, { spec: { resources: { requests: { storage: "2Gi" } } } }],
    ["takes a class that it did not have", { spec: { ...claim } }, { spec: { storageClassName: "b" } }],
    ["takes a volume", {}, { spec: { volumeName: "v" } }],
    [
      "refuses a bad status",
      {},
      { status: { capacity: { storage: "-1" }, allocatedResourceStatuses: { cpu: "Zed" }, allocatedResources: { cpu: "1" } } },
      "status",
    ],
  ]),
];
