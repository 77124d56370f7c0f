import { Secret } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { FileError } from "../host.ts";
import type { OidcConfig } from "../kubeconfig/cluster-access.ts";
import { jsonResponse, scriptedTransport } from "../testing/scripted-transport.ts";
import { oidcSource } from "./oidc.ts";
import type { OidcSourceOptions } from "./oidc.ts";

const start = 1_767_225_600;
const jwt = (name: string, secondsFromStart: number): string =>
  `e30.${Buffer.from(JSON.stringify({ name, exp: start + secondsFromStart })).toString("base64url")}.c2ln`;
const config = { issuerUrl: "https://issuer.example", clientId: "drover" };

function setUp(changes: Partial<OidcConfig>, grants: readonly (object | Error)[], options: Partial<OidcSourceOptions> = {}) {
  const { clock, log } = testRuntime();
  let granted = 0;
  const refreshTokens: string[] = [];
  const server = scriptedTransport(({ method, body }): HttpResponse => {
    if (method === "GET") return jsonResponse({ token_endpoint: "https://issuer.example/token" });
    refreshTokens.push(new URLSearchParams(body).get("refresh_token") ?? "");
    const grant = grants[granted++] ?? new Error("no more grants");
    if (grant instanceof Error) throw grant;
    return jsonResponse(grant);
  });
  const source = oidcSource({ ...config, ...changes }, { clock, log, transportTo: () => server, ...options });
  return { clock, log, server, source, refreshTokens, header: async () => (await source.header({}))?.reveal() };
}

