/**
 * The visible steps of a pod's life: where it runs, how it ended, that it is gone, and why it waits.
 *
 *     Pod before, Pod now → podHappenings → "node-2 runs Pod shop/web-x"
 */
import type { Pod } from "@drover/api/core/v1";
import { definedOnly } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { Happening } from "./happening.ts";

type Seen = DeepReadonly<Pod>;

/** Returns the changes between two versions of a pod; `now` is undefined if it is gone, `before` if it is new. */
export function podHappenings(before: Seen | undefined, now: Seen | undefined): readonly Happening[] {
  const pod = now ?? before;
  if (pod === undefined) return [];
  const {
    metadata: { namespace = "", name = "" },
    spec,
    status,
  } = pod;
  const line = (did: string, why?: string): Happening => ({
    who: spec?.nodeName ?? "scheduler",
    did,
    kind: "Pod",
    name: `${namespace}/${name}`,
    ...definedOnly({ why }),
  });
  if (now === undefined) return [line("stopped")];
  const told: Happening[] = [];
  if (isReady(now) && !isReady(before)) told.push(line("runs"));
  if (isFinal(now) && !isFinal(before) && now.metadata.deletionTimestamp === undefined)
    told.push(line(status?.phase === "Succeeded" ? "finished" : "lost", endOf(now)));
  const waiting = waitingFor(now);
  if (waiting !== undefined && waiting !== waitingFor(before)) told.push(line("holds back", waiting));
  const refusal = refusalOf(now);
  if (refusal !== undefined && refusal !== refusalOf(before)) told.push(line("has no place for", refusal));
  return told;
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
