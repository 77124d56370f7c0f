import { describe, expect, it } from "vitest";
import { PoisonObjectError } from "./poison-object-error.ts";

describe("PoisonObjectError", () => {
  it("names kind, key, version and the problem", () => {
    const cause = new Error("unexpected end");
    const error = new PoisonObjectError("not JSON", { kind: "Pod", key: "shop/web-0", resourceVersion: "41", cause });
    expect(error.message).toBe('Pod "shop/web-0" at version 41 cannot be decoded: not JSON');
    expect(error.cause).toBe(cause);
    expect(error.report).toEqual({ key: "shop/web-0", resourceVersion: "41", message: error.message });
  });

  it("says when the object has no name", () => {
    expect(new PoisonObjectError("not JSON").message).toBe("object without a name cannot be decoded: not JSON");
  });
});
