/** What one sync of a Deployment works with, and how it writes the status. */
import { Deployment } from "@drover/api/apps/v1";
import type { Client } from "@drover/client";
import type { EventRecorder } from "@drover/controller";
import type { Clock } from "@drover/machinery";
import type { DeploymentStatusView, DeploymentView } from "./deployment-view.ts";

export interface DeploymentRun {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Signal of the run. */
  readonly signal: AbortSignal;
}

/** Writes a status together with the Deployment's annotations, which the server accepts there too. Returns the updated Deployment. */
export async function writeDeploymentStatus(
  { client }: DeploymentRun,
  deployment: DeploymentView,
  status: DeploymentStatusView,
): Promise<DeploymentView> {
  return await client.resource(Deployment).status.update({ ...deployment, status }, { namespace: deployment.metadata.namespace ?? "" });
}
