import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { changeStates } from "./change-states.ts";

describe("changeStates", () => {
  const old: KubeObject = { metadata: { name: "a" } };
  const young: KubeObject = { metadata: { name: "a", labels: {} } };

  it("returns both states of an update, the older first, and otherwise the only one", () => {
    expect(changeStates(updated(old, young))).toEqual([old, young]);
    for (const change of [added(old), deleted(old), updated(old, old)]) expect(changeStates(change)).toEqual([old]);
  });
});
