import { builtInMergeType } from "@drover/machinery";
import type { JsonObject, Schema } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { admissionEnvironment } from "../../cel/admission/admission-environment.ts";
import { compileAdmissionExpression } from "../../cel/admission/admission-expression.ts";
import { isFailure } from "../../cel/value/failure.ts";
import { applyConfiguration } from "./apply-configuration.ts";

const schema: Schema = {
  type: "object",
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    spec: {
      type: "object",
      properties: {
        size: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
        names: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        free: { type: "object", additionalProperties: { type: "string" } },
      },
    },
  },
};
const environment = admissionEnvironment({ hasParams: false, hasAuthorizer: false, hasPatchTypes: true });

function apply(object: JsonObject, text: string): JsonObject {
  const compiled = compileAdmissionExpression(text, environment);
  if ("problem" in compiled) throw new Error(compiled.problem);
  const { outcome } = compiled.program(new Map(), 1_000_000);
  if (isFailure(outcome)) throw new Error(outcome.message);
  return applyConfiguration(object, outcome, builtInMergeType(schema));
}

describe("applyConfiguration", () => {
  it("merges and keeps what is not mentioned", () => {
    expect(
      apply({ apiVersion: "v1", kind: "K", spec: { size: 1, names: ["a"] } }, "Object{spec: Object.spec{names: ['b'], free: {'x': 'y'}}}"),
    ).toEqual({
      apiVersion: "v1",
      kind: "K",
      spec: { size: 1, names: ["a", "b"], free: { x: "y" } },
    });
  });

  it("refuses atomic lists, unknown fields, wrong values and wrong type names", () => {
    expect(() => apply({}, "Object{spec: Object.spec{tags: ['a']}}")).toThrow(
      "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.tags",
    );
    expect(() => apply({}, "Object{nope: 1}")).toThrow(".nope: field not declared in schema");
    expect(() => apply({}, "Object{spec: Object.spec{size: 'x'}}")).toThrow("failed to convert patch object to typed object");
    expect(() => apply({}, "Object{spec: Object.other{size: 1}}")).toThrow(
      'type mismatch: unexpected type name "Object.other", expected "Object.spec", which matches field name path from root Object type',
    );
  });
});
