import { describe, expect, it } from "vitest";
import { wantedUser } from "./wanted-user.ts";

describe("wantedUser", () => {
  it("returns undefined without impersonation headers", () => {
    expect(wantedUser({ accept: "*/*", "impersonate-user": "" })).toBeUndefined();
  });

  it("returns the user with groups, uid and extra", () => {
    expect(
      wantedUser({
        "impersonate-user": "bob",
        "impersonate-group": ["dev", "a,b"],
        "impersonate-uid": "7",
        "impersonate-extra-acme.com%2fscope": ["x", "y"],
        "impersonate-extra-50%": "z",
      }),
    ).toEqual({
      name: "bob",
      uid: "7",
      groups: ["dev", "a,b"],
      extra: { "acme.com/scope": ["x", "y"], "50%": ["z"] },
    });
  });

  it("unescapes keys of extra", () => {
    const extra =
      wantedUser({ "impersonate-user": "bob", "impersonate-extra-__proto__": "x", "impersonate-extra-constructor": "y" })?.extra ?? {};
    expect(Object.entries(extra)).toEqual([
      ["__proto__", ["x"]],
      ["constructor", ["y"]],
    ]);
  });

  // Both texts were recorded from a real server.
  it("refuses groups, uid or extra without a user", () => {
    expect(() => wantedUser({ "impersonate-group": "dev", "impersonate-uid": "7" })).toThrow(
      'requested &user.DefaultInfo{Name:"", UID:"7", Groups:[]string{"dev"}, Extra:map[string][]string(nil)} without impersonating a user name',
    );
    expect(() => wantedUser({ "impersonate-extra-b": '"q"', "impersonate-extra-acme.com%2fscope": "a" })).toThrow(
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string(nil), Extra:map[string][]string{"acme.com/scope":[]string{"a"}, "b":[]string{"\\"q\\""}}} without impersonating a user name',
    );
  });
});
