import { expect, it } from "vitest";

import { printGoSyntax } from "./go-syntax.ts";

it("printGoSyntax prints values in Go syntax", () => {
  expect(printGoSyntax({ b: [1, 1.5, null, true], a: 'x"' })).toBe(
    'map[string]interface {}{"a":"x\\"", "b":[]interface {}{1, 1.5, interface {}(nil), true}}',
  );
  expect(printGoSyntax(2n ** 60n)).toBe("1152921504606846976");
});
