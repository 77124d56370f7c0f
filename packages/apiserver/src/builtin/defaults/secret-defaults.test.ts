import type { Secret } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setSecretDefaults } from "./secret-defaults.ts";

describe("defaults of Secret", () => {
  it("set the type Opaque", () => {
    const secrets: Secret[] = [{ metadata: {} }, { metadata: {}, type: "example.com/x" }];
    secrets.forEach(setSecretDefaults);
    expect(secrets.map(({ type }) => type)).toEqual(["Opaque", "example.com/x"]);
  });
  it("merge stringData into data, stringData wins", () => {
    const secret: Secret = { metadata: {}, type: "x", data: { a: "eA==", b: "eQ==" }, stringData: { a: "new", __proto__x: "z" } };
    setSecretDefaults(secret);
    expect(secret).toEqual({ metadata: {}, type: "x", data: { a: "bmV3", b: "eQ==", __proto__x: "eg==" } });
  });
  it("keep keys such as __proto__", () => {
    const secret = JSON.parse('{"metadata":{"name":"a"},"stringData":{"__proto__":"x"}}') as Secret;
    setSecretDefaults(secret);
    expect(Object.entries(secret.data ?? {})).toEqual([["__proto__", "eA=="]]);
  });
});
