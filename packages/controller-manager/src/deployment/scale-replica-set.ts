/** One ReplicaSet made larger or smaller for its Deployment. */
import { ReplicaSet } from "@drover/api/apps/v1";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { needsReplicasAnnotations, withReplicasAnnotations } from "./deployment-annotations.ts";
import type { DeploymentRun } from "./deployment-run.ts";
import type { DeploymentView } from "./deployment-view.ts";

/** A ReplicaSet and the size it is to have. */
export interface Scaling {
  readonly replicaSet: ReplicaSetView;
  readonly replicas: number;
  /** Whether annotations that are out of date are worth a write although the size is right. @default false */
  readonly isForced?: boolean;
}

/** What became of it. */
export interface Scaled {
  readonly replicaSet: ReplicaSetView;
  /** Whether its size was changed. */
  readonly hasScaled: boolean;
}

/** Writes size and annotations where they differ, and tells the Deployment of a new size. */
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

/** The event of a ReplicaSet that has another size now. */
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
