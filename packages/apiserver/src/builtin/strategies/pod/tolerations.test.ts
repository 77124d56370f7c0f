import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateTolerations, validateTolerationsUpdate } from "./tolerations.ts";

describe("validateTolerations", () => {
  it("requires operator Exists for an empty key", () => {
    expect(validateTolerations([{ operator: "Exists" }], "t")).toEqual([]);
    expect(texts(validateTolerations([{}], "t"))).toEqual([
      't[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ]);
  });

  it("allows tolerationSeconds for NoExecute only", () => {
    expect(texts(validateTolerations([{ key: "a", tolerationSeconds: 1 }], "t"))).toEqual([
      "t[0].effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set",
    ]);
  });

  it("refuses feature-gated operators", () => {
    expect(texts(validateTolerations([{ key: "a", operator: "Gt", value: "1" }], "t"))).toEqual([
      't[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"',
    ]);
    expect(texts(validateTolerations([{ key: "a", operator: "Exists", value: "x" }], "t"))).toEqual([
      "t[0].operator: Invalid value: \"x\": value must be empty when `operator` is 'Exists'",
    ]);
  });

  it("validateTolerationsUpdate allows additions and other tolerationSeconds", () => {
    const old = [{ key: "a", operator: "Exists" as const, effect: "NoExecute" as const, tolerationSeconds: 3 }];
    expect(
      validateTolerationsUpdate(
        [
          { key: "b", operator: "Exists" },
          { ...old[0], tolerationSeconds: 9 },
        ],
        old,
        "t",
      ),
    ).toEqual([]);
    expect(texts(validateTolerationsUpdate([], old, "t"))).toEqual([
      "t: Forbidden: existing toleration can not be modified except its tolerationSeconds",
    ]);
  });
});
