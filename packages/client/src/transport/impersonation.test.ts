import type { HttpHeaders, HttpRequest } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Impersonation } from "../kubeconfig/cluster-access.ts";
import { impersonate, impersonationHeaders } from "./impersonation.ts";

async function sent(impersonation: Impersonation, headers: HttpHeaders): Promise<HttpHeaders> {
  let seen: HttpRequest | undefined;
  await impersonate(impersonation)((request) => {
    seen = request;
    return Promise.resolve({ status: 200, headers: {}, body: "" });
  })({ method: "GET", path: "/", headers });
  return seen?.headers ?? {};
}

describe("impersonate", () => {
  it("sends user, uid, every group and every extra value", async () => {
    expect(await sent({ user: "jane", uid: "7", groups: ["dev", "ops"], extra: { scopes: ["view", "edit"] } }, { accept: "x" })).toEqual({
      accept: "x",
      "impersonate-user": "jane",
      "impersonate-uid": "7",
      "impersonate-group": ["dev", "ops"],
      "impersonate-extra-scopes": ["view", "edit"],
    });
  });

  it("sends nothing for absent fields", async () => {
    expect(await sent({ user: "jane", uid: "", groups: [], extra: { none: [] } }, {})).toEqual({ "impersonate-user": "jane" });
  });

  it("keeps a request's own impersonation headers", async () => {
    expect(await sent({ user: "jane", groups: ["dev"] }, { "impersonate-user": "joe" })).toEqual({ "impersonate-user": "joe" });
    expect(await sent({ user: "jane" }, { "impersonate-user": "" })).toEqual({ "impersonate-user": "jane" });
  });

  it("escapes keys as the server expects, in lower case", () => {
    const names = (extra: Record<string, string[]>): string[] => Object.keys(impersonationHeaders({ user: "u", extra })).slice(1);
    expect(names({ "example.com/Some Thing": ["1"], "50%": ["2"], ä: ["3"] })).toEqual([
      "impersonate-extra-example.com%2fsome%20thing",
      "impersonate-extra-50%25",
      "impersonate-extra-%c3%a4",
    ]);
    expect(names({ ["__proto__"]: ["1"], constructor: ["2"] })).toEqual(["impersonate-extra-__proto__", "impersonate-extra-constructor"]);
    expect(impersonationHeaders({ user: "u", extra: { A: ["1"], a: ["2"] } })["impersonate-extra-a"]).toEqual(["1", "2"]);
  });

  it("returns valid header names that decode to the key in lower case, for any key", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (key) => {
        const [, name = ""] = Object.keys(impersonationHeaders({ user: "u", extra: { [key]: ["v"] } }));
        expect(name).toMatch(/^[!#$%&'*+\-.^_`|~0-9a-z]+$/);
        const lowered = new TextDecoder()
          .decode(new TextEncoder().encode(`x${key}`))
          .slice(1)
          .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
        expect(decodeURIComponent(name.slice("impersonate-extra-".length))).toBe(lowered);
      }),
    );
  });

  it("rejects what the server would reject, or what cannot be sent", () => {
    expect(() => impersonationHeaders({ user: "", groups: ["g"] })).toThrow("impersonation has no user");
    expect(() => impersonationHeaders({ user: "u", extra: { "": ["v"] } })).toThrow("without a key");
    expect(() => impersonationHeaders({ user: "u", groups: ["g\r\nimpersonate-group: system:masters"] })).toThrow(
      "the value for impersonate-group contains a control character",
    );
    expect(() => impersonationHeaders({ user: "u\0" })).toThrow("impersonate-user");
  });
});
