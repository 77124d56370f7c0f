import { describe, expect, it } from "vitest";
import { validateMetadataAgain } from "./metadata-again.ts";

describe("validateMetadataAgain", () => {
  it("validates metadata as on create, including finalizers", () => {
    expect(validateMetadataAgain({ name: "a", namespace: "b" })).toEqual([]);
    expect(
      validateMetadataAgain({ name: "a", namespace: "b", labels: { a: "not valid!" }, finalizers: ["foo"] }).map(({ field }) => field),
    ).toEqual(["metadata.labels", "metadata.finalizers[0]"]);
  });
});
