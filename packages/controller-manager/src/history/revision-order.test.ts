import { describe, expect, it } from "vitest";
import { ago } from "../testing/workload-objects.ts";
import type { RevisionView } from "./controller-revision.ts";
import { nextRevision, sortRevisions } from "./revision-order.ts";

const revision = (name: string, number: number, createdAgo = 0): RevisionView => ({
  metadata: { name, creationTimestamp: ago(createdAgo) },
  revision: number,
});

describe("sortRevisions", () => {
  it("sorts by number, then age, then name", () => {
    const sorted = sortRevisions([revision("d", 10), revision("c", 2, 5), revision("b", 2, 5), revision("a", 2, 1), revision("e", 1)]);
    expect(sorted.map(({ metadata }) => metadata.name)).toEqual(["e", "b", "c", "a", "d"]);
  });

  it("lets nextRevision return the number after the highest", () => {
    expect(nextRevision([])).toBe(1);
    expect(nextRevision([revision("a", 7), revision("b", 3)])).toBe(8);
  });
});
