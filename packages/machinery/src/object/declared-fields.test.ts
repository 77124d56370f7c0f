import { describe, expect, it } from "vitest";
import { encodeJson } from "../json/json-encode.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { deepCopy, deepFreeze, edit } from "../json/readonly.ts";
import { declaredFieldsOf, withDeclaredFields } from "./declared-fields.ts";

const fields = Object.freeze(["spec.nodeName"]);
const limited = () => withDeclaredFields({ metadata: { name: "a" }, spec: { nodeName: "n" } }, fields);

describe("declaredFieldsOf", () => {
  it("finds the fields of a marked object, and none of any other", () => {
    expect(declaredFieldsOf(limited())).toBe(fields);
    expect(declaredFieldsOf({ metadata: {} })).toBeUndefined();
    expect(declaredFieldsOf(Object.create(limited()) as object)).toBeUndefined();
  });

  it("finds them in a frozen object, and in changed copies of it", () => {
    const object = deepFreeze(limited());
    for (const copy of [{ ...object, spec: {} }, deepCopy(object), edit(object, (draft) => (draft.spec.nodeName = "m"))])
      expect(declaredFieldsOf(copy)).toBe(fields);
  });

  it("is invisible in JSON, among the keys and to comparisons", () => {
    const plain = { metadata: { name: "a" }, spec: { nodeName: "n" } };
    expect(encodeJson(limited())).toBe(encodeJson(plain));
    expect(Object.keys(limited())).toEqual(["metadata", "spec"]);
    expect(jsonEqual(limited(), plain)).toBe(true);
  });
});
