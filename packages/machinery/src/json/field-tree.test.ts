import { describe, expect, it } from "vitest";
import { fieldTree } from "./field-tree.ts";

describe("fieldTree", () => {
  it("joins paths with the same beginning", () => {
    expect(fieldTree(["spec.nodeName", "spec.hostNetwork", "status"])).toEqual(
      new Map<string, unknown>([
        [
          "spec",
          new Map([
            ["nodeName", "whole"],
            ["hostNetwork", "whole"],
          ]),
        ],
        ["status", "whole"],
      ]),
    );
  });

  it("takes all of a field when one path names it whole, in any order", () => {
    const whole = new Map([["spec", "whole"]]);
    expect(fieldTree(["spec", "spec.nodeName"])).toEqual(whole);
    expect(fieldTree(["spec.nodeName", "spec"])).toEqual(whole);
  });

  it("refuses an empty name with the path", () => {
    expect(() => fieldTree(["spec..nodeName"])).toThrow('the field "spec..nodeName" has an empty name');
    expect(() => fieldTree([""])).toThrow('the field "" has an empty name');
  });
});
