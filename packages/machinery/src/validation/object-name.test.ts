import { describe, expect, it } from "vitest";
import { checkLabel1035Name, checkLabelName, checkPathSegmentName, checkSubdomainName } from "./object-name.ts";

describe("object name checks", () => {
  it("accept a trailing dash in generateName", () => {
    expect([
      checkSubdomainName("web-", { prefix: true }),
      checkLabelName("web-", { prefix: true }),
      checkLabel1035Name("web-", { prefix: true }),
    ]).toEqual([[], [], []]);
    expect([checkSubdomainName("web-"), checkLabelName("web-"), checkLabel1035Name("web-")].map((problems) => problems.length)).toEqual([
      1, 1, 1,
    ]);
  });

  it("ignore the character before such a dash too, as the server does", () => {
    expect([
      checkLabelName("a.-", { prefix: true }),
      checkLabelName("a--", { prefix: true }),
      checkLabelName("aA-", { prefix: true }),
    ]).toEqual([[], [], []]);
    expect(checkLabelName("-", { prefix: true })).toHaveLength(1);
    expect([checkLabelName("é-", { prefix: true }), checkLabelName("a😀-", { prefix: true })].map((problems) => problems.length)).toEqual([
      1, 1,
    ]);
  });

  it("require a name that fits into a path", () => {
    expect([
      checkPathSegmentName("system:foo"),
      checkPathSegmentName("."),
      checkPathSegmentName(".."),
      checkPathSegmentName("a/b%"),
      checkPathSegmentName("..", { prefix: true }),
    ]).toEqual([[], ["may not be '.'"], ["may not be '..'"], ["may not contain '/'", "may not contain '%'"], []]);
  });
});
