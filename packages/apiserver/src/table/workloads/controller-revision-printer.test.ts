import { ControllerRevision } from "@drover/api/apps/v1";
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

const ownedBy = (apiVersion: string, kind: string, controller = true): JsonObject => ({
  metadata: { ownerReferences: [{ apiVersion, kind, name: "n", uid: "u", controller }] },
  revision: 3,
});

describe("ControllerRevision table", () => {
  it("has controller and revision", () => {
    expect(printed(ControllerRevision, ownedBy("apps/v1", "StatefulSet"))).toEqual({
      Name: "web",
      Controller: "statefulset.apps/n",
      Revision: 3,
      Age: "5m",
    });
    expect(printed(ControllerRevision, ownedBy("v1", "Pod"))).toMatchObject({ Controller: "pod/n" });
    expect(printed(ControllerRevision, ownedBy("v1", "Pod", false))).toMatchObject({ Controller: "<none>" });
  });
});
