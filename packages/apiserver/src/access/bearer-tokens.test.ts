import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenCredentials } from "./authenticator.ts";
import { bearerToken, bearerTokenWarning, bearerTokens } from "./bearer-tokens.ts";

const user = (name: string): { readonly name: string; readonly groups: readonly string[] } => ({ name, groups: [] });

describe("bearerTokens", () => {
  it("parses the Authorization header as kube-apiserver does", () => {
    expect(bearerToken({ authorization: "Bearer abc" })).toBe("abc");
    expect(bearerToken({ authorization: "  bEaReR abc def " })).toBe("abc");
    expect(bearerToken({ authorization: ["Bearer first", "Bearer second"] })).toBe("first");
    for (const authorization of ["", "Bearer", "Bearer ", "Bearer  abc", "Basic YTpi", "abc"])
      expect(bearerToken({ authorization })).toBeUndefined();
    expect(bearerToken({})).toBeUndefined();
  });

  it("warns about a token after two spaces", () => {
    expect(bearerTokenWarning({ authorization: "Bearer  abc" })).toBe(
      "the provided Authorization header contains extra space before the bearer token, and is ignored",
    );
    for (const authorization of ["", "Bearer ", "Bearer abc  def", "Basic  abc"])
      expect(bearerTokenWarning({ authorization })).toBeUndefined();
  });

  it("returns the user of a known token and refuses others", async () => {
    const ask = bearerTokens([
      { token: "one", user: user("a") },
      { token: "twö", user: user("b") },
    ]);
    expect(await ask(tokenCredentials("one"))).toEqual({ kind: "user", user: user("a") });
    expect(await ask(tokenCredentials("twö"))).toEqual({ kind: "user", user: user("b") });
    for (const wrong of ["on", "onee", "oneone", "two", "tw", "ONE"])
      expect(await ask(tokenCredentials(wrong))).toEqual({ kind: "refused", reason: "invalid bearer token" });
    expect(await ask({ ...tokenCredentials("x"), headers: {} })).toEqual({ kind: "none" });
  });

  it("refuses an empty static token", () => {
    expect(() => bearerTokens([{ token: "", user: user("a") }])).toThrow('the token of user "a" is empty');
  });

  it("accepts only identical tokens (X30)", async () => {
    const token = fc.stringMatching(/^[a-c]{1,6}$/);
    await fc.assert(
      fc.asyncProperty(token, token, async (known, given) => {
        const { kind } = await bearerTokens([{ token: known, user: user("a") }])(tokenCredentials(given));
        expect(kind).toBe(known === given ? "user" : "refused");
      }),
    );
  });
});
