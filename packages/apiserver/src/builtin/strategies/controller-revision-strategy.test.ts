import type { ControllerRevision } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { controllerRevisionStrategy } from "./controller-revision-strategy.ts";
import { texts } from "../../testing/workload-sample.ts";

const revision = (data: unknown, number = 1): ControllerRevision =>
  ({ metadata: { name: "r" }, revision: number, data }) as ControllerRevision;

describe("ControllerRevision strategy", () => {
  it("requires data, which must be an object", () => {
    expect(controllerRevisionStrategy.validate?.(revision({ a: 1 }))).toEqual([]);
    expect(texts(controllerRevisionStrategy.validate?.(revision(null)))).toEqual(["data: Required value: data is mandatory"]);
    expect(texts(controllerRevisionStrategy.validate?.(revision([1], -1)))).toEqual([
      "revision: Invalid value: -1: must be greater than or equal to 0",
      "data: Required value: data must be a valid JSON object",
    ]);
  });

  it("keeps data immutable, but not the revision", () => {
    expect(controllerRevisionStrategy.validateUpdate?.(revision({ a: 1 }, 2), revision({ a: 1 }))).toEqual([]);
    expect(texts(controllerRevisionStrategy.validateUpdate?.(revision({ a: 2 }), revision({ a: 1 })))).toEqual([
      'data: Invalid value: {"a":2}: field is immutable',
    ]);
  });
});
