import { definedOnly, Secret } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { OidcConfig, Trust } from "../kubeconfig/cluster-access.ts";
import { jsonResponse, scriptedTransport, textResponse } from "../testing/scripted-transport.ts";
import type { ScriptedRequest } from "../testing/scripted-transport.ts";
import { refreshGrant } from "./refresh-grant.ts";

const config = { issuerUrl: "https://issuer.example/realms/a/", clientId: "drover", refreshToken: new Secret("r canary+1") };
const discovery = { token_endpoint: "https://tokens.example:8443/token?tenant=1" };

function setUp(answers: readonly (HttpResponse | Error)[], changes: Partial<OidcConfig> = {}, timeoutMs?: number) {
  const origins: string[] = [];
  const trusts: Trust[] = [];
  const server = scriptedTransport(answers);
  const clock = new ManualClock();
  const grant = refreshGrant(
    { ...config, ...changes, refreshToken: config.refreshToken },
    {
      clock,
      ...definedOnly({ timeoutMs }),
      transportTo: (origin, { trust }) => {
        origins.push(origin);
        trusts.push(trust);
        return server;
      },
    },
  );
  return { grant, server, origins, trusts, clock };
}

const form = (request: ScriptedRequest | undefined): Record<string, string> => Object.fromEntries(new URLSearchParams(request?.body));

describe("refreshGrant", () => {
  it("finds the token endpoint by discovery and gets the tokens there", async () => {
    const { grant, server, origins } = setUp([jsonResponse(discovery), jsonResponse({ id_token: "new", refresh_token: "next" })]);
    const { idToken, refreshToken } = await grant;
    expect([idToken.reveal(), refreshToken?.reveal()]).toEqual(["new", "next"]);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /realms/a/.well-known/openid-configuration",
      "POST /token?tenant=1",
    ]);
    expect(origins).toEqual(["https://issuer.example", "https://tokens.example:8443"]);
    expect(server.requests[1]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(form(server.requests[1])).toEqual({ grant_type: "refresh_token", refresh_token: "r canary+1", client_id: "drover" });
  });

  it("keeps the old refresh token if there is no new one, and trusts the issuer's authority", async () => {
    const ca = { kind: "file", path: "/ca" } as const;
    const { grant, trusts } = setUp([jsonResponse(discovery), jsonResponse({ id_token: "new" })], { issuerCa: ca });
    expect(await grant).not.toHaveProperty("refreshToken");
    expect(trusts).toEqual([{ ca }, { ca }]);
  });

  it.each([
    [["client_secret_basic", "client_secret_post"], "header"],
    [["client_secret_post"], "form"],
    [["private_key_jwt"], "header"],
  ])("authenticates as the issuer requires: %j", async (supported, where) => {
    const { grant, server } = setUp(
      [jsonResponse({ ...discovery, token_endpoint_auth_methods_supported: supported }), jsonResponse({ id_token: "new" })],
      { clientSecret: new Secret("s: ä") },
    );
    await grant;
    const [, request] = server.requests;
    expect(request?.headers["authorization"]).toBe(
      where === "header" ? `Basic ${Buffer.from("drover:s%3A%20%C3%A4").toString("base64")}` : undefined,
    );
    expect(form(request)["client_secret"]).toBe(where === "form" ? "s: ä" : undefined);
  });

  it("tries the form if an issuer that does not specify a method rejects the header", async () => {
    const { grant, server } = setUp(
      [jsonResponse(discovery), jsonResponse({ error: "invalid_client" }, { status: 401 }), jsonResponse({ id_token: "new" })],
      { clientSecret: new Secret("s") },
    );
    expect((await grant).idToken.reveal()).toBe("new");
    expect(form(server.requests[2])["client_secret"]).toBe("s");
  });

  it.each<[string, readonly (HttpResponse | Error)[], string]>([
    [
      "no discovery document",
      [textResponse("canary", { status: 404 })],
      "https://issuer.example/realms/a has no discovery document: status 404",
    ],
    ["HTML for a discovery document", [textResponse("<html>canary")], "is not a JSON object"],
    ["no token endpoint", [jsonResponse({})], "names no token_endpoint"],
    ["a token endpoint that is not a URL", [jsonResponse({ token_endpoint: "/canary" })], "names no token_endpoint"],
    ["a token endpoint without TLS", [jsonResponse({ token_endpoint: "http://canary/" })], "not https"],
    ["a token endpoint that is a file", [jsonResponse({ token_endpoint: "file:///canary" })], "not https"],
    [
      "a used refresh token",
      [jsonResponse(discovery), jsonResponse({ error: "invalid_grant", error_description: "canary" }, { status: 400 })],
      "refused to refresh the id token: status 400, invalid_grant; log in again",
    ],
    ["an error that quotes", [jsonResponse(discovery), jsonResponse({ error: "canary" }, { status: 400 })], "status 400"],
    ["a failing server", [jsonResponse(discovery), textResponse("canary", { status: 502 })], "status 502"],
    ["no id token", [jsonResponse(discovery), jsonResponse({ access_token: "canary" })], 'log in again with the scope "openid"'],
    [
      "a connection that fails",
      [new TypeError("canary")],
      "https://issuer.example/realms/a/ could not be reached to refresh the id token (TypeError)",
    ],
    [
      "a flood",
      [
        {
          status: 200,
          headers: {},
          body: (async function* () {
            for (;;) yield "canary".repeat(10_000);
          })(),
        },
      ],
      "is not a JSON object",
    ],
  ])("reports %s without quoting it", async (_name, answers, expected) => {
    const error = await setUp(answers).grant.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "CredentialError" });
    expect((error as Error).cause).toBeUndefined();
    expect((error as Error).message).toContain(expected);
    expect((error as Error).message).not.toContain("canary");
  });

  it("closes every transport it opened, after success and failure", async () => {
    for (const answers of [
      [jsonResponse(discovery), jsonResponse({ id_token: "new" })],
      [new Error("down")],
      [jsonResponse(discovery), textResponse("no", { status: 500 })],
    ]) {
      let open = 0;
      const server = scriptedTransport(answers);
      await refreshGrant(config, {
        clock: new ManualClock(),
        transportTo: () => {
          open++;
          return Object.assign((request: HttpRequest) => server(request), { close: () => void open-- });
        },
      }).catch(() => undefined);
      expect(open).toBe(0);
    }
  });

  it("times out after thirty seconds, or timeoutMs", async () => {
    for (const [option, limitMs] of [
      [undefined, 30_000],
      [500, 500],
    ] as const) {
      const { grant, clock } = setUp(
        [
          {
            status: 200,
            headers: {},
            body: (async function* () {
              yield "{";
              await new Promise(() => undefined);
            })(),
          },
        ],
        {},
        option,
      );
      const outcome = grant.catch((error: Error) => error.message);
      await clock.advance(limitMs);
      expect(await outcome).toBe(`https://issuer.example/realms/a/ did not answer within ${limitMs / 1000} s`);
    }
  });
});
