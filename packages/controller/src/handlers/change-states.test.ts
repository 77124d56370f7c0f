import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { changeStates } from "./change-states.ts";

describe("changeStates", () => {
  const old: KubeObject = { metadata: { name: "a" } };
  const young: KubeObject = { metadata: { name: "a", labels: {} } };

  it("are both of an update, the older one first, and else the one there is", () => {
    expect(changeStates(updated(old, young))).toEqual([old, young]);
    for (const change of [added(old), deleted(old), updated(old, old)]) expect(changeStates(change)).toEqual([old]);
  });
});
