import { ConfigMap, Pod } from "@drover/api/core/v1";
import { expect, it } from "vitest";
import { valueByKind } from "./kind-values.ts";

it("valueByKind finds the value of a kind by its name, and undefined for others", () => {
  const workers = valueByKind("kindWorkers", [[Pod, 50]]);
  expect([workers({ group: "", version: "v1", kind: "Pod" }), workers(ConfigMap), valueByKind("kindWorkers")(Pod)]).toEqual([
    50,
    undefined,
    undefined,
  ]);
});

it("valueByKind rejects a kind that occurs twice", () => {
  expect(() =>
    valueByKind("kindWorkers", [
      [Pod, 1],
      [{ group: "", version: "v1", kind: "Pod" }, 2],
    ]),
  ).toThrow("kindWorkers names /v1, Kind=Pod twice; remove one of the two");
});
