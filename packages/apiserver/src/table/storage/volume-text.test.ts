import { describe, expect, it } from "vitest";
import { accessModesText, storageClassText } from "./volume-text.ts";

describe("volume cells", () => {
  it("abbreviate access modes, unique and in order", () => {
    expect(accessModesText(["ReadWriteOncePod", "ReadWriteMany", "ReadOnlyMany", "ReadWriteOnce", "ReadOnlyMany", "Other"])).toBe(
      "RWO,ROX,RWX,RWOP",
    );
    expect(accessModesText(undefined)).toBe("");
  });

  it("prefer the legacy class annotation, even if empty", () => {
    const old = "volume.beta.kubernetes.io/storage-class";
    expect(storageClassText({ annotations: { [old]: "slow" } }, "fast")).toBe("slow");
    expect(storageClassText({ annotations: { [old]: "" } }, "fast")).toBe("");
    expect(storageClassText({}, "fast")).toBe("fast");
    expect(storageClassText({}, undefined)).toBe("");
  });
});
