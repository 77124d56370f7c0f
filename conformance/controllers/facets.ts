/**
 * The aspects of an object that are followed through its versions, and how two paths are compared.
 *
 *     object → facet.of → "3", "True NewReplicaSetAvailable" → way.ts
 */
import type { KubeObject } from "@drover/machinery";

/**
 * How much of a path must be equal: "all" of its values; its "turns", because a controller that syncs less often sees
 * 0, 3 where another sees 0, 1, 2, 3; or its "peak", where turning points are random too: what a Deployment counts
 * while it replaces pods depends on when it syncs.
 */
export type WayPart = "all" | "turns" | "peak";

/** A value that is left out of a path unless it is the last one. */
export const passing = "(on the way)";

export interface Facet {
  readonly name: string;
  readonly part: WayPart;
  /** Undefined while the object has no such value. */
  readonly of: (object: KubeObject) => string | undefined;
}

interface Fields {
  readonly [field: string]: unknown;
}
interface Status extends Fields {
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
}
interface Whole extends KubeObject {
  readonly spec?: Fields;
  readonly status?: Status;
}

const text = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === "string" ? value : JSON.stringify(value);
const spec = (field: string): Facet => ({ name: `spec.${field}`, part: "all", of: (object) => text((object as Whole).spec?.[field]) });
const count = (field: string, part: WayPart): Facet => ({
  name: `status.${field}`,
  part,
  of: (object) => text((object as Whole).status?.[field] ?? 0),
});
const status = (field: string): Facet => ({
  name: `status.${field}`,
  part: "all",
  of: (object) => text((object as Whole).status?.[field]),
});
const condition = (type: string, part: WayPart = "all"): Facet => ({
  name: `condition ${type}`,
  part,
  of: (object) => {
    const found = (object as Whole).status?.conditions?.find((each) => each.type === type);
    return found === undefined ? undefined : `${found.status} ${found.reason ?? ""}`.trim();
  },
});
const annotation = (name: string): Facet => ({
  name: `annotation ${name}`,
  part: "all",
  of: ({ metadata }) => metadata.annotations?.[name],
});

/** The progress of a Deployment without one intermediate reason, which depends on how many pods were ready when the controller synced. */
const progress: Facet = {
  ...condition("Progressing"),
  of: (object) =>
    condition("Progressing")
      .of(object)
      ?.replace(/^True ReplicaSetUpdated$/, passing),
};

/** Of every object: creation, deletion timestamp, removal, finalizers and owners. */
const common: readonly Facet[] = [
  { name: "life", part: "all", of: ({ metadata }) => (metadata.deletionTimestamp === undefined ? "there" : "marked") },
  { name: "finalizers", part: "all", of: ({ metadata }) => text(metadata.finalizers?.toSorted()) },
  {
    name: "owners",
    part: "all",
    of: ({ metadata }) =>
      text(
        metadata.ownerReferences
          ?.map(({ kind, name, controller }) => `${kind} ${name}${controller === true ? " controls" : ""}`)
          .toSorted(),
      ),
  },
];

const revision = "deployment.kubernetes.io/revision";
const addressCount = (object: KubeObject, field: "addresses" | "notReadyAddresses"): number =>
  ((object as { readonly subsets?: readonly { readonly [part in typeof field]?: readonly unknown[] }[] }).subsets ?? []).reduce(
    (sum, subset) => sum + (subset[field]?.length ?? 0),
    0,
  );

const byKind: Readonly<Record<string, readonly Facet[]>> = {
  Deployment: [
    spec("replicas"),
    spec("paused"),
    annotation(revision),
    progress,
    condition("Available"),
    condition("ReplicaFailure"),
    ...["replicas", "readyReplicas", "availableReplicas"].map((field) => count(field, "peak")),
  ],
  ReplicaSet: [
    spec("replicas"),
    annotation(revision),
    condition("ReplicaFailure"),
    ...["replicas", "readyReplicas", "availableReplicas", "fullyLabeledReplicas"].map((field) => count(field, "peak")),
  ],
  StatefulSet: [
    spec("replicas"),
    status("currentRevision"),
    status("updateRevision"),
    ...["replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas"].map((field) => count(field, "peak")),
  ],
  DaemonSet: [
    count("desiredNumberScheduled", "turns"),
    count("numberMisscheduled", "turns"),
    ...["currentNumberScheduled", "updatedNumberScheduled", "numberReady", "numberAvailable"].map((field) => count(field, "peak")),
  ],
  Job: [
    spec("suspend"),
    spec("parallelism"),
    condition("Complete"),
    condition("Failed"),
    condition("Suspended"),
    condition("FailureTarget"),
    condition("SuccessCriteriaMet"),
    ...["active", "succeeded", "failed"].map((field) => count(field, "turns")),
  ],
  CronJob: [
    spec("suspend"),
    {
      name: "active",
      part: "all",
      of: (object) => text(((object as Whole).status?.["active"] as readonly unknown[] | undefined)?.length ?? 0),
    },
  ],
  Pod: [
    status("phase"),
    condition("PodScheduled"),
    condition("Ready"),
    condition("DisruptionTarget"),
    { name: "placed", part: "all", of: (object) => text((object as Whole).spec?.["nodeName"] !== undefined) },
    {
      name: "restarts",
      part: "all",
      of: (object) =>
        text(
          ((object as Whole).status?.["containerStatuses"] as readonly { readonly restartCount: number }[] | undefined)?.map(
            ({ restartCount }) => restartCount,
          ),
        ),
    },
  ],
  Endpoints: [
    { name: "ready", part: "peak", of: (object) => String(addressCount(object, "addresses")) },
    { name: "not ready", part: "peak", of: (object) => String(addressCount(object, "notReadyAddresses")) },
  ],
  EndpointSlice: [
    {
      name: "endpoints",
      part: "peak",
      of: (object) => text((object as unknown as { readonly endpoints?: readonly unknown[] }).endpoints?.length ?? 0),
    },
    {
      name: "ready",
      part: "peak",
      of: (object) =>
        text(
          (
            (object as unknown as { readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[] }).endpoints ??
            []
          ).filter(({ conditions }) => conditions?.ready === true).length,
        ),
    },
  ],
  ControllerRevision: [
    { name: "revision", part: "all", of: (object) => text((object as unknown as { readonly revision?: number }).revision) },
  ],
  Namespace: [
    status("phase"),
    ...[
      "NamespaceDeletionDiscoveryFailure",
      "NamespaceDeletionGroupVersionParsingFailure",
      "NamespaceDeletionContentFailure",
      "NamespaceContentRemaining",
      "NamespaceFinalizersRemaining",
    ].map((type) => condition(type)),
  ],
  Node: [condition("Ready")],
};

export const facetsOf = (kind: string): readonly Facet[] => [...common, ...(byKind[kind] ?? [])];
