/** What one look at a Deployment works with, and its status on the way to the server. */
import { Deployment } from "@drover/api/apps/v1";
import type { Client } from "@drover/client";
import type { EventRecorder } from "@drover/controller";
import type { Clock } from "@drover/machinery";
import type { DeploymentStatusView, DeploymentView } from "./deployment-view.ts";

export interface DeploymentRun {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** That of the run. */
  readonly signal: AbortSignal;
}

/** Writes a status, and with it the Deployment's annotations, which the server takes from there too. Gives the Deployment as it is then. */
export async function writeDeploymentStatus(
  { client }: DeploymentRun,
  deployment: DeploymentView,
  status: DeploymentStatusView,
): Promise<DeploymentView> {
  return await client.resource(Deployment).status.update({ ...deployment, status }, { namespace: deployment.metadata.namespace ?? "" });
}
