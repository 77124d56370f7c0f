/**
 * Finds the operator to ask, on this machine or in a cluster.
 *
 *     OperatorChoice → findOperators, chooseOperator | operatorPods, chooseReplica → Endpoint, or an exit code
 */
import type { DebugStatus } from "@drover/controller";
import { definedOnly, errorText } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { findOperators } from "drover/controller";
import type { Connection } from "drover/client";
import { CommandError } from "../command-error.ts";
import { askEndpoint } from "./ask-endpoint.ts";
import { chooseOperator } from "./choose-operator.ts";
import { chooseReplica } from "./choose-replica.ts";
import type { Replica, Suitable } from "./choose-replica.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ClusterTarget, OperatorChoice } from "./operator-choice.ts";
import { operatorPods } from "./operator-pods.ts";
import { podEndpoint } from "./pod-endpoint.ts";
import type { Terminal } from "./terminal.ts";

/** A connection to the cluster of an operator. */
export type OperatorCluster = Pick<Connection, "client" | "namespace" | "portForward" | "close">;

/** Output and surroundings of a question. */
export interface AskPlace {
  readonly write: (text: string) => void;
  readonly warn: (message: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Undefined if standard output is no terminal. */
  readonly terminal: Terminal | undefined;
  /** Connects to the cluster of an operator in a pod. */
  readonly connect: (options: Pick<ClusterTarget, "kubeconfig" | "context">) => Promise<OperatorCluster>;
  readonly signal: AbortSignal;
}

/** The exit code of a question that reached no operator: 2 if several run and none was chosen, 3 if there is none. */
export type Unreached = 2 | 3;

/**
 * Finds the operator and calls `use`. Resolves with its exit code, or with 2 or 3 after a warning if no operator was found. Rejects with a
 * `CommandError` if the cluster or a pod does not answer.
 * @param suitable - which replica of a deployment can answer
 */
export async function withOperator(
  choice: OperatorChoice,
  suitable: Suitable,
  place: AskPlace,
  use: (endpoint: Endpoint) => Promise<number>,
): Promise<number> {
  if (choice.target !== undefined) return withPod(choice.target, { suitable, port: choice.port }, place, use);
  const { env, clock, warn } = place;
  const chosen = chooseOperator(choice, choice.port === undefined ? await running(env) : [], clock.now());
  if ("address" in chosen) return use({ name: chosen.address, address: chosen.address });
  warn("missing" in chosen ? chosen.missing : chosen.ambiguous);
  return "missing" in chosen ? 3 : 2;
}

async function running(env: AskPlace["env"]): ReturnType<typeof findOperators> {
  try {
    return await findOperators(env);
  } catch (error) {
    throw new CommandError(`cannot look for operators: ${errorText(error)}`, { cause: error });
  }
}

async function withPod(
  target: ClusterTarget,
  { suitable, port }: { readonly suitable: Suitable; readonly port: number | undefined },
  { connect, warn, signal }: AskPlace,
  use: (endpoint: Endpoint) => Promise<number>,
): Promise<number> {
  const { kubeconfig, context } = target;
  const cluster = await connect(definedOnly({ kubeconfig, context }));
  try {
    const found = await operatorPods(cluster, target, signal);
    if ("missing" in found) {
      warn(found.missing);
      return 3;
    }
    const { namespace, pods } = found;
    const endpointOf = (pod: string): Endpoint => podEndpoint(cluster, { pod, namespace, port });
    const [pod = ""] = pods;
    return await use(target.type === "pod" ? endpointOf(pod) : await chosenReplica(pods, endpointOf, { suitable, warn, signal }));
  } finally {
    await cluster.close();
  }
}

async function chosenReplica(
  pods: readonly string[],
  endpointOf: (pod: string) => Endpoint,
  { suitable, warn, signal }: Pick<AskPlace, "warn" | "signal"> & { readonly suitable: Suitable },
): Promise<Endpoint> {
  const asked = await Promise.allSettled(
    pods.map(async (pod): Promise<Replica> => ({
      pod,
      status: (await askEndpoint(endpointOf(pod), "/debug/drover/status", signal)) as DebugStatus,
    })),
  );
  const replicas = asked.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const [failure] = asked.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  if (replicas.length === 0 && failure !== undefined)
    throw new CommandError(`none of ${pods.length} ready pods answers: ${errorText(failure)}`, { cause: failure });
  const chosen = chooseReplica(replicas, suitable);
  const silent = replicas.length < pods.length ? ` (${pods.length - replicas.length} of ${pods.length} ready pods did not answer)` : "";
  if ("problem" in chosen) throw new CommandError(`${chosen.problem}${silent}`);
  warn(`${chosen.told}${silent}`);
  return endpointOf(chosen.pod);
}
