import { CSIDriver } from "@drover/api/storage/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("CSIDriver table", () => {
  it("prints the defaults", () => {
    expect(printed(CSIDriver, { spec: {} })).toEqual({
      Name: "web",
      AttachRequired: true,
      PodInfoOnMount: false,
      StorageCapacity: false,
      TokenRequests: "<unset>",
      RequiresRepublish: false,
      Modes: "Persistent",
      Age: "5m",
    });
  });

  it("prints the driver's requirements", () => {
    const spec = {
      attachRequired: false,
      podInfoOnMount: true,
      storageCapacity: true,
      tokenRequests: [{ audience: "a" }, { audience: "b" }],
      requiresRepublish: true,
      volumeLifecycleModes: ["Persistent", "Ephemeral"],
    };
    expect(printed(CSIDriver, { spec })).toMatchObject({
      AttachRequired: false,
      PodInfoOnMount: true,
      StorageCapacity: true,
      TokenRequests: "a,b",
      RequiresRepublish: true,
      Modes: "Persistent,Ephemeral",
    });
  });
});
