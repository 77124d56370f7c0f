import { describe, expect, it } from "vitest";

import { applyConflictStatus } from "./apply-conflict.ts";
import { fieldSetOf } from "./field-set.ts";
import { managerIdentity } from "./managed-fields.ts";
import type { Manager } from "./managed-fields.ts";

const manager = (name: string, more: Partial<Manager> = {}): Manager => ({
  manager: name,
  operation: "Apply",
  apiVersion: "v1",
  subresource: "",
  time: undefined,
  fields: {},
  ...more,
});
const statusOf = (...list: readonly (readonly [Manager, ReturnType<typeof fieldSetOf>])[]): ReturnType<typeof applyConflictStatus> =>
  applyConflictStatus(
    new Map(list.map(([each, fields]) => [managerIdentity(each), fields])),
    new Map(list.map(([each]) => [managerIdentity(each), each])),
    { integers: false },
  );

describe("applyConflictStatus", () => {
  it("names one conflict in one line", () => {
    expect(statusOf([manager("a"), fieldSetOf(["f:data", "f:a"])])).toMatchObject({
      code: 409,
      reason: "Conflict",
      message: 'Apply failed with 1 conflict: conflict with "a": .data.a',
      details: { causes: [{ reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".data.a" }] },
    });
  });

  it("names version and subresource of a manager", () => {
    expect(statusOf([manager("k", { operation: "Update", subresource: "status" }), fieldSetOf(["f:x"])]).message).toBe(
      'Apply failed with 1 conflict: conflict with "k" with subresource "status" using v1: .x',
    );
  });

  it("groups several conflicts by manager", () => {
    expect(
      statusOf(
        [manager("b"), fieldSetOf(["f:y"])],
        [manager("a", { operation: "Update" }), fieldSetOf(["f:x", 'k:{"port":1000000}'], ["f:w"])],
      ).message,
    ).toBe('Apply failed with 3 conflicts: conflicts with "a" using v1:\n- .w\n- .x[port=1e+06]\nconflicts with "b":\n- .y');
  });
});
