import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { replicaSet } from "../testing/workload-objects.ts";
import { byRevision, lastRevision, maxRevision, nextRevision, revisionOf, withRevision } from "./deployment-revision.ts";

const revision = "deployment.kubernetes.io/revision";
const history = "deployment.kubernetes.io/revision-history";
const at = (text: string | undefined, name = "web", createdAgo = 0): ReturnType<typeof replicaSet> =>
  replicaSet({ name, createdAgo, ...(text === undefined ? {} : { annotations: { [revision]: text } }) });

describe("revisions of a Deployment", () => {
  it("are numbers on ReplicaSets: 0 when missing, skipped when invalid", () => {
    expect([at("3"), at(undefined), at("x"), at("")].map(revisionOf)).toEqual([3n, 0n, undefined, undefined]);
    expect([maxRevision([at("3"), at("x"), at("7")]), maxRevision([])]).toEqual([7n, 0n]);
    expect([lastRevision([at("3"), at("7"), at("5"), at("x")]), lastRevision([at("3")]), lastRevision([])]).toEqual([5n, 0n, 0n]);
  });

  it("have 64 bits: none is mistaken for its neighbour, and after the highest comes the lowest", () => {
    const [low, high] = ["9007199254740992", "9007199254740993"];
    expect(maxRevision([at(low), at(high)])).toBe(9007199254740993n);
    expect(nextRevision([at(high)])).toBe(9007199254740994n);
    expect(withRevision({ [revision]: high }, 9007199254740994n)[history]).toBe(high);
    expect([at(high, "b"), at(low, "a")].toSorted(byRevision)[0]?.metadata.name).toBe("a");
    expect(
      ["9223372036854775807", "9223372036854775808", "-9223372036854775808", `${"0".repeat(400)}7`].map((text) => revisionOf(at(text))),
    ).toEqual([9223372036854775807n, undefined, -9223372036854775808n, 7n]);
    expect(nextRevision([at("9223372036854775807")])).toBe(-9223372036854775808n);
  });

  it("C009: sort ReplicaSets, then by age", () => {
    const sorted = [at("10", "c"), at("9", "b"), at(undefined, "a"), at("9", "older", 50)].toSorted(byRevision);
    expect(sorted.map(({ metadata }) => metadata.name)).toEqual(["a", "older", "b", "c"]);
    expect(byRevision(at("x", "a", 1), at("1", "b", 9))).toBeGreaterThan(0);
  });

  it("only increase, and keep a history", () => {
    expect(withRevision({}, 1n)).toEqual({ [revision]: "1" });
    expect(withRevision({ [revision]: "1" }, 3n)).toEqual({ [revision]: "3", [history]: "1" });
    expect(withRevision({ [revision]: "3", [history]: "1" }, 4n)).toEqual({ [revision]: "4", [history]: "1,3" });
    const unchanged = { [revision]: "4" };
    expect([withRevision(unchanged, 4n), withRevision(unchanged, 2n)]).toEqual([unchanged, unchanged]);
    expect(withRevision({ [revision]: "x" }, 2n)).toEqual({ [revision]: "x" });
  });

  it("keep a history of at most 2,000 characters, dropping the oldest entries and never the newest", () => {
    const long = Array.from({ length: 999 }, (_, index) => String(index % 10)).join();
    const after = withRevision({ [revision]: "12345", [history]: long }, 12_346n)[history] ?? "";
    expect(after.length).toBeLessThanOrEqual(2000);
    expect(after.endsWith(",12345")).toBe(true);
    fc.assert(
      fc.property(fc.array(fc.nat(1e9), { minLength: 1, maxLength: 600 }), fc.nat(1e9), (entries, now) => {
        const kept = withRevision({ [revision]: String(now), [history]: entries.join() }, BigInt(now) + 1n)[history]?.split(",") ?? [];
        expect(kept.join().length).toBeLessThanOrEqual(2000);
        expect([...entries.map(String), String(now)].slice(-kept.length)).toEqual(kept);
      }),
    );
  });
});
