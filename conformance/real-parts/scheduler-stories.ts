/** Situations in which a pod needs a node, as data: kube-scheduler and ours must come to the same result. */
import type { Namespace, Node, PersistentVolumeClaim, Pod, PodSpec, PodStatus } from "@drover/api/core/v1";
import type { PodDisruptionBudget } from "@drover/api/policy/v1";

export interface SchedulingStory {
  readonly nodes: readonly StoryNode[];
  /** Existing pods. @default none */
  readonly placed?: readonly StoryPod[];
  /** Namespaces besides "default", which has none of these labels. @default none */
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly budgets?: readonly PodDisruptionBudget[];
  /** The pod to schedule. */
  readonly pod: StoryPod;
}

export interface StoryNode {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Node["spec"];
  readonly allocatable?: Readonly<Record<string, string>>;
}

export interface StoryPod {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
  readonly ports?: readonly number[];
  /** The value of its priority class. */
  readonly priority?: number;
  readonly spec?: Partial<PodSpec>;
  readonly status?: PodStatus;
}

export const priorities: Readonly<Record<number, string>> = { [-10]: "tiny", 10: "low", 100: "high", 1000: "top" };

const zones = (...names: readonly string[]): readonly StoryNode[] =>
  names.map((zone, index) => ({ name: `${zone}-${index}`, labels: { zone } }));
const app = (value: string): { readonly matchLabels: Record<string, string> } => ({ matchLabels: { app: value } });
const on = (node: string, name: string, more: Partial<StoryPod> = {}): StoryPod => ({
  name,
  ...more,
  spec: { nodeName: node, ...more.spec },
});
const near = (topologyKey: string, value: string, more: object = {}): NonNullable<PodSpec["affinity"]> => ({
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: app(value), ...more }] },
});
const apart = (topologyKey: string, value: string, more: object = {}): NonNullable<PodSpec["affinity"]> => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: app(value), ...more }] },
});
const spread = (
  more: Partial<NonNullable<PodSpec["topologySpreadConstraints"]>[number]> = {},
): NonNullable<PodSpec["topologySpreadConstraints"]> => [
  { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: app("web"), ...more },
];
const web = (node: string, name: string): StoryPod => on(node, name, { labels: { app: "web" } });
const started = (second: number): PodStatus => ({ startTime: `2026-01-01T00:00:${String(second).padStart(2, "0")}Z` });

