import { VolumeAttachment } from "@drover/api/storage/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("VolumeAttachment table", () => {
  it("prints whether a volume is attached", () => {
    const spec = { attacher: "a", nodeName: "n", source: { persistentVolumeName: "p" } };
    expect(printed(VolumeAttachment, { spec, status: { attached: true } })).toEqual({
      Name: "web",
      Attacher: "a",
      PV: "p",
      Node: "n",
      Attached: true,
      Age: "5m",
    });
    expect(printed(VolumeAttachment, { spec: { ...spec, source: {} } })).toMatchObject({ PV: "", Attached: false });
  });
});
