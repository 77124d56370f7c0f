import { describe, expect, it } from "vitest";
import { pod, start } from "../testing/workload-objects.ts";
import { podsToDelete } from "./pods-to-delete.ts";

const unscheduled = pod({ name: "unscheduled", phase: "Pending" });
const pending = pod({ name: "pending", phase: "Pending", node: "a" });
const unready = pod({ name: "unready", node: "a" });
const crowded = pod({ name: "crowded", node: "a", readyFor: 9 });
const alone = pod({ name: "alone", node: "b", readyFor: 9 });
const all = [alone, crowded, unready, pending, unscheduled];
const names = (
  pods: readonly ReturnType<typeof pod>[],
  count: number,
  related: readonly ReturnType<typeof pod>[] = pods,
): readonly (string | undefined)[] => podsToDelete(pods, related, count, start).map(({ metadata }) => metadata.name);

describe("podsToDelete", () => {
  it("R027: returns all in their given order when all are to go", () => {
    expect(names(all, 5)).toEqual(["alone", "crowded", "unready", "pending", "unscheduled"]);
    expect(names(all, 5, [])).toEqual(names(all, 5));
    expect(names([], 0)).toEqual([]);
  });

  it("R027: returns the least useful first", () => {
    expect(names(all, 3)).toEqual(["unscheduled", "pending", "unready"]);
    expect(names(all, 4)).toEqual(["unscheduled", "pending", "unready", "crowded"]);
  });

  it("R027: prefers the pod with more related pods on its node, ignoring finished ones", () => {
    const sibling = pod({ name: "sibling", node: "b", readyFor: 9 });
    expect(names([crowded, alone], 1, [crowded, alone, sibling])).toEqual(["alone"]);
    expect(
      names([alone, crowded], 1, [
        alone,
        pod({ node: "b", phase: "Failed" }),
        pod({ node: "b", isDeleting: true }),
        crowded,
        pod({ node: "a" }),
      ]),
    ).toEqual(["crowded"]);
  });
});
