import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { jwtExpiry } from "./jwt.ts";

const jwt = (claims: string): Secret => new Secret(`e30.${Buffer.from(claims).toString("base64url")}.c2ln`);

describe("jwtExpiry", () => {
  it("reads whole and fractional seconds", () => {
    expect(jwtExpiry(jwt('{"exp":1767225600}'))).toBe(1_767_225_600_000);
    expect(jwtExpiry(jwt('{"exp":1767225600.5,"name":"ä?>~"}'))).toBe(1_767_225_600_500);
  });

  it("returns Infinity for a token without expiry, or with one beyond the calendar", () => {
    for (const claims of ["{}", '{"exp":"soon"}', '{"exp":1e300}', '{"exp":99999999999999999999}'])
      expect(jwtExpiry(jwt(claims))).toBe(Infinity);
    expect(jwtExpiry(jwt('{"exp":-5}'))).toBe(0);
  });

  it("returns undefined for anything that is not a token", () => {
    for (const text of ["", "abc", "a.b", "a.b.c.d", "e30.%%%.x", "e30.e30"]) expect(jwtExpiry(new Secret(text))).toBeUndefined();
    for (const claims of ["[]", "{", "null", "\xff"]) expect(jwtExpiry(jwt(claims))).toBeUndefined();
  });
});
