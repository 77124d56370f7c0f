import { ApiError, newNotFound } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { InformerState } from "./informer.ts";
import { NotSyncedError, unsyncedReason } from "./not-synced-error.ts";

const stateWith = (reflector: Partial<InformerState["reflector"]>): InformerState => ({
  name: "pods",
  hasSynced: false,
  size: 0,
  lastSyncResourceVersion: "",
  queued: 0,
  handlers: [],
  reflector: {
    phase: "listing",
    sinceMs: 0,
    untilMs: undefined,
    hasSynced: false,
    lastSyncResourceVersion: "",
    epoch: 0,
    lagMs: undefined,
    lastError: undefined,
    hasFailed: false,
    lists: 1,
    watches: 0,
    events: 0,
    refused: 0,
    poison: [],
    poisonCount: 0,
    ...reflector,
  },
});
const failed = (error: unknown): Partial<InformerState["reflector"]> => ({
  phase: "backing-off",
  hasFailed: true,
  lastError: { error, atMs: 0 },
});

describe("unsyncedReason and NotSyncedError", () => {
  const missing = new ApiError(newNotFound({ group: "", resource: "pods" }, ""), { code: 404 });
  const rows: [Partial<InformerState["reflector"]>, string][] = [
    [failed(missing), '404 NotFound: pods "" not found'],
    [failed(new Error("list failed", { cause: missing })), '404 NotFound: pods "" not found'],
    [failed(new TypeError("odd")), "TypeError: odd"],
    [failed("just text"), "just text"],
    [{ phase: "empty" }, "it has not been started; run the factory"],
    [{ phase: "stopped" }, "it has been stopped"],
    [{ lists: 0 }, "no list has been sent yet"],
    [{}, "the list is still running"],
    [{ lastError: { error: "long over", atMs: 0 } }, "the list is still running"],
  ];
  it.each(rows)("%j", (reflector, why) => expect(unsyncedReason(stateWith(reflector)).why).toBe(why));

  it("NotSyncedError names all informers, with the first failure as its cause", () => {
    const error = new NotSyncedError(
      [
        { name: "pods", why: "still listing", error: undefined },
        { name: "secrets", why: "403", error: missing },
      ],
      500,
    );
    expect([error.message, error.cause]).toEqual([
      "2 of the caches have not synced after 500 ms: pods (still listing); secrets (403) [DRV0501]",
      missing,
    ]);
  });
});
