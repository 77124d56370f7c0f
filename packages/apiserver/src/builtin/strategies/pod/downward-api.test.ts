import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateDownwardApiVolume } from "./downward-api.ts";

describe("validateDownwardApiVolume", () => {
  it("requires exactly one of fieldRef and resourceFieldRef", () => {
    expect(
      validateDownwardApiVolume({ items: [{ path: "a", fieldRef: { apiVersion: "v1", fieldPath: "metadata.labels" } }] }, "d"),
    ).toEqual([]);
    expect(texts(validateDownwardApiVolume({ items: [{ path: "a" }] }, "d"))).toEqual([
      "d: Required value: one of fieldRef and resourceFieldRef is required",
    ]);
  });

  it("validates path and mode", () => {
    expect(
      texts(
        validateDownwardApiVolume(
          { defaultMode: -1, items: [{ path: "", fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" }, mode: 512 }] },
          "d",
        ),
      ),
    ).toEqual([
      "d.defaultMode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive",
      "d.path: Required value",
      "d.mode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
    ]);
  });
});