describe("oidcSource", () => {
  it("sends the given id token without calling the issuer", async () => {
    const { server, header } = setUp({ idToken: new Secret(jwt("first", 60)) }, []);
    expect(await header()).toBe(`Bearer ${jwt("first", 60)}`);
    expect(server.requests).toHaveLength(0);
  });

  it("refreshes ten seconds, or expirySkewMs, before the expiry, once for many calls", async () => {
    for (const [options, skew] of [
      [{}, 10],
      [{ expirySkewMs: 25_000 }, 25],
    ] as const) {
      const { clock, server, header } = setUp(
        { idToken: new Secret(jwt("first", 60)), refreshToken: new Secret("r1") },
        [{ id_token: jwt("second", 600) }],
        options,
      );
      await clock.advance((60 - skew) * 1000 - 1);
      expect(await header()).toBe(`Bearer ${jwt("first", 60)}`);
      await clock.advance(1);
      expect(new Set(await Promise.all([header(), header(), header()]))).toEqual(new Set([`Bearer ${jwt("second", 600)}`]));
      expect(server.requests).toHaveLength(2);
    }
  });

  it("gets the first id token from the issuer if there is none, or none that can be read", async () => {
    for (const idToken of [undefined, "nonsense"]) {
      const { header } = setUp({ ...(idToken === undefined ? {} : { idToken: new Secret(idToken) }), refreshToken: new Secret("r1") }, [
        { id_token: jwt("first", 60) },
      ]);
      expect(await header()).toBe(`Bearer ${jwt("first", 60)}`);
    }
  });

  it("uses and persists the next refresh token", async () => {
    const kept: (string | undefined)[][] = [];
    const persist: OidcConfig["persist"] = async ({ idToken, refreshToken }) => void kept.push([idToken.reveal(), refreshToken?.reveal()]);
    const { clock, header, refreshTokens } = setUp({ refreshToken: new Secret("r1"), persist }, [
      { id_token: jwt("a", 60), refresh_token: "r2" },
      { id_token: jwt("b", 120) },
      { id_token: jwt("c", 180) },
    ]);
    for (let minute = 0; minute < 3; minute++) {
      await header();
      await clock.advance(60_000);
    }
    expect(refreshTokens).toEqual(["r1", "r2", "r2"]);
    expect(kept).toEqual([
      [jwt("a", 60), "r2"],
      [jwt("b", 120), undefined],
      [jwt("c", 180), undefined],
    ]);
  });

  it("uses new tokens even if they cannot be persisted, and logs that without the tokens", async () => {
    const persist = (): Promise<void> => Promise.reject(new Error("cannot write canary"));
    const { log, header } = setUp({ refreshToken: new Secret("r1"), persist }, [{ id_token: jwt("a", 60) }]);
    expect(await header()).toBe(`Bearer ${jwt("a", 60)}`);
    expect(log.entries.map(({ level }) => level)).toEqual(["warn"]);
    expect(log.lines.join()).not.toContain("canary");
    const denied = setUp(
      { refreshToken: new Secret("r1"), persist: () => Promise.reject(new FileError("/kube", "denied", "/kube: denied")) },
      [{ id_token: jwt("a", 60) }],
    );
    await denied.header();
    expect(denied.log.lines.join()).toContain("/kube: denied");
  });

  it("finishes a refresh that all callers aborted, since the issuer may have invalidated the refresh token", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { clock, source, refreshTokens } = setUp({ refreshToken: new Secret("r1"), persist: () => gate }, [
      { id_token: jwt("a", 60), refresh_token: "r2" },
    ]);
    const controller = new AbortController();
    const reason = new Error("enough");
    const call = source.header({ signal: controller.signal });
    await clock.advance(0);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    open();
    await clock.advance(0);
    expect((await source.header({}))?.reveal()).toBe(`Bearer ${jwt("a", 60)}`);
    expect(refreshTokens).toEqual(["r1"]);
  });

  it("uses an unexpired token while the issuer fails, and backs off between attempts", async () => {
    const { clock, header, refreshTokens } = setUp({ idToken: new Secret(jwt("first", 60)), refreshToken: new Secret("r1") }, [
      new Error("down"),
      new Error("down"),
      { id_token: jwt("second", 600) },
    ]);
    await clock.advance(50_000);
    expect(await header()).toBe(`Bearer ${jwt("first", 60)}`);
    expect(await header()).toBe(`Bearer ${jwt("first", 60)}`);
    expect(refreshTokens).toHaveLength(1);
    await clock.advance(1000);
    await header();
    await clock.advance(2000);
    expect(await header()).toBe(`Bearer ${jwt("second", 600)}`);
  });

  it("refreshes after a rejection", async () => {
    const { source, refreshTokens } = setUp({ idToken: new Secret(jwt("first", 60)), refreshToken: new Secret("r1") }, [
      { id_token: jwt("second", 600) },
    ]);
    const first = await source.header({});
    expect(await source.refused(first)).toBe(true);
    expect(await source.refused(first)).toBe(true);
    expect(refreshTokens).toHaveLength(1);
    expect((await source.header({}))?.reveal()).toBe(`Bearer ${jwt("second", 600)}`);
  });

  it("has no other credential after a rejection without a refresh token", async () => {
    const { source } = setUp({ idToken: new Secret(jwt("first", 60)) }, []);
    expect(await source.refused(await source.header({}))).toBe(false);
  });

  it("reports why there is no token", async () => {
    await expect(setUp({}, []).header()).rejects.toThrow(
      "there is no id token for https://issuer.example, and there is no refresh token to renew it; log in again",
    );
    await expect(setUp({ idToken: new Secret("canary") }, []).header()).rejects.toThrow(
      "the id token of https://issuer.example is not a JSON Web Token, and there is no",
    );
    const expired = setUp({ idToken: new Secret(jwt("first", -60)) }, []);
    await expect(expired.header()).rejects.toThrow(
      "the id token of https://issuer.example expired at 2025-12-31T23:59:00Z, and there is no refresh token",
    );
    await expect(setUp({ refreshToken: new Secret("r") }, [{ id_token: "canary" }]).header()).rejects.toThrow(
      "https://issuer.example answered with an id token that is not a JSON Web Token",
    );
  });

  it("throws at once for a configuration that cannot work", () => {
    expect(() => setUp({ issuerUrl: "" }, [])).toThrow("has no idp-issuer-url");
    expect(() => setUp({ clientId: "" }, [])).toThrow("has no client-id");
    expect(() => setUp({ issuerUrl: "issuer.example" }, [])).toThrow("not an http or https URL");
  });
});
