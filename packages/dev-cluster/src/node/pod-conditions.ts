/** Pod conditions as a kubelet writes them. */
import type { ContainerStatus, Pod, PodCondition, PodStatus } from "@drover/api/core/v1";
import { definedOnly, formatTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

export interface PodFacts {
  readonly phase: NonNullable<PodStatus["phase"]>;
  /** Whether its sandbox exists: network and volumes. */
  readonly hasSandbox: boolean;
  /** Init containers that have not finished, and sidecars that have not started. */
  readonly uninitialized: readonly string[];
  /** Containers and sidecars. */
  readonly serving: readonly ContainerStatus[];
}

/** Transition times change only with the status. */
export function podConditions(pod: DeepReadonly<Pod>, now: number, facts: PodFacts): PodCondition[] {
  const before = new Map((pod.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  const { generation } = pod.metadata;
  const containersReady = containersReadyOf(facts);
  const said: Readonly<Record<string, Claim>> = {
    PodReadyToStartContainers: facts.hasSandbox ? yes : no(),
    Initialized:
      facts.uninitialized.length === 0
        ? yes
        : no("ContainersNotInitialized", `containers with incomplete status: [${facts.uninitialized.join(" ")}]`),
    ContainersReady: containersReady,
    Ready: containersReady.status === "True" ? gatesOf(pod) : containersReady,
    PodScheduled: yes,
  };
  return Object.entries(said).map(([type, claim]) => {
    const known = before.get(type);
    const lastTransitionTime =
      known?.status === claim.status && known.lastTransitionTime !== undefined ? known.lastTransitionTime : formatTime(now);
    return { type, lastTransitionTime, ...definedOnly({ observedGeneration: generation }), ...claim };
  });
}

type Claim = Pick<PodCondition, "status" | "reason" | "message">;

const yes: Claim = { status: "True" };
const no = (reason?: string, message?: string): Claim => ({
  status: "False",
  ...definedOnly({ reason, message }),
});

function containersReadyOf({ phase, serving, uninitialized }: PodFacts): Claim {
  if (phase === "Succeeded") return no("PodCompleted");
  if (phase === "Failed") return no("PodFailed");
  const unready = serving.filter(({ ready }) => !ready).map(({ name }) => name);
  return unready.length === 0 && uninitialized.length === 0
    ? yes
    : no("ContainersNotReady", `containers with unready status: [${unready.join(" ")}]`);
}

/** Readiness gates: conditions that others write. */
function gatesOf({ spec, status }: DeepReadonly<Pod>): Claim {
  const messages = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = status?.conditions?.find(({ type }) => type === conditionType);
    if (found === undefined) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    return found.status === "True" ? [] : [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  return messages.length === 0 ? yes : no("ReadinessGatesNotReady", messages.join(", "));
}
