import { expect, it } from "vitest";
import { ErrIgnore, isIgnored } from "./err-ignore.ts";

it("isIgnored recognises ErrIgnore, also as the cause of another error, and nothing else", () => {
  expect([ErrIgnore, new Error("later", { cause: ErrIgnore }), new Error("ignore handler error"), undefined].map(isIgnored)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
