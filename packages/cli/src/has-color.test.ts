import { expect, it } from "vitest";
import { hasColor } from "./has-color.ts";

it("hasColor is true only on a terminal with colours, unless NO_COLOR is set and not empty", () => {
  const terminal = { isTTY: true };
  expect(hasColor(terminal, {})).toBe(true);
  expect(hasColor(terminal, { NO_COLOR: "" })).toBe(true);
  expect(hasColor(terminal, { NO_COLOR: "1" })).toBe(false);
  expect(hasColor(terminal, { TERM: "dumb" })).toBe(false);
  expect(hasColor({}, {})).toBe(false);
});
