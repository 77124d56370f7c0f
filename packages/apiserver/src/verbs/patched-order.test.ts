import { encodeJson } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { inPatchedOrder } from "./patched-order.ts";

const value = { z: { y: 1, x: 2 }, b: { d: 1, c: 2 }, a: [{ q: 1, p: 2 }] };

describe("inPatchedOrder", () => {
  it("sorts keys only in objects that a merge patch touched", () => {
    expect(encodeJson(inPatchedOrder(value, { type: "merge", document: { b: { c: 2 } }, problems: [] }))).toBe(
      '{"a":[{"q":1,"p":2}],"b":{"c":2,"d":1},"z":{"y":1,"x":2}}',
    );
  });
  it("ignores what precedes the first slash of a path, as the JSON patch does", () => {
    expect(
      encodeJson(
        inPatchedOrder(value, {
          type: "json",
          operations: [
            { op: "add", path: "nope/b/~c", value: 1 },
            { op: "remove", path: "" },
          ],
          problems: [],
        }),
      ),
    ).toBe('{"a":[{"q":1,"p":2}],"b":{"c":2,"d":1},"z":{"y":1,"x":2}}');
  });
  it("sorts keys along the paths of JSON patch operations", () => {
    expect(encodeJson(inPatchedOrder(value, { type: "json", operations: [{ op: "remove", path: "/a/0/r" }], problems: [] }))).toBe(
      '{"a":[{"p":2,"q":1}],"b":{"d":1,"c":2},"z":{"y":1,"x":2}}',
    );
  });
});
