/** Changes of existing pods and workloads, valid and invalid, for `strategies-workloads.test.ts`. */
import type { JsonObject } from "@drover/machinery";
import { containerWith, podWith } from "./workload-cases.ts";

/** An object, and the changes to try. */
export interface UpdateGroup {
  readonly start: JsonObject;
  /** The subresource the change is sent to. @default the object itself */
  readonly subresource?: string;
  /** The status that its controller or kubelet wrote before. @default none */
  readonly status?: JsonObject;
  /** Each changes the object it is given. */
  readonly changes: Readonly<Record<string, (object: JsonObject) => void>>;
}

/** Sets a field by its path; undefined removes it. */
const set =
  (path: string, value: unknown) =>
  (object: JsonObject): void => {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let at = object as Record<string, unknown>;
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
    if (value === undefined) delete at[last];
    else at[last] = value;
  };
const all =
  (...changes: readonly ((object: JsonObject) => void)[]) =>
  (object: JsonObject): void =>
    changes.forEach((change) => change(object));

const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "nginx:1" }] } };
const deployment: JsonObject = { metadata: {}, spec: { selector: { matchLabels: labels }, template } };
const job: JsonObject = {
  metadata: {},
  spec: {
    template: {
      spec: { restartPolicy: "Never", containers: [{ name: "c", image: "nginx:1" }], initContainers: [{ name: "i", image: "a" }] },
    },
  },
};
const suspended: JsonObject = { ...job, spec: { ...(job["spec"] as JsonObject), suspend: true } };
const condition = (type: string, status = "True"): JsonObject => ({ type, status });
const time = "2024-01-01T00:00:00Z";
const running = (name: string): JsonObject => ({ name, image: "", imageID: "", ready: true, restartCount: 0, state: { running: {} } });
const ended = (name: string, exitCode: number): JsonObject => ({
  name,
  image: "",
  imageID: "",
  ready: false,
  restartCount: 0,
  state: { terminated: { exitCode } },
});

