import { describe, expect, it } from "vitest";
import { printFieldError } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { checkScaleSpec, checkScaleStatus, keysOfPath } from "./scale-rules.ts";

const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.n", labelSelectorPath: ".status.selector" };
const errorsOf = (object: JsonObject): string[] =>
  [...checkScaleSpec(object, scale), ...checkScaleStatus(object, scale)].map(printFieldError);

describe("fields of the scale subresource", () => {
  it("may be absent, non-negative 32-bit integers, or a string selector", () => {
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ spec: { replicas: 3 }, status: { n: 0, selector: "a=b" } })).toEqual([]);
    expect(errorsOf({ spec: { replicas: -1 }, status: { n: 2 ** 31 } })).toEqual([
      ".spec.replicas: Invalid value: -1: should be a non-negative integer",
      ".status.n: Invalid value: 2147483648: should be less than or equal to 2147483647",
    ]);
  });

  it("are refused in client-go's words for other types", () => {
    expect(errorsOf({ spec: { replicas: "3" }, status: { selector: 1 } })).toEqual([
      ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: 3 is of the type string, expected int64",
      '.status.selector: Invalid value: "": .status.selector accessor error: 1 is of the type int64, expected string',
    ]);
    expect(errorsOf({ spec: "x" })).toEqual([
      ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected map[string]interface{}",
    ]);
  });

  it("are addressed by paths with or without a leading dot", () => {
    expect([keysOfPath(".spec.replicas"), keysOfPath("spec.replicas")]).toEqual([
      ["spec", "replicas"],
      ["spec", "replicas"],
    ]);
  });
});
