import { StorageClass } from "@drover/api/storage/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("StorageClass table", () => {
  it("prints the defaults", () => {
    expect(printed(StorageClass, { provisioner: "p" })).toEqual({
      Name: "web",
      Provisioner: "p",
      ReclaimPolicy: "Delete",
      VolumeBindingMode: "Immediate",
      AllowVolumeExpansion: false,
      Age: "5m",
    });
    expect(
      printed(StorageClass, {
        provisioner: "p",
        reclaimPolicy: "Retain",
        volumeBindingMode: "WaitForFirstConsumer",
        allowVolumeExpansion: true,
      }),
    ).toMatchObject({ ReclaimPolicy: "Retain", VolumeBindingMode: "WaitForFirstConsumer", AllowVolumeExpansion: true });
  });

  it("marks the default class by either annotation", () => {
    const annotated = (annotation: string, value: string): object =>
      printed(StorageClass, { metadata: { annotations: { [annotation]: value } }, provisioner: "p" });
    expect(annotated("storageclass.kubernetes.io/is-default-class", "true")).toMatchObject({ Name: "web (default)" });
    expect(annotated("storageclass.beta.kubernetes.io/is-default-class", "true")).toMatchObject({ Name: "web (default)" });
    expect(annotated("storageclass.kubernetes.io/is-default-class", "1")).toMatchObject({ Name: "web" });
  });
});
