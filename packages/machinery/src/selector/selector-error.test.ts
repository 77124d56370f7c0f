import { expect, it } from "vitest";
import { SelectorError } from "./selector-error.ts";

it("SelectorError has its name", () => {
  expect(String(new SelectorError("found ''"))).toBe("SelectorError: found ''");
});
