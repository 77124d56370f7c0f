/**
 * The visible steps of a pod's life: where it runs, how it ended, that it is gone, and why it waits.
 *
 *     Pod before, Pod now → podChanges → "node-2 runs Pod shop/web-x"
 */
import type { Pod } from "@drover/api/core/v1";
import { definedOnly } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ChangeLine } from "./change-line.ts";

type Seen = DeepReadonly<Pod>;

/** Returns the changes between two versions of a pod; `now` is undefined if it is gone, `before` if it is new. */
export function podChanges(before: Seen | undefined, now: Seen | undefined): readonly ChangeLine[] {
  const pod = now ?? before;
  if (pod === undefined) return [];
  const {
    metadata: { namespace = "", name = "" },
    spec,
    status,
  } = pod;
  const line = (did: string, why?: string): ChangeLine => ({
    who: spec?.nodeName ?? "scheduler",
    did,
    kind: "Pod",
    name: `${namespace}/${name}`,
    ...definedOnly({ why }),
  });
  if (now === undefined) return [line("stopped")];
  const lines: ChangeLine[] = [];
  if (isReady(now) && !isReady(before)) lines.push(line("runs"));
  if (isFinal(now) && !isFinal(before) && now.metadata.deletionTimestamp === undefined)
    lines.push(line(status?.phase === "Succeeded" ? "finished" : "reports failed", endOf(now)));
  const waiting = waitingFor(now);
  if (waiting !== undefined && waiting !== waitingFor(before)) lines.push(line("is backing off", waiting));
  const refusal = refusalOf(now);
  if (refusal !== undefined && refusal !== refusalOf(before)) lines.push(line("cannot schedule", refusal));
  return lines;
}

const isReady = (pod: Seen | undefined): boolean =>
  pod?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
const isFinal = (pod: Seen | undefined): boolean => ["Succeeded", "Failed"].includes(pod?.status?.phase ?? "");

function endOf({ status }: Seen): string | undefined {
  const ended = status?.containerStatuses
    ?.map(({ name, state }) => ({ name, ...state?.terminated }))
    .find(({ exitCode = 0 }) => exitCode !== 0);
  return ended === undefined ? (status?.message ?? status?.reason) : `container ${ended.name} ended with ${ended.exitCode ?? ""}`;
}

function waitingFor(pod: Seen | undefined): string | undefined {
  const held = pod?.status?.containerStatuses?.find(({ state }) => /BackOff|Err/.test(state?.waiting?.reason ?? ""));
  return held === undefined ? undefined : `container ${held.name}: ${held.state?.waiting?.reason ?? ""}`;
}

const refusalOf = (pod: Seen | undefined): string | undefined =>
  pod?.status?.conditions?.find(({ type, status }) => type === "PodScheduled" && status === "False")?.message;
