import { expect, it } from "vitest";
import { SelectorError } from "./selector-error.ts";

it("is an error that says its name", () => {
  expect(String(new SelectorError("found ''"))).toBe("SelectorError: found ''");
});
