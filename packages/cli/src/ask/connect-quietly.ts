/** Connects to the cluster of an operator in a pod, without log lines between the lines of an answer. */
import { errorText } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { connect, nodeRuntime } from "drover/client";
import { CommandError } from "../command-error.ts";
import type { ClusterTarget } from "./operator-choice.ts";
import type { OperatorCluster } from "./reach-operator.ts";

/** Returns the clock of this process. */
export const quietClock = (): Clock => nodeRuntime({ logLevel: "error" }).clock;

/** Sends no request. Rejects with a `CommandError` if there is no such kubeconfig or context. */
export async function connectQuietly(options: Pick<ClusterTarget, "kubeconfig" | "context">): Promise<OperatorCluster> {
  try {
    return await connect({ ...options, runtime: nodeRuntime({ logLevel: "error" }) });
  } catch (error) {
    throw new CommandError(`cannot connect to the cluster: ${errorText(error)}`, { cause: error });
  }
}