export const schedulingStories: Readonly<Record<string, SchedulingStory>> = {
  "too little of one thing, a cordon and a taint": {
    nodes: [
      { name: "a" },
      { name: "b", spec: { unschedulable: true } },
      { name: "c", spec: { taints: [{ key: "k", value: "v", effect: "NoSchedule" }] } },
    ],
    pod: { name: "p", requests: { cpu: "3" } },
  },
  "too little of everything": {
    nodes: [{ name: "a", allocatable: { pods: "1" } }],
    placed: [on("a", "old", { requests: { cpu: "1500m", memory: "3Gi" } })],
    pod: { name: "p", requests: { cpu: "1", memory: "2Gi" } },
  },
  "an extended resource that nobody has": {
    nodes: [{ name: "a" }],
    pod: {
      name: "p",
      spec: {
        containers: [{ name: "a", image: "a", resources: { requests: { "example.com/gpu": "1" }, limits: { "example.com/gpu": "1" } } }],
      },
    },
  },
  "a node selector": {
    nodes: [{ name: "a" }, { name: "b", labels: { disk: "hdd" } }],
    pod: { name: "p", spec: { nodeSelector: { disk: "ssd" } } },
  },
  "a node by its name, full": {
    nodes: [{ name: "a", allocatable: { pods: "0" } }, { name: "b" }, { name: "c" }],
    pod: {
      name: "p",
      spec: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["a"] }] }],
            },
          },
        },
      },
    },
  },
  "two nodes at once": {
    nodes: [{ name: "a" }, { name: "b" }],
    pod: {
      name: "p",
      spec: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                {
                  matchFields: [
                    { key: "metadata.name", operator: "In", values: ["a"] },
                    { key: "metadata.name", operator: "In", values: ["b"] },
                  ],
                },
              ],
            },
          },
        },
      },
    },
  },
  "a port that somebody has": { nodes: [{ name: "a" }], placed: [on("a", "old", { ports: [80] })], pod: { name: "p", ports: [80] } },
  "an affinity nobody meets": {
    nodes: zones("x", "y"),
    placed: [web("x-0", "w")],
    pod: { name: "p", spec: { affinity: near("zone", "db") } },
  },
  "an affinity in a zone": {
    nodes: zones("x", "y", "y"),
    placed: [web("y-1", "w")],
    pod: {
      name: "p",
      requests: { cpu: "100m" },
      spec: { affinity: { ...near("zone", "web"), ...apart("kubernetes.io/hostname", "web") } },
    },
  },
  "the first of those that want to be together": {
    nodes: [{ name: "a", labels: { zone: "x" } }, { name: "b" }],
    pod: { name: "p", labels: { app: "web" }, spec: { affinity: near("zone", "web") } },
  },
  "an affinity over namespaces by label": {
    nodes: zones("x", "y"),
    namespaces: { other: { team: "red" }, third: {} },
    placed: [
      { ...web("x-0", "w"), namespace: "third" },
      { ...web("y-1", "w"), namespace: "other" },
    ],
    pod: { name: "p", spec: { affinity: near("zone", "web", { namespaceSelector: { matchLabels: { team: "red" } } }) } },
  },
  "an affinity over namespaces by name": {
    nodes: zones("x", "y"),
    namespaces: { other: {} },
    placed: [web("x-0", "w"), { ...web("y-1", "w"), namespace: "other" }],
    pod: { name: "p", spec: { affinity: near("zone", "web", { namespaces: ["other"] }) } },
  },
  "an anti-affinity of its own": {
    nodes: zones("x", "y"),
    placed: [web("x-0", "w")],
    pod: { name: "p", spec: { affinity: apart("zone", "web") } },
  },
  "anti-affinities everywhere": {
    nodes: zones("x", "y"),
    placed: [web("x-0", "w"), on("y-1", "loner", { spec: { affinity: apart("zone", "web") } })],
    pod: { name: "p", labels: { app: "web" }, spec: { affinity: apart("kubernetes.io/hostname", "web") } },
  },
  "one of two terms of affinity in another place": {
    nodes: zones("x", "y"),
    placed: [web("x-0", "w"), on("y-1", "db", { labels: { app: "db" } })],
    pod: {
      name: "p",
      spec: {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: "zone", labelSelector: app("web") },
              { topologyKey: "zone", labelSelector: app("db") },
            ],
          },
        },
      },
    },
  },
  "company it would like": {
    nodes: zones("x", "y", "z"),
    placed: [web("y-1", "w")],
    pod: {
      name: "p",
      spec: {
        affinity: {
          podAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 100, podAffinityTerm: { topologyKey: "zone", labelSelector: app("web") } },
            ],
          },
        },
      },
    },
  },
  "company it would not like": {
    nodes: zones("x", "y", "z"),
    placed: [web("x-0", "w"), web("z-2", "v")],
    pod: {
      name: "p",
      spec: {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 100, podAffinityTerm: { topologyKey: "zone", labelSelector: app("web") } },
            ],
          },
        },
      },
    },
  },
  "company that would like it": {
    nodes: zones("x", "y"),
    placed: [
      on("y-1", "fan", {
        spec: {
          affinity: {
            podAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 50, podAffinityTerm: { topologyKey: "zone", labelSelector: app("web") } },
              ],
            },
          },
        },
      }),
    ],
    pod: { name: "p", labels: { app: "web" } },
  },
  "a spread that leaves one zone": {
    nodes: zones("x", "y", "z"),
    placed: [web("x-0", "a"), web("x-0", "b"), web("y-1", "c")],
    pod: { name: "p", labels: { app: "web" }, spec: { topologySpreadConstraints: spread() } },
  },
  "a spread that cannot be": {
    nodes: [...zones("x"), { name: "bare" }, ...zones("y").map((node) => ({ ...node, spec: { unschedulable: true } }))],
    placed: [web("x-0", "a")],
    pod: { name: "p", labels: { app: "web" }, spec: { topologySpreadConstraints: spread() } },
  },
  "a spread that leaves out nodes with taints": {
    nodes: [...zones("x"), ...zones("y").map((node) => ({ ...node, spec: { taints: [{ key: "k", effect: "NoSchedule" as const }] } }))],
    placed: [web("x-0", "a")],
    pod: { name: "p", labels: { app: "web" }, spec: { topologySpreadConstraints: spread({ nodeTaintsPolicy: "Honor" }) } },
  },
  "a spread over too few domains": {
    nodes: zones("x", "y"),
    placed: [web("x-0", "a"), web("y-1", "b")],
    pod: { name: "p", labels: { app: "web" }, spec: { topologySpreadConstraints: spread({ minDomains: 3 }) } },
  },
  "a spread over the nodes it selects": {
    nodes: zones("x", "y"),
    placed: [web("x-0", "a")],
    pod: { name: "p", labels: { app: "web" }, spec: { nodeSelector: { zone: "x" }, topologySpreadConstraints: spread() } },
  },
  "a spread over all nodes, though it selects some": {
    nodes: zones("x", "y"),
    placed: [web("x-0", "a")],
    pod: {
      name: "p",
      labels: { app: "web" },
      spec: { nodeSelector: { zone: "x" }, topologySpreadConstraints: spread({ nodeAffinityPolicy: "Ignore" }) },
    },
  },
  "a spread among those of its version": {
    nodes: zones("x", "y"),
    placed: [
      on("x-0", "a", { labels: { app: "web", v: "1" } }),
      on("x-0", "b", { labels: { app: "web", v: "1" } }),
      on("y-1", "c", { labels: { app: "web", v: "2" } }),
    ],
    pod: { name: "p", labels: { app: "web", v: "2" }, spec: { topologySpreadConstraints: spread({ matchLabelKeys: ["v"] }) } },
  },
  "a spread it would like": {
    nodes: zones("x", "y", "z"),
    placed: [web("x-0", "a"), web("x-0", "b"), web("z-2", "c")],
    pod: { name: "p", labels: { app: "web" }, spec: { topologySpreadConstraints: spread({ whenUnsatisfiable: "ScheduleAnyway" }) } },
  },
  "nodes it would like, and one it would not": {
    nodes: [
      { name: "a", labels: { size: "1" } },
      { name: "b", labels: { size: "2" } },
      { name: "c", labels: { size: "2" }, spec: { taints: [{ key: "k", effect: "PreferNoSchedule" }] } },
    ],
    pod: {
      name: "p",
      spec: {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 100, preference: { matchExpressions: [{ key: "size", operator: "Gt", values: ["1"] }] } },
            ],
          },
        },
      },
    },
  },
  "a claim that is not there": {
    nodes: [{ name: "a" }],
    pod: { name: "p", spec: { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] } },
  },
  "a claim without a volume": {
    nodes: [{ name: "a" }],
    claims: [
      {
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: "1Gi" } } },
      },
    ],
    pod: { name: "p", spec: { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] } },
  },
  "a volume of its own that nobody has claimed": {
    nodes: [{ name: "a" }],
    pod: {
      name: "p",
      spec: {
        volumes: [
          {
            name: "v",
            ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } } },
          },
        ],
      },
    },
  },
  "one that may send nobody away": {
    nodes: [{ name: "a" }],
    placed: [on("a", "old", { requests: { cpu: "2" } })],
    pod: { name: "p", priority: 1000, requests: { cpu: "1" }, spec: { preemptionPolicy: "Never" } },
  },
  "one that must not matter less": {
    nodes: [{ name: "a" }, { name: "b", spec: { unschedulable: true } }],
    placed: [on("a", "old", { requests: { cpu: "2" }, priority: 100 })],
    pod: { name: "p", priority: 100, requests: { cpu: "1" } },
  },
  "one that would not fit if all left": {
    nodes: [{ name: "a" }],
    placed: [on("a", "large", { requests: { cpu: "1500m" }, priority: 1000 }), on("a", "small", { requests: { cpu: "200m" } })],
    pod: { name: "p", priority: 100, requests: { cpu: "1" } },
  },
  "the fewest have to go": {
    nodes: [{ name: "a" }],
    placed: [
      on("a", "half", { requests: { cpu: "1" }, status: started(1) }),
      on("a", "third", { requests: { cpu: "700m" }, status: started(2) }),
      on("a", "tenth", { requests: { cpu: "200m" }, status: started(3) }),
    ],
    pod: { name: "p", priority: 100, requests: { cpu: "600m" } },
  },
  "those that matter least have to go": {
    nodes: [{ name: "a" }],
    placed: [on("a", "ten", { requests: { cpu: "1" }, priority: 10 }), on("a", "none", { requests: { cpu: "1" } })],
    pod: { name: "p", priority: 100, requests: { cpu: "1" } },
  },
  "those that came last have to go": {
    nodes: [{ name: "a" }],
    placed: [
      on("a", "first", { requests: { cpu: "1" }, status: started(1) }),
      on("a", "last", { requests: { cpu: "1" }, status: started(9) }),
    ],
    pod: { name: "p", priority: 100, requests: { cpu: "1" } },
  },
  "the node where the least is lost": {
    nodes: [{ name: "a" }, { name: "b" }, { name: "c" }],
    placed: [
      on("a", "a1", { requests: { cpu: "2" }, priority: 10 }),
      on("b", "b1", { requests: { cpu: "1" } }),
      on("b", "b2", { requests: { cpu: "1" } }),
      on("c", "c1", { requests: { cpu: "2" } }),
    ],
    pod: { name: "p", priority: 100, requests: { cpu: "2" } },
  },
  "the node where no budget is broken": {
    nodes: [{ name: "a" }, { name: "b" }],
    placed: [
      on("a", "a1", { requests: { cpu: "2" }, labels: { app: "db" }, priority: -10 }),
      on("b", "b1", { requests: { cpu: "2" }, priority: 10 }),
    ],
    budgets: [{ metadata: { name: "db" }, spec: { minAvailable: 1, selector: app("db") } }],
    pod: { name: "p", priority: 100, requests: { cpu: "1" } },
  },
  "who stands in the way of an anti-affinity": {
    nodes: zones("x"),
    placed: [web("x-0", "w"), on("x-0", "bystander")],
    pod: { name: "p", priority: 100, spec: { affinity: apart("zone", "web") } },
  },
  "who stands in the way of a spread": {
    nodes: zones("x", "y").map((node, index) => (index === 0 ? node : { ...node, spec: { unschedulable: true } })),
    placed: [web("x-0", "w"), on("x-0", "bystander")],
    pod: { name: "p", priority: 100, labels: { app: "web" }, spec: { topologySpreadConstraints: spread() } },
  },
};

/** The objects that are sent to the server. */
export function storyNode({ name, labels = {}, spec = {} }: StoryNode): Node {
  return { metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } }, spec };
}

export function storyPod({ name, namespace = "default", labels = {}, requests = {}, ports = [], priority, spec = {} }: StoryPod): Pod {
  const className = priority === undefined ? undefined : priorities[priority];
  const priorityClassName = className !== undefined && spec.preemptionPolicy === "Never" ? `${className}-peaceful` : className;
  return {
    metadata: { name, namespace, labels: { ...labels } },
    spec: {
      containers: [
        {
          name: "a",
          image: "a",
          resources: { requests: { ...requests } },
          ports: ports.map((port) => ({ containerPort: port, hostPort: port })),
        },
      ],
      automountServiceAccountToken: false,
      tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists" }],
      ...(priorityClassName === undefined ? {} : { priorityClassName }),
      ...spec,
    },
  };
}

export const storyNamespace = (name: string, labels: Readonly<Record<string, string>>): Namespace => ({
  metadata: { name, labels: { ...labels } },
});
