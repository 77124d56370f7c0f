/** Scales one ReplicaSet for its Deployment. */
import { ReplicaSet } from "@drover/api/apps/v1";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { needsReplicasAnnotations, withReplicasAnnotations } from "./deployment-annotations.ts";
import type { DeploymentRun } from "./deployment-run.ts";
import type { DeploymentView } from "./deployment-view.ts";

/** A ReplicaSet and its new size. */
export interface Scaling {
  readonly replicaSet: ReplicaSetView;
  readonly replicas: number;
  /** Whether to write outdated annotations even when the size is right. @default false */
  readonly isForced?: boolean;
}

/** Result of `scaleReplicaSet`. */
export interface Scaled {
  readonly replicaSet: ReplicaSetView;
  /** Whether the size changed. */
  readonly hasScaled: boolean;
}

/** Writes size and annotations where they differ, and records an event for a new size. */
export async function scaleReplicaSet(
  { client, events }: DeploymentRun,
  deployment: DeploymentView,
  { replicaSet, replicas, isForced = false }: Scaling,
): Promise<Scaled> {
  const before = replicasOf(replicaSet);
  if (before === replicas && !(isForced && needsReplicasAnnotations(replicaSet, deployment))) return { replicaSet, hasScaled: false };
  const { metadata, spec = { selector: {} } } = replicaSet;
  const written = await client.update(
    ReplicaSet,
    {
      ...replicaSet,
      metadata: { ...metadata, annotations: withReplicasAnnotations(metadata.annotations ?? {}, deployment) },
      spec: { ...spec, replicas },
    },
    { namespace: metadata.namespace ?? "" },
  );
  if (before === replicas) return { replicaSet: written, hasScaled: false };
  tellScaling(events, deployment, { name: metadata.name ?? "", before, replicas });
  return { replicaSet: written, hasScaled: true };
}

/** Records the event of a scaled ReplicaSet. */
export function tellScaling(
  events: DeploymentRun["events"],
  deployment: DeploymentView,
  { name, before, replicas }: { readonly name: string; readonly before: number; readonly replicas: number },
): void {
  events.eventf({
    regarding: deployment,
    type: "Normal",
    reason: "ScalingReplicaSet",
    action: "ScaleReplicaSet",
    note: `Scaled ${before < replicas ? "up" : "down"} replica set ${name} from ${before} to ${replicas}`,
  });
}
