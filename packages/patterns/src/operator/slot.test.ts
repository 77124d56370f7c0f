import { ConfigMap, Pod } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { many, namedSlots, one } from "./slot.ts";

describe("namedSlots", () => {
  it("keeps the order, and marks slots that share a kind", () => {
    const slots = namedSlots({ copy: ConfigMap, pods: many(Pod), other: one(ConfigMap, { onImmutable: "recreate" }) });
    expect(slots).toEqual([
      { name: "copy", kind: ConfigMap, count: "one", options: {}, isShared: true },
      { name: "pods", kind: Pod, count: "many", options: {}, isShared: false },
      { name: "other", kind: ConfigMap, count: "one", options: { onImmutable: "recreate" }, isShared: true },
    ]);
  });
});
