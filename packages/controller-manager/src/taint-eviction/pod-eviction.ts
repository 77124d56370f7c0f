/** When a pod must leave its node, by the node's taints and the pod's tolerations. */
import type { Pod, Taint } from "@drover/api/core/v1";
import { parseTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { toleratesTaint } from "../shared/tolerates.ts";

export type Eviction =
  /** It may stay. */
  { readonly type: "never" } | { readonly type: "at"; /** Milliseconds since 1970. */ readonly time: number };

type SeenTaint = DeepReadonly<Taint>;

/** `since` is when a taint without a timestamp was first observed. */
export function evictionOf({ spec }: DeepReadonly<Pod>, taints: readonly SeenTaint[], since: number): Eviction {
  const executing = taints.filter(({ effect }) => effect === "NoExecute");
  if (executing.length === 0) return { type: "never" };
  const tolerations = spec?.tolerations ?? [];
  const matching = executing.map((taint) => ({ taint, by: tolerations.filter((toleration) => toleratesTaint(toleration, taint)) }));
  if (matching.some(({ by }) => by.length === 0)) return { type: "at", time: since };
  // The shortest toleration decides; unlimited ones set no time.
  const times = matching.flatMap(({ taint, by }) =>
    by.flatMap(({ tolerationSeconds }) =>
      tolerationSeconds === undefined
        ? []
        : [(taint.timeAdded === undefined ? since : parseTime(taint.timeAdded)) + Math.max(0, tolerationSeconds) * 1000],
    ),
  );
  return times.length === 0 ? { type: "never" } : { type: "at", time: Math.min(...times) };
}
