import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { replicaSet } from "../testing/workload-objects.ts";
import { byRevision, lastRevision, maxRevision, revisionOf, withRevision } from "./deployment-revision.ts";

const revision = "deployment.kubernetes.io/revision";
const history = "deployment.kubernetes.io/revision-history";
const at = (text: string | undefined, name = "web", createdAgo = 0): ReturnType<typeof replicaSet> =>
  replicaSet({ name, createdAgo, ...(text === undefined ? {} : { annotations: { [revision]: text } }) });

describe("revisions of a Deployment", () => {
  it("are numbers on ReplicaSets: 0 when missing, skipped when invalid", () => {
    expect([at("3"), at(undefined), at("x"), at("")].map(revisionOf)).toEqual([3, 0, undefined, undefined]);
    expect([maxRevision([at("3"), at("x"), at("7")]), maxRevision([])]).toEqual([7, 0]);
    expect([lastRevision([at("3"), at("7"), at("5"), at("x")]), lastRevision([at("3")]), lastRevision([])]).toEqual([5, 0, 0]);
  });

  it("C009: sort ReplicaSets, then by age", () => {
    const sorted = [at("10", "c"), at("9", "b"), at(undefined, "a"), at("9", "older", 50)].toSorted(byRevision);
    expect(sorted.map(({ metadata }) => metadata.name)).toEqual(["a", "older", "b", "c"]);
    expect(byRevision(at("x", "a", 1), at("1", "b", 9))).toBeGreaterThan(0);
  });

  it("only increase, and keep a history", () => {
    expect(withRevision({}, 1)).toEqual({ [revision]: "1" });
    expect(withRevision({ [revision]: "1" }, 3)).toEqual({ [revision]: "3", [history]: "1" });
    expect(withRevision({ [revision]: "3", [history]: "1" }, 4)).toEqual({ [revision]: "4", [history]: "1,3" });
    const unchanged = { [revision]: "4" };
    expect([withRevision(unchanged, 4), withRevision(unchanged, 2)]).toEqual([unchanged, unchanged]);
    expect(withRevision({ [revision]: "x" }, 2)).toEqual({ [revision]: "x" });
  });

  it("keep a history of at most 2,000 characters, dropping the oldest entries and never the newest", () => {
    const long = Array.from({ length: 999 }, (_, index) => String(index % 10)).join();
    const after = withRevision({ [revision]: "12345", [history]: long }, 12_346)[history] ?? "";
    expect(after.length).toBeLessThanOrEqual(2000);
    expect(after.endsWith(",12345")).toBe(true);
    fc.assert(
      fc.property(fc.array(fc.nat(1e9), { minLength: 1, maxLength: 600 }), fc.nat(1e9), (entries, now) => {
        const kept = withRevision({ [revision]: String(now), [history]: entries.join() }, now + 1)[history]?.split(",") ?? [];
        expect(kept.join().length).toBeLessThanOrEqual(2000);
        expect([...entries.map(String), String(now)].slice(-kept.length)).toEqual(kept);
      }),
    );
  });
});
