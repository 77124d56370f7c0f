import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ownerChanges, unblockedOwners } from "./owner-changes.ts";

const owner = (
  uid: string,
  blockOwnerDeletion?: boolean,
): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
} => ({ apiVersion: "v1", kind: "Pod", name: `pod-${uid}`, uid, ...definedOnly({ blockOwnerDeletion }) });

describe("ownerChanges", () => {
  it("compares owners by uid: added, removed and changed", () => {
    expect(ownerChanges([owner("1"), owner("2"), owner("3")], [owner("3"), owner("2", true), owner("4")])).toEqual({
      added: [owner("4")],
      removed: [owner("1")],
      changed: [{ before: owner("2"), now: owner("2", true) }],
    });
  });

  it("finds owners that are no longer blocked", () => {
    const changes = ownerChanges(
      [owner("1", true), owner("2", true), owner("3", true), owner("4"), owner("5", true)],
      [owner("2", false), owner("3"), owner("5", true)],
    );
    expect(unblockedOwners(changes)).toEqual(["1", "2", "3"]);
  });
});
