/** Warnings about pods that a new policy of their namespace would refuse. */
import type { Pod } from "@drover/api/core/v1";
import { compareBytes, controllerOf, quoteGo } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import { reasonsText, violationsOf } from "./evaluate-pod.ts";
import { printLevelVersion } from "./pod-policy.ts";
import type { LevelVersion } from "./pod-policy.ts";
import { checkedPod } from "./pod-template.ts";

/** As in kube-apiserver. */
const podsMax = 3000;
const timeoutMs = 1000;

export interface ExistingPods {
  readonly namespace: string;
  readonly pods: readonly Pod[];
  readonly clock: Pick<Clock, "monotonic">;
}

/**
 * Returns the warnings, one for each set of reasons. Checks at most 3000 pods in a second: those without a controller and one of each
 * controller first.
 */
export function existingPodWarnings(enforce: LevelVersion, { namespace, pods, clock }: ExistingPods): string[] {
  const deadline = clock.monotonic() + timeoutMs;
  const found = new Map<string, { name: string; count: number }>();
  const chosen = byPriority(pods).slice(0, podsMax);
  let checked = 0;
  for (const pod of chosen) {
    const violations = violationsOf(enforce, checkedPod(pod));
    if (violations.length > 0) count(found, reasonsText(violations), pod.metadata.name ?? "");
    checked += 1;
    if (clock.monotonic() > deadline) break;
  }
  const perReason = [...found].map(([reason, { name, count: all }]) => `${name}${others(all - 1)}: ${reason}`);
  return [
    ...(checked < pods.length
      ? [`new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`]
      : []),
    ...(perReason.length === 0
      ? []
      : [
          `existing pods in namespace ${quoteGo(namespace)} violate the new PodSecurity enforce level ${quoteGo(printLevelVersion(enforce))}`,
        ]),
    ...perReason.toSorted(compareBytes),
  ];
}

function count(found: Map<string, { name: string; count: number }>, reason: string, name: string): void {
  const known = found.get(reason);
  if (known === undefined) found.set(reason, { name, count: 1 });
  else found.set(reason, { name: compareBytes(name, known.name) < 0 ? name : known.name, count: known.count + 1 });
}

const others = (more: number): string => (more === 0 ? "" : more === 1 ? " (and 1 other pod)" : ` (and ${more} other pods)`);

/** Further pods of the same controller come last. */
function byPriority(pods: readonly Pod[]): readonly Pod[] {
  const seen = new Set<string>();
  const later: Pod[] = [];
  const first = pods.filter((pod) => {
    const uid = controllerOf(pod)?.uid;
    if (uid === undefined || !seen.has(uid)) {
      if (uid !== undefined) seen.add(uid);
      return true;
    }
    later.push(pod);
    return false;
  });
  return [...first, ...later];
}
