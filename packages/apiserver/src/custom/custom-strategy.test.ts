import { describe, expect, it } from "vitest";
import { compileSchema, printFieldError } from "@drover/machinery";
import type { FieldError, JsonObject, KubeObject, Schema } from "@drover/machinery";
import { customStrategy } from "./custom-strategy.ts";
import type { CustomStrategyOptions } from "./custom-strategy.ts";

const kind = { group: "ex.io", version: "v1", kind: "Widget" };
const widget = (rest: JsonObject): KubeObject => ({ apiVersion: "ex.io/v1", kind: "Widget", metadata: { name: "a" }, ...rest });
const texts = (errors: readonly FieldError[] | undefined): string[] => (errors ?? []).map(printFieldError);
const strategy = (properties: Readonly<Record<string, Schema>>, options?: CustomStrategyOptions): ReturnType<typeof customStrategy> =>
  customStrategy(kind, compileSchema({ type: "object", properties }), options);

const sets: Schema = { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" };
const resource: Schema = { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true };

describe("customStrategy", () => {
  it("finds another kind or version apart from all other errors", () => {
    const { validateType } = strategy({ spec: { type: "integer" } });
    expect(texts(validateType?.({ apiVersion: "ex.io/v2", kind: "Gadget", metadata: {}, spec: "x" } as KubeObject))).toEqual([
      'kind: Invalid value: "Gadget": must be Widget',
      'apiVersion: Invalid value: "ex.io/v2": must be ex.io/v1',
    ]);
  });

  it("validates the schema, then scale, embedded resources and list types", () => {
    const scale = { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" };
    const { validate } = strategy(
      { spec: { type: "object", properties: { a: { type: "integer" }, n: { type: "integer" }, r: resource, s: sets } } },
      { scale },
    );
    expect(texts(validate?.(widget({ spec: { a: "x", n: -1, r: { kind: "Pod" }, s: ["1", "1"] } })))).toEqual([
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
      ".spec.n: Invalid value: -1: should be a non-negative integer",
      "spec.r.apiVersion: Required value",
      'spec.s[1]: Duplicate value: "1"',
    ]);
  });

  it("tolerates unchanged errors on update, except in embedded resources", () => {
    const { validateUpdate } = strategy({
      spec: { type: "object", properties: { a: { type: "integer", maximum: 5 }, b: { type: "integer" }, r: resource, s: sets } },
    });
    const old = { a: 9, b: 1, r: {}, s: ["1", "1"] };
    expect(texts(validateUpdate?.(widget({ spec: { ...old, b: 2 } }), widget({ spec: old })))).toEqual([
      "spec.r.apiVersion: Required value",
      "spec.r.kind: Required value",
    ]);
    expect(
      texts(validateUpdate?.(widget({ spec: { ...old, a: 8, r: { apiVersion: "v1", kind: "Pod" } } }), widget({ spec: old }))),
    ).toEqual(["spec.a: Invalid value: 8: spec.a in body should be less than or equal to 5"]);
  });

  it("validates only the status at status, and tolerates unchanged errors there", () => {
    const { subresources } = strategy({
      spec: { type: "integer" },
      status: { type: "object", properties: { a: { type: "integer", maximum: 5 }, b: { type: "integer", maximum: 5 }, s: sets } },
    });
    const check = (status: JsonObject, old: JsonObject): string[] =>
      texts(subresources?.["status"]?.validateUpdate?.(widget({ spec: "odd", status }), widget({ spec: "odd", status: old })));
    expect(check({ a: 9, b: 9, s: ["x", "x"] }, { a: 9 })).toEqual([
      "status.b: Invalid value: 9: b in body should be less than or equal to 5",
      'status.s[1]: Duplicate value: "x"',
    ]);
    expect(check({ a: 9 }, { a: 9 })).toEqual([]);
    expect(texts(strategy({}).subresources?.["status"]?.validateUpdate?.(widget({ status: { any: 1 } }), widget({})))).toEqual([]);
  });

  it("warns about finalizers on create and update, but not at status", () => {
    const { warningsOnCreate, warningsOnUpdate, subresources } = strategy({});
    const held = { ...widget({}), metadata: { name: "a", finalizers: ["x"] } };
    expect(warningsOnCreate?.(held)).toHaveLength(1);
    expect(warningsOnUpdate?.(held, held)).toEqual([]);
    expect(subresources?.["status"]?.warningsOnUpdate?.(held, widget({}))).toEqual([]);
  });
});

describe("CEL rules of a custom resource", () => {
  const ruled: Readonly<Record<string, Schema>> = {
    spec: { type: "object", properties: { a: { type: "integer", maximum: 5 } }, "x-kubernetes-validations": [{ rule: "self.a > 0" }] },
  };
  const note =
    "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

  it("are reported as not evaluated only when a type is wrong", () => {
    expect(texts(strategy(ruled).validate?.(widget({ spec: { a: "x" } })))).toEqual([
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
      note,
    ]);
    expect(texts(strategy(ruled).validate?.(widget({ spec: { a: 9 } })))).toEqual([
      "spec.a: Invalid value: 9: spec.a in body should be less than or equal to 5",
    ]);
    expect(texts(strategy({ spec: { type: "integer" } }).validate?.(widget({ spec: "x" })))).toHaveLength(1);
  });

  it("are evaluated on create, and on update with warnings for unchanged values", () => {
    const { validate, validateUpdate, warningsOnUpdate } = strategy(ruled);
    expect(texts(validate?.(widget({ spec: { a: 1 } })))).toEqual([]);
    expect(texts(validate?.(widget({ spec: { a: 0 } })))).toEqual(["spec: Invalid value: failed rule: self.a > 0"]);
    expect(texts(validateUpdate?.(widget({ spec: { a: -1 } }), widget({ spec: { a: 0 } })))).toEqual([
      "spec: Invalid value: failed rule: self.a > 0",
    ]);
    const [object, old] = [widget({ spec: { a: 0 }, more: 1 }), widget({ spec: { a: 0 } })];
    expect(texts(validateUpdate?.(object, old))).toEqual([]);
    expect(warningsOnUpdate?.(object, old)).toEqual(["spec: Invalid value: failed rule: self.a > 0"]);
  });
});
