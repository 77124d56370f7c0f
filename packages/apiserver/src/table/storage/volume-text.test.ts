import { describe, expect, it } from "vitest";
import { accessModesText, storageClassText } from "./volume-text.ts";

describe("volumes in cells", () => {
  it("have their modes short, in one order and each once", () => {
    expect(accessModesText(["ReadWriteOncePod", "ReadWriteMany", "ReadOnlyMany", "ReadWriteOnce", "ReadOnlyMany", "Other"])).toBe(
      "RWO,ROX,RWX,RWOP",
    );
    expect(accessModesText(undefined)).toBe("");
  });

  it("have the class that the old annotation says, also if it is none", () => {
    const old = "volume.beta.kubernetes.io/storage-class";
    expect(storageClassText({ annotations: { [old]: "slow" } }, "fast")).toBe("slow");
    expect(storageClassText({ annotations: { [old]: "" } }, "fast")).toBe("");
    expect(storageClassText({}, "fast")).toBe("fast");
    expect(storageClassText({}, undefined)).toBe("");
  });
});
