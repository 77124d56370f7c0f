import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Change } from "../store/change.ts";
import { HandlerLedger } from "./handler-ledger.ts";

const change = (type: Change["type"], uid: string, resourceVersion: string): Change => {
  const object = { metadata: { name: "a", uid, resourceVersion } } as KubeObject;
  const shared = { key: "a" as Change["key"], uid, object };
  if (type === "added") return { ...shared, type, isInInitialList: false };
  return type === "deleted" ? { ...shared, type, isFinalStateUnknown: false } : { ...shared, type, before: object, isResync: false };
};

describe("HandlerLedger", () => {
  it("tracks the state from the changes it receives", () => {
    const ledger = new HandlerLedger();
    for (const told of [change("added", "u1", "1"), change("updated", "u1", "2"), change("deleted", "u1", "3"), change("added", "u2", "4")])
      ledger.handle(told);
    expect([ledger.contents(), ledger.mistakes, ledger.count]).toEqual([["a u2 @4"], [], 4]);
  });

  it.each([
    ["added twice", [change("added", "u1", "1"), change("added", "u1", "2")], 2],
    ["updated before it was added", [change("updated", "u1", "1")], 1],
    ["deleted before it was added", [change("deleted", "u1", "1")], 1],
    ["updated with another uid", [change("added", "u1", "1"), change("updated", "u2", "2")], 1],
    ["updated to an older version", [change("added", "u1", "2"), change("updated", "u1", "1")], 1],
    ["added again with the same uid", [change("added", "u1", "2"), change("deleted", "u1", "3"), change("added", "u1", "4")], 1],
  ])("reports an invalid change: %s", (_, changes, mistakes) => {
    const ledger = new HandlerLedger();
    for (const told of changes) ledger.handle(told);
    expect(ledger.mistakes).toHaveLength(mistakes);
  });
});
