import { describe, expect, it } from "vitest";
import { validateMetadataAgain } from "./metadata-again.ts";

describe("metadata that is judged again", () => {
  it("is judged as that of a new object, finalizers included", () => {
    expect(validateMetadataAgain({ name: "a", namespace: "b" })).toEqual([]);
    expect(
      validateMetadataAgain({ name: "a", namespace: "b", labels: { a: "not valid!" }, finalizers: ["foo"] }).map(({ field }) => field),
    ).toEqual(["metadata.labels", "metadata.finalizers[0]"]);
  });
});
