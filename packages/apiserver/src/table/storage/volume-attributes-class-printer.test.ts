import { VolumeAttributesClass } from "@drover/api/storage/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("VolumeAttributesClass table", () => {
  it("has the driver", () =>
    expect(printed(VolumeAttributesClass, { driverName: "d" })).toEqual({ Name: "web", DriverName: "d", Age: "5m" }));
});
