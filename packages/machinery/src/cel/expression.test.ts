import { describe, expect, it } from "vitest";
import { partsOf, qualifiedName } from "./expression.ts";
import { parseExpression } from "./parser.ts";

describe("CEL expressions", () => {
  it("list their parts, and qualifiedName excludes calls and presence tests", () => {
    const parsed = parseExpression("a.b.c");
    const called = parseExpression("f(1, 2)");
    if (!("expression" in parsed) || !("expression" in called)) throw new Error("not read");
    expect(qualifiedName(parsed.expression)).toBe("a.b.c");
    expect(qualifiedName(called.expression)).toBeUndefined();
    expect(partsOf(called.expression)).toHaveLength(2);
  });
});
