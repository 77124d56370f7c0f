/** The five deletion conditions of a namespace; each is True when something is wrong. */
import type { NamespaceCondition } from "@drover/api/core/v1";
import { isGroupDiscoveryFailed } from "@drover/client";
import { compareBytes, errorText } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ContentOutcome } from "./remaining-content.ts";

/** A condition without its transition time. */
type Verdict = Pick<NamespaceCondition, "type" | "status" | "reason" | "message">;

/** Returns all five, in the order in which they are first written. */
export function namespaceVerdicts({ remaining, contentErrors, discoveryError }: ContentOutcome): readonly Verdict[] {
  return [
    verdict(
      "NamespaceDeletionDiscoveryFailure",
      discoveryError === undefined ? undefined : ["DiscoveryFailed", discoveryMessage(discoveryError)],
      ["ResourcesDiscovered", "All resources successfully discovered"],
    ),
    verdict("NamespaceDeletionGroupVersionParsingFailure", undefined, ["ParsedGroupVersions", "All legacy kube types successfully parsed"]),
    verdict("NamespaceDeletionContentFailure", contentFailure(contentErrors), [
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ]),
    verdict("NamespaceContentRemaining", contentRemaining(remaining), ["ContentRemoved", "All content successfully removed"]),
    verdict("NamespaceFinalizersRemaining", finalizersRemaining(remaining), [
      "ContentHasNoFinalizers",
      "All content-preserving finalizers finished",
    ]),
  ];
}

/** Returns the conditions updated with these; the same list when nothing changes. The time is that of the last status change. */
export function withVerdicts(
  conditions: readonly DeepReadonly<NamespaceCondition>[],
  verdicts: readonly Verdict[],
  now: string,
): readonly DeepReadonly<NamespaceCondition>[] {
  const next = [...conditions];
  let isChanged = false;
  for (const verdictNow of verdicts) {
    const index = next.findIndex(({ type }) => type === verdictNow.type);
    const old = next[index];
    if (old === undefined) next.push({ ...verdictNow, lastTransitionTime: now });
    else if (old.status !== verdictNow.status || old.reason !== verdictNow.reason || old.message !== verdictNow.message)
      next[index] = { ...old, ...verdictNow, ...(old.status === verdictNow.status ? {} : { lastTransitionTime: now }) };
    else continue;
    isChanged = true;
  }
  return isChanged ? next : conditions;
}

type Words = readonly [reason: string, message: string];

const verdict = (type: string, problem: Words | undefined, fine: Words): Verdict => {
  const [reason, message] = problem ?? fine;
  return { type, status: problem === undefined ? "False" : "True", reason, message };
};

function discoveryMessage(error: unknown): string {
  return isGroupDiscoveryFailed(error)
    ? `Discovery failed for some groups, ${error.failures.length} failing: ${error.message}`
    : errorText(error);
}

function contentFailure(errors: readonly unknown[]): Words | undefined {
  if (errors.length === 0) return undefined;
  return [
    "ContentDeletionFailed",
    `Failed to delete all resource types, ${errors.length} remaining: ${sorted(errors.map(errorText)).join(", ")}`,
  ];
}

function contentRemaining(remaining: ContentOutcome["remaining"]): Words | undefined {
  if (remaining.length === 0) return undefined;
  return [
    "SomeResourcesRemain",
    `Some resources are remaining: ${sorted(remaining.map(({ kind: { plural, group }, count }) => `${plural}.${group} has ${count} resource instances`)).join(", ")}`,
  ];
}

function finalizersRemaining(remaining: ContentOutcome["remaining"]): Words | undefined {
  const totals = new Map<string, number>();
  for (const { finalizers } of remaining)
    for (const [finalizer, count] of finalizers) totals.set(finalizer, (totals.get(finalizer) ?? 0) + count);
  if (totals.size === 0) return undefined;
  return [
    "SomeFinalizersRemain",
    `Some content in the namespace has finalizers remaining: ${sorted(Array.from(totals, ([finalizer, count]) => `${finalizer} in ${count} resource instances`)).join(", ")}`,
  ];
}

const sorted = (lines: readonly string[]): readonly string[] => lines.toSorted(compareBytes);
