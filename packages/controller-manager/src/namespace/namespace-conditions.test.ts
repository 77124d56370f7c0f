import { Pod } from "@drover/api/core/v1";
import { GroupDiscoveryFailedError } from "@drover/client";
import { describe, expect, it } from "vitest";
import { namespaceVerdicts, withVerdicts } from "./namespace-conditions.ts";
import { remainingKind } from "./remaining-content.ts";
import type { ContentOutcome } from "./remaining-content.ts";

const fine: ContentOutcome = { estimateSeconds: 0, remaining: [], contentErrors: [] };
const messages = (outcome: ContentOutcome): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    namespaceVerdicts(outcome)
      .filter(({ status }) => status === "True")
      .map(({ reason = "", message }) => [reason, message]),
  );

describe("namespaceVerdicts", () => {
  it("returns five conditions, all False when all is well", () => {
    expect(namespaceVerdicts(fine).map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      "NamespaceDeletionDiscoveryFailure False ResourcesDiscovered",
      "NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions",
      "NamespaceDeletionContentFailure False ContentDeleted",
      "NamespaceContentRemaining False ContentRemoved",
      "NamespaceFinalizersRemaining False ContentHasNoFinalizers",
    ]);
  });

  it("names failed groups, failed deletions and remaining objects", () => {
    const down = new GroupDiscoveryFailedError({
      groups: [],
      resources: [],
      failures: [{ groupVersion: "ex.io/v1", error: new Error("down") }],
    });
    expect(messages({ ...fine, discoveryError: down })).toEqual({
      DiscoveryFailed: "Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: ex.io/v1: down",
    });
    expect(messages({ ...fine, discoveryError: new Error("no answer") })).toEqual({ DiscoveryFailed: "no answer" });
    expect(messages({ ...fine, contentErrors: [new Error("b"), new Error("a")] })).toEqual({
      ContentDeletionFailed: "Failed to delete all resource types, 2 remaining: a, b",
    });
    const widgets = remainingKind({ group: "ex.io", version: "v1", plural: "widgets" }, [{ metadata: { finalizers: ["f"] } }]);
    expect(
      messages({ ...fine, remaining: [widgets, remainingKind(Pod, [{ metadata: { finalizers: ["f", "e"] } }, { metadata: {} }])] }),
    ).toEqual({
      SomeResourcesRemain: "Some resources are remaining: pods. has 2 resource instances, widgets.ex.io has 1 resource instances",
      SomeFinalizersRemain: "Some content in the namespace has finalizers remaining: e in 1 resource instances, f in 2 resource instances",
    });
  });

  it("changes times only with the status, and returns the same list without a change", () => {
    const first = withVerdicts([{ type: "Mine", status: "True" }], namespaceVerdicts(fine), "t1");
    expect(first).toHaveLength(6);
    expect(withVerdicts(first, namespaceVerdicts(fine), "t2")).toBe(first);
    const failed = (text: string): ContentOutcome => ({ ...fine, contentErrors: [new Error(text)] });
    const second = withVerdicts(first, namespaceVerdicts(failed("a")), "t2");
    const third = withVerdicts(second, namespaceVerdicts(failed("b")), "t3");
    const times = (conditions: typeof first): readonly (string | undefined)[] =>
      conditions.filter(({ type }) => type.startsWith("NamespaceDeletion")).map(({ lastTransitionTime }) => lastTransitionTime);
    expect([times(second), times(third)]).toEqual([
      ["t1", "t1", "t2"],
      ["t1", "t1", "t2"],
    ]);
    expect(third.at(-1)).toBe(first.at(-1));
  });
});
