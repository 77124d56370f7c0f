import { describe, expect, it } from "vitest";
import { codedText, fieldsCode, problemCode, withCode } from "./problem-code.ts";

const coded = (message: string, code: string): Error => Object.assign(new Error(message), { problemCode: code });

describe("withCode", () => {
  it("puts the code at the end of the first line, before the fix", () => {
    expect(withCode("desired is async", "DRV0204")).toBe("desired is async [DRV0204]");
    expect(withCode("desired is async\n  fix: …", "DRV0204")).toBe("desired is async [DRV0204]\n  fix: …");
    expect(withCode("it must not:\n  write", "DRV0204")).toBe("it must not [DRV0204]:\n  write");
    expect(withCode("desired is async", undefined)).toBe("desired is async");
  });
});

describe("problemCode", () => {
  it("finds the code of an error, or of its nearest cause", () => {
    expect(problemCode(coded("no", "DRV0310"))).toBe("DRV0310");
    const cause = new Error("between", { cause: coded("inner", "DRV0310") });
    expect(problemCode(Object.assign(new Error("outer", { cause }), { problemCode: 404 }))).toBe("DRV0310");
  });

  it("finds nothing in errors without a code, in other values, and in getters that throw", () => {
    const hostile = Object.defineProperty(new Error("no"), "problemCode", {
      get: () => {
        throw new Error("hostile");
      },
    });
    for (const value of [new Error("no"), coded("no", "DRV1"), hostile, undefined, "DRV0310", { problemCode: "DRV0310" }])
      expect(problemCode(value)).toBeUndefined();
  });
});

it("codedText adds the code once", () => {
  expect(codedText(coded("refused", "DRV0310"))).toBe("refused [DRV0310]");
  expect(codedText(coded("refused [DRV0310]", "DRV0310"))).toBe("refused [DRV0310]");
  expect(codedText(new Error("refused"))).toBe("refused");
});

it("fieldsCode finds the code of an error among fields that have none, also in fields that cannot be read", () => {
  expect(fieldsCode({ error: coded("no", "DRV0310") })).toBe("DRV0310");
  expect(fieldsCode({ error: coded("no", "DRV0310"), code: 404 })).toBeUndefined();
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(fieldsCode(proxy)).toBeUndefined();
});
