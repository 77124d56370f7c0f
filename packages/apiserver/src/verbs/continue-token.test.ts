import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeContinue, encodeContinue } from "./continue-token.ts";

const encoded = (value: unknown): string => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

describe("continue tokens", () => {
  it("are encoded as kube-apiserver does", () => {
    expect(encodeContinue({ revision: 7, after: "default/a" })).toBe(encoded({ v: "meta.k8s.io/v1", rv: 7, start: "default/a\0" }));
  });
  it("decode to the revision and key they encode", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.stringMatching(/^[a-zé]{1,20}(\/[a-z.-]{1,20})?$/), (revision, after) => {
        fc.pre(!after.includes(".."));
        expect(decodeContinue(encodeContinue({ revision, after }))).toEqual({ revision, after });
      }),
    );
  });
  it.each([
    ["abc%", /illegal base64 data at input byte 3/],
    [encoded({ v: "v2", rv: 1, start: "a\0" }), /server does not recognize this encoded version v2/],
    [encoded({ v: "meta.k8s.io/v1", rv: 0, start: "a\0" }), /incorrect encoded start resourceVersion \(version meta.k8s.io\/v1\)/],
    [encoded({ v: "meta.k8s.io/v1", rv: 1, start: "" }), /encoded start key empty/],
    [encoded({ v: "meta.k8s.io/v1", rv: 1, start: "../secrets/x\0" }), /continue key is not valid/],
  ])("decodeContinue refuses %s with kube-apiserver's message", (token, message) => {
    expect(() => decodeContinue(token)).toThrow(message);
    expect(() => decodeContinue(token)).toThrow("invalid continue token: ");
  });
});
