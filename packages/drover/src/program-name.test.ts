import { expect, it } from "vitest";
import { defaultUserAgent } from "./program-name.ts";

it("defaultUserAgent names the program, and the machine in Go's terms", () => {
  expect(defaultUserAgent()).toMatch(/^[\w.-]+\/unknown \((?:linux|darwin|windows)\/(?:amd64|arm64|386)\) drover\/unknown$/);
});
