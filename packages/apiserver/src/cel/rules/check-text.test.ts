import { describe, expect, it } from "vitest";
import { admissionEnvironment } from "../admission/admission-environment.ts";
import { checkText } from "./check-text.ts";

const environment = admissionEnvironment({ hasParams: false, hasAuthorizer: false });

describe("checkText", () => {
  it("returns the type of an expression", () => {
    expect(checkText("object.a == 1", environment)).toMatchObject({ type: { kind: "bool" } });
  });

  it("returns syntax errors, type errors and wrong literals as one text", () => {
    for (const text of ["1 +", "nope", "duration('x')"]) expect(checkText(text, environment)).toHaveProperty("issues");
    const checked = checkText("1 + 'a' == b", environment);
    expect("issues" in checked ? checked.issues : "").toMatch(/^ERROR: [^]*\nERROR: /);
  });
});
