import type { Secret } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setSecretDefaults } from "./secret-defaults.ts";

describe("a secret", () => {
  it("is opaque unless it says otherwise", () => {
    const secrets: Secret[] = [{ metadata: {} }, { metadata: {}, type: "example.com/x" }];
    secrets.forEach(setSecretDefaults);
    expect(secrets.map(({ type }) => type)).toEqual(["Opaque", "example.com/x"]);
  });
});
