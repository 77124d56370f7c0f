import { expect, it } from "vitest";
import { MistakeError } from "./mistake-error.ts";

it("MistakeError prints what, where and the fix with aligned lines", () => {
  const error = new MistakeError({ where: "controller of WebApp", what: "it does nothing", fix: "one line\nanother" });
  expect(error.message).toBe("controller of WebApp: it does nothing\n  fix: one line\n       another");
  expect(error.mistake.fix).toBe("one line\nanother");
});
