import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { boundedCauses, eventOf, objectOf, reducedCause, versionBefore, versionOf } from "./kept-cause.ts";
import { deployment, seen, shop, shopKey } from "./testing/tape-scene.ts";

describe("causes on the tape", () => {
  it("are the given list itself, unless it or a text is too long", () => {
    const causes = [{ type: "timer", source: "every 30s" }, { type: "enqueue" }] as const;
    expect(boundedCauses(causes)).toBe(causes);
    expect(boundedCauses(Array.from({ length: 100 }, () => causes[0]))).toHaveLength(64);
    const long = "x".repeat(5000);
    const cut = boundedCauses([
      causes[0],
      { type: "retry", attempt: 1, error: long, run: "r", isConflict: false },
      { type: "external", source: "s", note: long },
      { type: "enqueue", note: long },
    ]);
    expect(cut.map((cause) => ("error" in cause ? cause.error : "note" in cause ? (cause.note ?? "") : "").length)).toEqual([
      0, 1024, 1024, 1024,
    ]);
  });

  it("contain only versions and no object after reducedCause", () => {
    const cause = seen(updated(shop(1), shop(2)), { via: "owner", cluster: "east" });
    expect(reducedCause(cause)).toEqual({
      type: "reduced",
      event: "updated",
      via: "owner",
      kind: deployment,
      cluster: "east",
      key: shopKey,
      uid: "shop-uid",
      resourceVersion: "2",
      resourceVersionBefore: "1",
      isFinalStateUnknown: false,
    });
    const timer = { type: "timer", source: "s" } as const;
    expect(reducedCause(timer)).toBe(timer);
    expect([objectOf(reducedCause(cause)), objectOf(timer)]).toEqual([
      expect.objectContaining({ kind: deployment, key: shopKey, via: "owner" }),
      undefined,
    ]);
    expect(reducedCause(reducedCause(cause))).toEqual(reducedCause(cause));
  });

  it("are reduced without parsing their objects", () => {
    const object = (): never => {
      throw new Error("was parsed");
    };
    const change = {
      type: "updated" as const,
      key: shopKey,
      uid: "u",
      isResync: false,
      resourceVersion: "8",
      resourceVersionBefore: "7",
      get object() {
        return object();
      },
      get before() {
        return object();
      },
    };
    expect(reducedCause(seen(change))).toMatchObject({ resourceVersion: "8", resourceVersionBefore: "7" });
  });

  it("eventOf returns the kind of event", () => {
    expect([added(shop(1)), added(shop(1), true), updated(shop(1), shop(2)), deleted(shop(3))].map(eventOf)).toEqual([
      "added",
      "initial",
      "updated",
      "deleted",
    ]);
    const same = shop(1);
    expect([
      eventOf(updated(same, same)),
      versionOf(updated(same, same)),
      versionBefore(updated(same, same)),
      versionBefore(added(same)),
    ]).toEqual(["resync", "1", undefined, undefined]);
  });
});
