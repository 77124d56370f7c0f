import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ownDeletion, OwnWrites, ownWritesOf, ownWritesWithin } from "./own-writes.ts";
import type { OwnWriteIndex } from "./own-writes.ts";

const key = objectKey("shop", "web");
const uids = new Set(["u", "w"]);
const call = { path: "/", atMs: 0, tookMs: 1 };

/** Writes to object u by runs r0, r1, …, sent at 0, 10, 20, … */
function written(...writes: readonly (readonly [method: string, resourceVersion: string])[]): OwnWriteIndex {
  const memory = new OwnWrites(100);
  for (const [index, [method, resourceVersion]] of writes.entries())
    memory.remember({ controller: "web", key, run: `r${index}` }, { ...call, method, wrote: { uid: "u", resourceVersion } }, index * 10);
  return memory.index(uids);
}
const within = (index: OwnWriteIndex, resourceVersion: string, resourceVersionBefore?: string, seenAt = 1000, run?: string): string[] =>
  ownWritesWithin(index, {
    uid: "u",
    resourceVersion,
    seenAt,
    ...(resourceVersionBefore === undefined ? {} : { resourceVersionBefore }),
    ...(run === undefined ? {} : { run }),
  }).map((write) => write.run);

describe("OwnWrites", () => {
  it("match if their version is that of the change, or between it and the previous one", () => {
    const index = written(["PUT", "5"], ["PATCH", "7"], ["PUT", "9"], ["PUT", "12"]);
    expect(within(index, "9")).toEqual(["r2"]);
    expect(within(index, "9", "5")).toEqual(["r2", "r1"]);
    expect(within(index, "11", "5")).toEqual(["r2", "r1"]);
    expect(within(index, "6", "5")).toEqual([]);
    expect(within(index, "8")).toEqual([]);
    expect(ownWritesWithin(index, { uid: "u", resourceVersion: "8", isFirst: true, seenAt: 1000 }).map(({ run }) => run)).toEqual([
      "r1",
      "r0",
    ]);
    expect(ownWritesWithin(index, { uid: "w", resourceVersion: "9", seenAt: 1000 })).toEqual([]);
  });

  it("match only by equality if versions cannot be compared", () => {
    const index = written(["PUT", "abc"], ["PUT", "abd"]);
    expect([within(index, "abd", "abb"), within(index, "abe", "abb")]).toEqual([["r1"], []]);
    expect(ownWritesWithin(written(["PUT", ""]), { uid: "u", resourceVersion: "", seenAt: 1000 })).toEqual([]);
  });

  it("do not match if they returned a version that was already known: they changed nothing", () => {
    const index = written(["PUT", "5"], ["PATCH", "5"]);
    expect(within(index, "5", "4", 1000)).toEqual(["r0"]);
    expect(within(written(["GET", "1"], ["PATCH", "5"]), "5", "4", 9)).toEqual([]);
    expect(within(written(["PATCH", "5"]), "5", "4", 0)).toEqual(["r0"]);
    expect(within(written(["PATCH", "5"]), "5", "4", 0, "r0")).toEqual([]);
  });

  it("deleted an object if the server confirmed it, or returned its last version", () => {
    const deletion = (index: OwnWriteIndex, last: { isFinalStateUnknown?: boolean; isTerminating?: boolean } = {}): string | undefined =>
      ownDeletion(index, { uid: "u", resourceVersion: "9", seenAt: 1000 }, { isFinalStateUnknown: false, isTerminating: false, ...last })
        ?.run;
    expect(deletion(written(["PUT", "8"], ["DELETE", ""]))).toBe("r1");
    expect(deletion(written(["DELETE", "9"]))).toBe("r0");
    expect(deletion(written(["DELETE", "8"]))).toBeUndefined();
    expect(deletion(written(["DELETE", "9"]), { isFinalStateUnknown: true })).toBeUndefined();
    expect(deletion(written(["DELETE", ""]), { isFinalStateUnknown: true })).toBe("r0");
    expect(deletion(written(["PUT", "9"]))).toBeUndefined();
    expect(deletion(written(["PUT", "9"]), { isTerminating: true })).toBe("r0");
    expect(
      ownDeletion(
        written(["DELETE", ""]),
        { uid: "", resourceVersion: "9", seenAt: 1000 },
        { isFinalStateUnknown: false, isTerminating: false },
      ),
    ).toBeUndefined();
  });

  it("are forgotten, oldest first; those of objects without a uid are never remembered", () => {
    const memory = new OwnWrites(2);
    for (const resourceVersion of ["1", "2", "3"])
      memory.remember({ controller: "web", key, run: "r" }, { ...call, method: "PUT", wrote: { uid: "u", resourceVersion } }, 0);
    memory.remember({ controller: "web", key, run: "r" }, { ...call, method: "PUT", wrote: { uid: "", resourceVersion: "4" } }, 0);
    memory.remember({ controller: "web", key, run: "r" }, { ...call, method: "GET" }, 0);
    expect(
      memory
        .index(uids)
        .get("u")
        ?.map(({ resourceVersion }) => resourceVersion),
    ).toEqual(["2", "3"]);
    expect([memory.size, memory.index(new Set()).size]).toEqual([2, 0]);
  });

  it("are found in the records of a tape that was read", () => {
    const record = {
      controller: "web",
      key,
      run: "r",
      startedAt: 5,
      waitedMs: 0,
      attempts: 0,
      causes: [],
      causeCount: 0,
      calls: [{ ...call, method: "PUT", wrote: { uid: "u", resourceVersion: "5" } }],
      callCount: 1,
    };
    expect(within(ownWritesOf([record]), "5")).toEqual(["r"]);
    expect(ownWritesOf([]).size).toBe(0);
  });
});