/** By kind and state before the change. */
export const updateCases: Readonly<Record<string, Readonly<Record<string, UpdateGroup>>>> = {
  "/v1/Pod": {
    "an ordinary pod": {
      start: podWith({ tolerations: [{ key: "a", operator: "Exists" }], volumes: [{ name: "v", emptyDir: {} }], nodeSelector: { a: "b" } }),
      changes: {
        "another image": set("spec.containers.0.image", "nginx:2"),
        "no image": set("spec.containers.0.image", ""),
        "an image with spaces": set("spec.containers.0.image", " x"),
        "another command": set("spec.containers.0.command", ["a", "<b>"]),
        "another container": set("spec.containers.1", { name: "d", image: "a" }),
        "another name": set("spec.containers.0.name", "z"),
        "a deadline": set("spec.activeDeadlineSeconds", 5),
        "an impossible deadline": set("spec.activeDeadlineSeconds", -5),
        "another toleration": set("spec.tolerations.3", { key: "b", operator: "Exists" }),
        "a toleration less": set("spec.tolerations", []),
        "a toleration for a time": set("spec.tolerations.0", { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 3 }),
        "a gate": set("spec.schedulingGates", [{ name: "a" }]),
        "another node selector": set("spec.nodeSelector", { a: "c", d: "e" }),
        "no volumes": set("spec.volumes", undefined),
        "other volumes": set("spec.volumes", [
          { name: "v", emptyDir: { medium: "Memory" } },
          { name: "w", configMap: { name: "c" } },
        ]),
        "a host's namespace": set("spec.hostPID", true),
        "another grace period": set("spec.terminationGracePeriodSeconds", 5),
        "other resources": set("spec.containers.0.resources", { limits: { cpu: "1" } }),
        "a service account": all(set("spec.serviceAccountName", "x"), set("spec.serviceAccount", "x")),
        "an AppArmor annotation": set("metadata.annotations", { "container.apparmor.security.beta.kubernetes.io/c": "unconfined" }),
        "a mirror annotation": set("metadata.annotations", { "kubernetes.io/config.mirror": "x" }),
        "another label": set("metadata.labels", { a: "b" }),
        "affinity and all": set("spec.affinity", {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }],
            },
          },
        }),
      },
    },
    "a big pod": {
      start: podWith({
        volumes: ["a", "b", "d", "e", "f"].map((name) => ({ name, configMap: { name } })),
        containers: ["c", "d"].map((name) => ({
          name,
          image: "a",
          env: [{ name: "A", value: "1" }],
          volumeMounts: [{ name: "a", mountPath: "/a" }],
        })),
      }),
      changes: {
        "another command": set("spec.containers.1.command", ["x", "y"]),
        "another volume": set("spec.volumes.2.configMap.name", "other"),
        "another order": (object) => {
          const spec = object["spec"] as JsonObject;
          spec["containers"] = (spec["containers"] as JsonObject[]).toReversed();
        },
        "many things": all(
          set("spec.volumes.0.configMap.defaultMode", 256),
          set("spec.containers.0.env.0.value", "2"),
          set("spec.containers.1.tty", true),
          set("spec.hostname", "h"),
        ),
        "fewer volumes": set("spec.volumes", [{ name: "a", configMap: { name: "a" } }]),
      },
    },
    "a pod with a deadline": {
      start: podWith({ activeDeadlineSeconds: 10 }),
      changes: {
        "a shorter one": set("spec.activeDeadlineSeconds", 5),
        "a longer one": set("spec.activeDeadlineSeconds", 20),
        "none any more": set("spec.activeDeadlineSeconds", undefined),
      },
    },
    "a pod with a negative grace period": {
      start: podWith({ terminationGracePeriodSeconds: -1 }),
      changes: { "one of 1": set("spec.terminationGracePeriodSeconds", 1), "one of 2": set("spec.terminationGracePeriodSeconds", 2) },
    },
    "a gated pod": {
      start: podWith({
        schedulingGates: [{ name: "a" }, { name: "b" }],
        nodeSelector: { a: "b" },
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
            },
          },
        },
      }),
      changes: {
        "a gate less": set("spec.schedulingGates", [{ name: "b" }]),
        "no gates": set("spec.schedulingGates", undefined),
        "another gate": set("spec.schedulingGates", [{ name: "a" }, { name: "c" }]),
        "a narrower selector": set("spec.nodeSelector", { a: "b", c: "d" }),
        "a wider selector": set("spec.nodeSelector", undefined),
        "a narrower affinity": set("spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", [
          {
            matchExpressions: [
              { key: "a", operator: "Exists" },
              { key: "b", operator: "Exists" },
            ],
          },
        ]),
        "another affinity": set("spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", [
          { matchExpressions: [{ key: "z", operator: "Exists" }] },
        ]),
        "more terms": set("spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", [
          { matchExpressions: [{ key: "a", operator: "Exists" }] },
          {},
        ]),
        "no affinity": set("spec.affinity", undefined),
        "pod affinity": set("spec.affinity.podAffinity", {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "z", labelSelector: {} }],
        }),
      },
    },
    "a pod told of by its kubelet": {
      start: podWith({ restartPolicy: "Never", initContainers: [{ name: "i", image: "a" }] }),
      subresource: "status",
      status: {
        phase: "Running",
        containerStatuses: [ended("c", 1)],
        initContainerStatuses: [ended("i", 0)],
        conditions: [{ type: "Ready", status: "True", observedGeneration: 1 }],
        observedGeneration: 1,
      },
      changes: {
        "a phase": set("status.phase", "Failed"),
        "another class": set("status.qosClass", "Guaranteed"),
        "no class": set("status.qosClass", undefined),
        "running again": all(set("status.containerStatuses", [running("c")]), set("status.initContainerStatuses", [running("i")])),
        "an odd condition": set("status.conditions", [{ type: "a b", status: "True", observedGeneration: -1 }]),
        "a condition of before": set("status.conditions", [{ type: "Ready", status: "False" }]),
        addresses: all(set("status.podIPs", [{ ip: "1.1.1.1" }, { ip: "::1" }]), set("status.podIP", "1.1.1.1")),
        "odd addresses": all(set("status.podIPs", [{ ip: "1.1.1.1" }, { ip: "1.1.1.2" }]), set("status.hostIPs", [{ ip: "x" }])),
        "a nomination": set("status.nominatedNodeName", "A"),
        "an odd generation": set("status.observedGeneration", -1),
        "a spec": set("spec.nodeName", "x"),
      },
    },
    "a pod to look into": {
      start: podWith({}),
      subresource: "ephemeralcontainers",
      changes: {
        "a container": set("spec.ephemeralContainers", [{ name: "e", image: "a", targetContainerName: "c" }]),
        "a bad container": set("spec.ephemeralContainers", [
          {
            name: "c",
            image: " a",
            targetContainerName: "x",
            ports: [{ containerPort: 80 }],
            lifecycle: { preStop: { exec: { command: ["a"] } } },
            volumeMounts: [{ name: "v", mountPath: "/a", subPath: "b" }],
          },
        ]),
        "something else": set("spec.containers.0.image", "other"),
      },
    },
    "a pod with a sidecar to be resized": {
      start: podWith({
        initContainers: [
          { name: "s", image: "a", restartPolicy: "Always", resources: { requests: { cpu: "1" } } },
          { name: "i", image: "a", resources: { requests: { cpu: "1" } } },
        ],
        resources: { requests: { cpu: "3" } },
      }),
      subresource: "resize",
      changes: {
        "more for the sidecar": set("spec.initContainers.0.resources.requests.cpu", "2"),
        "more for the other": set("spec.initContainers.1.resources.requests.cpu", "2"),
        "another image": set("spec.initContainers.0.image", "b"),
        "more for the pod": set("spec.resources.requests.cpu", "4"),
        "memory for the pod": set("spec.resources.requests.memory", "1Gi"),
        "nothing for the pod": set("spec.resources", undefined),
        "less for the pod": set("spec.resources.requests.cpu", "1"),
      },
    },
    "a pod to be resized": {
      start: containerWith({ resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "2" } } }),
      subresource: "resize",
      changes: {
        more: set("spec.containers.0.resources.requests.cpu", "2"),
        "a request less": set("spec.containers.0.resources.requests", { cpu: "1" }),
        disk: set("spec.containers.0.resources.requests.ephemeral-storage", "1Gi"),
        "too much": set("spec.containers.0.resources.requests.cpu", "3"),
        "another class": set("spec.containers.0.resources", { requests: { cpu: "2", memory: "1Gi" }, limits: { cpu: "2", memory: "1Gi" } }),
        "another image": set("spec.containers.0.image", "other"),
        "another name": set("spec.containers.0.name", "other"),
        "another container": set("spec.containers.1", { name: "d", image: "a" }),
        "a policy": set("spec.containers.0.resizePolicy", [{ resourceName: "cpu", restartPolicy: "RestartContainer" }]),
        "resources of the pod": set("spec.resources", { requests: { cpu: "2", memory: "2Gi" }, limits: { cpu: "2" } }),
      },
    },
  },
  "apps/v1/Deployment": {
    "a deployment": {
      start: deployment,
      changes: {
        "more replicas": set("spec.replicas", 3),
        "another selector": set("spec.selector", { matchLabels: { app: "other" } }),
        "a narrower selector": set("spec.selector.matchExpressions", [{ key: "app", operator: "Exists" }]),
        "fewer than none": set("spec.replicas", -1),
        "another image": set("spec.template.spec.containers.0.image", "b"),
      },
    },
    "its status": {
      start: deployment,
      subresource: "status",
      status: { collisionCount: 2 },
      changes: {
        "more than all": set("status", { replicas: 1, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 3 }),
        "below zero": set("status", { replicas: -1, observedGeneration: -1, collisionCount: 1 }),
        good: set("status", { replicas: 1, collisionCount: 2, observedGeneration: 1 }),
      },
    },
  },
  "apps/v1/ReplicaSet": {
    "a set": {
      start: deployment,
      changes: {
        "another selector": set("spec.selector", { matchLabels: { app: "web", b: "c" } }),
        "more replicas": set("spec.replicas", 3),
      },
    },
    "its status": {
      start: deployment,
      subresource: "status",
      changes: {
        "more than all": set("status", { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 }),
        "below zero": set("status", { replicas: -1 }),
      },
    },
  },
  "apps/v1/StatefulSet": {
    "a set": {
      start: {
        ...deployment,
        spec: {
          ...(deployment["spec"] as JsonObject),
          serviceName: "a",
          volumeClaimTemplates: [
            { metadata: { name: "d" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
          ],
        },
      },
      changes: {
        "more replicas": set("spec.replicas", 3),
        "another service": set("spec.serviceName", "b"),
        "other claims": set("spec.volumeClaimTemplates.0.spec.resources.requests.storage", "2Gi"),
        "another policy": set("spec.podManagementPolicy", "Parallel"),
        "another selector": set("spec.selector.matchLabels", { app: "b" }),
        "another image": set("spec.template.spec.containers.0.image", "b"),
        ordinals: set("spec.ordinals", { start: 3 }),
        retention: set("spec.persistentVolumeClaimRetentionPolicy", { whenDeleted: "Delete", whenScaled: "Retain" }),
      },
    },
    "its status": {
      start: deployment,
      subresource: "status",
      changes: {
        "more than all": set("status", { replicas: 1, currentReplicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 3 }),
      },
    },
  },
  "apps/v1/DaemonSet": {
    "a set": {
      start: deployment,
      changes: {
        "another image": set("spec.template.spec.containers.0.image", "b"),
        "a template generation of one's own": set("metadata.annotations", { "deprecated.daemonset.template.generation": "7" }),
        "another selector": set("spec.selector.matchLabels", { app: "b" }),
        "another strategy": set("spec.updateStrategy", { type: "OnDelete" }),
      },
    },
    "its status": {
      start: deployment,
      subresource: "status",
      changes: {
        "below zero": set("status", { currentNumberScheduled: -1, numberMisscheduled: -1, desiredNumberScheduled: -1, numberReady: -1 }),
      },
    },
  },
  "apps/v1/ControllerRevision": {
    "a revision": {
      start: { metadata: {}, revision: 1, data: { a: 1 } },
      changes: { "other data": set("data", { a: 2 }), "another number": set("revision", 2), "below zero": set("revision", -2) },
    },
  },
  "/v1/ReplicationController": {
    "a controller": {
      start: { metadata: {}, spec: { selector: labels, template } },
      changes: {
        "another selector": set("spec.selector", { app: "b" }),
        "no template": set("spec.template", undefined),
        "more replicas": set("spec.replicas", 4),
      },
    },
    "its status": {
      start: { metadata: {}, spec: { selector: labels, template } },
      subresource: "status",
      changes: { "more than all": set("status", { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 }) },
    },
  },
  "/v1/PodTemplate": {
    "a template": {
      start: { metadata: {}, template },
      changes: { "another image": set("template.spec.containers.0.image", "b"), "no image": set("template.spec.containers.0.image", "") },
    },
  },
  "batch/v1/Job": {
    "a job": {
      start: job,
      changes: {
        "more at once": set("spec.parallelism", 3),
        "more in all": set("spec.completions", 3),
        "another image": set("spec.template.spec.containers.0.image", "b"),
        "another mode": all(set("spec.completionMode", "Indexed"), set("spec.completions", 1)),
        "another manager": set("spec.managedBy", "example.com/x"),
        "a failure policy": set("spec.podFailurePolicy", {
          rules: [{ action: "Ignore", onPodConditions: [{ type: "A", status: "True" }] }],
        }),
        suspended: set("spec.suspend", true),
        "another selector": set("spec.selector.matchLabels", { a: "b" }),
        "no label": set("spec.template.metadata.labels.job-name", undefined),
        "a limit": set("spec.backoffLimit", 9),
        "a deadline": set("spec.activeDeadlineSeconds", 9),
      },
    },
    "an indexed job": {
      start: { ...job, spec: { ...(job["spec"] as JsonObject), completionMode: "Indexed", completions: 2, parallelism: 2 } },
      changes: {
        grown: all(set("spec.completions", 3), set("spec.parallelism", 3)),
        "grown alone": set("spec.completions", 3),
        "without a number": set("spec.completions", undefined),
      },
    },
    "a suspended job": {
      start: suspended,
      changes: {
        "other nodes": all(
          set("spec.template.spec.nodeSelector", { a: "b" }),
          set("spec.template.spec.tolerations", [{ key: "a", operator: "Exists" }]),
          set("spec.template.spec.schedulingGates", [{ name: "a" }]),
        ),
        "an affinity": set("spec.template.spec.affinity", {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, preference: { matchExpressions: [{ key: "a", operator: "Exists" }] } },
            ],
          },
        }),
        "other resources": set("spec.template.spec.containers.0.resources", { limits: { cpu: "1" } }),
        "another image": set("spec.template.spec.containers.0.image", "b"),
        "pod affinity": set("spec.template.spec.affinity", {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "z", labelSelector: {} }] },
        }),
        "a label": set("spec.template.metadata.labels.x", "y"),
      },
    },
    "a suspended job that had started": {
      start: suspended,
      status: { startTime: time },
      changes: {
        "other nodes": set("spec.template.spec.nodeSelector", { a: "b" }),
        "other resources": set("spec.template.spec.containers.0.resources", { limits: { cpu: "1" } }),
      },
    },
    "its status": {
      start: job,
      subresource: "status",
      status: { startTime: time, active: 1, succeeded: 2, failed: 2 },
      changes: {
        complete: set("status", {
          startTime: time,
          completionTime: time,
          succeeded: 2,
          failed: 2,
          conditions: [condition("SuccessCriteriaMet"), condition("Complete")],
        }),
        "complete without a time": set("status.conditions", [condition("Complete")]),
        "complete and failed": all(
          set("status.conditions", [condition("Complete"), condition("Failed"), condition("FailureTarget")]),
          set("status.active", 0),
        ),
        "failed without a reason": all(set("status.conditions", [condition("Failed")]), set("status.active", 0)),
        "counters that fall": set("status", { startTime: time, active: 1, succeeded: 1, failed: 1 }),
        "another start": set("status.startTime", "2024-01-02T00:00:00Z"),
        "an end before the start": all(
          set("status.completionTime", "2023-01-01T00:00:00Z"),
          set("status.conditions", [condition("SuccessCriteriaMet"), condition("Complete")]),
          set("status.active", 0),
        ),
        "indexes of none": all(set("status.completedIndexes", "0,1"), set("status.failedIndexes", "2")),
        "more ready than active": set("status.ready", 5),
        "numbers below zero": set("status", {
          startTime: time,
          active: -1,
          succeeded: 2,
          failed: 2,
          ready: -1,
          terminating: -1,
          uncountedTerminatedPods: { succeeded: ["", "a", "a"], failed: ["a"] },
        }),
        "finished with pods left": all(
          set("status.conditions", [condition("FailureTarget"), condition("Failed")]),
          set("status.uncountedTerminatedPods", { failed: ["a"] }),
          set("status.terminating", 1),
        ),
      },
    },
    "the status of a finished job": {
      start: job,
      subresource: "status",
      status: { startTime: time, completionTime: time, conditions: [condition("SuccessCriteriaMet"), condition("Complete")] },
      changes: {
        "not finished any more": set("status.conditions", []),
        "another end": set("status.completionTime", "2024-01-03T00:00:00Z"),
        "failed after all": set("status.conditions", [
          condition("SuccessCriteriaMet"),
          condition("Complete"),
          condition("FailureTarget"),
          condition("Failed"),
        ]),
      },
    },
  },
  "batch/v1/CronJob": {
    "a cron job": {
      start: { metadata: {}, spec: { schedule: "* * * * *", jobTemplate: { spec: job["spec"] as JsonObject } } },
      changes: {
        "another schedule": set("spec.schedule", "5 * * * *"),
        "a bad one": set("spec.schedule", "x"),
        "a zone in it": set("spec.schedule", "TZ=UTC * * * * *"),
        "a zone": set("spec.timeZone", "Mars/Base"),
        suspended: set("spec.suspend", true),
      },
    },
  },
};
