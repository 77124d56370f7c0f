/** StatefulSets and their pods, claims and revisions for tests. */
import { StatefulSet } from "@drover/api/apps/v1";
import type { ControllerRevision } from "@drover/api/apps/v1";
import type { DeepReadonly, OwnerReference } from "@drover/machinery";
import { deepFreeze, newControllerRef } from "@drover/machinery";
import type { RevisionView } from "../history/controller-revision.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { ClaimView, StatefulSetView } from "../statefulset/stateful-set-view.ts";
import { ago, pod } from "./workload-objects.ts";
import type { PodParts } from "./workload-objects.ts";

type Spec = NonNullable<StatefulSet["spec"]>;

export interface StatefulSetParts extends Partial<Omit<Spec, "selector" | "template" | "volumeClaimTemplates">> {
  readonly name?: string;
  readonly uid?: string;
  readonly image?: string;
  /** Names of its claim templates. @default none */
  readonly claims?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generation?: number;
  readonly status?: Partial<NonNullable<StatefulSet["status"]>>;
  readonly isDeleting?: boolean;
}

export function statefulSet(parts: StatefulSetParts = {}): StatefulSetView {
  const {
    name = "web",
    uid = `${name}-uid`,
    image = "web:1",
    claims = [],
    annotations,
    generation = 1,
    status,
    isDeleting = false,
    ...spec
  } = parts;
  return deepFreeze({
    apiVersion: "apps/v1" as const,
    kind: "StatefulSet" as const,
    metadata: {
      name,
      uid,
      namespace: "shop",
      generation,
      resourceVersion: "1",
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
    },
    spec: {
      replicas: 1,
      serviceName: "web",
      updateStrategy: { type: "RollingUpdate" as const, rollingUpdate: { partition: 0 } },
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }] } },
      ...(claims.length === 0
        ? {}
        : { volumeClaimTemplates: claims.map((template) => ({ metadata: { name: template }, spec: { accessModes: ["ReadWriteOnce"] } })) }),
      ...spec,
    },
    ...(status === undefined ? {} : { status: { replicas: 0, ...status } }),
  });
}

export interface MemberParts extends Omit<PodParts, "name" | "labels" | "owner"> {
  readonly set?: StatefulSetView;
  /** Its revision. @default "web-1" */
  readonly revision?: string;
  /** Names of its claim templates. @default none */
  readonly claims?: readonly string[];
}

/** A pod of a set, ready for ten seconds unless overridden. */
export function member(ordinal: number, parts: MemberParts = {}): PodView {
  const { set = statefulSet(), revision = "web-1", claims = [], ...rest } = parts;
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = {
    app: "web",
    "controller-revision-hash": revision,
    "statefulset.kubernetes.io/pod-name": name,
    "apps.kubernetes.io/pod-index": String(ordinal),
  };
  const made = pod({
    ...(rest.phase === undefined || rest.phase === "Running" ? { readyFor: 10 } : {}),
    ...rest,
    name,
    labels,
    owner: { object: set as StatefulSet, kind: StatefulSet },
  });
  const volumes = claims.map((template) => ({ name: template, persistentVolumeClaim: { claimName: `${template}-${name}` } }));
  return deepFreeze({ ...made, spec: { ...made.spec, containers: made.spec?.containers ?? [], volumes } });
}

/** A running pod that is not ready. */
export const unready = (ordinal: number, { readyFor: _, ...parts }: MemberParts = {}): PodView => {
  const made = member(ordinal, parts);
  return deepFreeze({ ...made, status: { ...made.status, conditions: [] } });
};

/** A claim of a pod. */
export function claim(
  name: string,
  ownerReferences: readonly DeepReadonly<OwnerReference>[] = [],
  { isDeleting = false }: { readonly isDeleting?: boolean } = {},
): ClaimView {
  return deepFreeze({
    metadata: {
      name,
      uid: `${name}-uid`,
      namespace: "shop",
      resourceVersion: "1",
      ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
      ...(isDeleting ? { deletionTimestamp: ago(0) } : {}),
    },
  });
}

/** A revision of a set, with its template. */
export function revisionOf(
  name: string,
  {
    revision = 1,
    image = "web:1",
    set = statefulSet(),
  }: { readonly revision?: number; readonly image?: string; readonly set?: StatefulSetView } = {},
): RevisionView {
  const made: ControllerRevision = {
    metadata: {
      name,
      uid: `${name}-uid`,
      namespace: "shop",
      resourceVersion: "1",
      labels: { app: "web" },
      ownerReferences: [newControllerRef(set, StatefulSet)],
    },
    data: {
      spec: { template: { $patch: "replace", metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }] } } },
    },
    revision,
  };
  return deepFreeze(made);
}
