import type { RunRecord } from "@drover/controller";
import type { ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { tapeDiff, tapeDiffText } from "./tape-diff.ts";

let runs = 0;
const uid = (): string => crypto.randomUUID();
/** A run as another process would record it: with its own ids, versions, times and durations. */
const run = (name: string, rest: Partial<RunRecord> = {}): RunRecord => {
  const id = ++runs;
  return {
    run: `a-${id}`,
    controller: "web",
    key: `shop/${name}` as ObjectKey,
    startedAt: id,
    waitedMs: id,
    tookMs: id,
    attempts: 0,
    causes: [
      {
        type: "change",
        event: "updated",
        via: "self",
        kind: { group: "", kind: "ConfigMap" },
        cluster: "",
        key: `shop/${name}` as ObjectKey,
        uid: uid(),
        resourceVersion: String(id),
        resourceVersionBefore: String(id - 1),
        fields: [
          { path: "metadata.resourceVersion", before: `"${id - 1}"`, after: `"${id}"` },
          { path: "data.size", before: '"1"', after: '"2"' },
          { path: "status.at", after: `"2026-01-01T00:00:0${id % 10}Z"` },
        ],
        fieldCount: 3,
        writers: [{ type: "self", controller: "web", key: `shop/${name}` as ObjectKey, run: `a-${id - 1}` }],
      },
    ],
    causeCount: 1,
    calls: [
      { method: "GET", path: `/api/v1/${id}`, atMs: 0, tookMs: id, status: 200 },
      { method: "PATCH", path: "/api/v1/configmaps/copy", atMs: id, tookMs: id, status: 200 },
    ],
    callCount: 2,
    result: { type: "done" },
    ...rest,
  };
};
const failed = { result: { type: "retry", error: `no quota for ${uid()}`, isConflict: false, retryInMs: 7 } } as const;

describe("tapeDiff", () => {
  it("takes runs of two processes as the same if only ids, versions, times, durations and reads differ", () => {
    expect(
      tapeDiff(
        [run("a"), run("b"), run("a", failed)],
        [run("b"), run("a"), run("a", { result: { ...failed.result, error: `no quota for ${uid()}` } })],
      ),
    ).toEqual({
      same: 2,
      differences: [],
    });
    expect(tapeDiffText(tapeDiff([run("a")], [run("a")]))).toEqual(["1 object has the same runs, 0 differ."]);
  });

  it("names the first run of an object that differs, and only what differs", () => {
    const calls = [{ method: "DELETE", path: "/api/v1/configmaps/copy", atMs: 0, tookMs: 1, status: 404, error: "not\u001b[2J found" }];
    const text = tapeDiffText(tapeDiff([run("a"), run("a"), run("a", failed)], [run("a"), run("a", { calls, ...failed }), run("a")]));
    expect(text.join("\n")).toContain(
      [
        "shop/a in web: run 2 differs (A has 3 runs, B has 3)",
        "    did      A: PATCH /api/v1/configmaps/copy 200",
        String.raw`    did      B: DELETE /api/v1/configmaps/copy 404: not\x1b[2J found`,
        "    result   A: done",
        "    result   B: failed: no quota for (uid)",
      ].join("\n"),
    );
    expect(text.at(-1)).toBe("0 objects have the same runs, 1 differs.");
    for (const line of text) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("names causes that only one tape has, and runs that one tape does not have", () => {
    const causes = [{ type: "timer", source: "every 30s" }] as const;
    expect(tapeDiff([run("a", { causes })], [run("a")]).differences).toMatchObject([{ run: 1, a: { because: ["timer every 30s fired"] } }]);
    const { differences } = tapeDiff([run("a")], [run("a"), run("a", failed), run("b")]);
    expect(differences).toMatchObject([
      { key: "shop/a", run: 2, runsInA: 1, runsInB: 2, b: { result: "failed: no quota for (uid)" } },
      { key: "shop/b", run: 1, runsInA: 0 },
    ]);
    expect(tapeDiffText({ same: 0, differences })[0]).toBe("shop/a in web: run 2 is only in B (A has 1 run, B has 2)");
  });
});
