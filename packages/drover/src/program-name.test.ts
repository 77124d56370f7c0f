import { expect, it } from "vitest";
import { defaultUserAgent } from "./program-name.ts";

it("names the program, and the machine as other clients of Kubernetes name it", () => {
  expect(defaultUserAgent()).toMatch(/^[\w.-]+\/unknown \((?:linux|darwin|windows)\/(?:amd64|arm64|386)\) drover\/unknown$/);
});
