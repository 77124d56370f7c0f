import { Secret } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { Credentials, ExecConfig } from "../kubeconfig/cluster-access.ts";
import { jsonResponse } from "../testing/scripted-transport.ts";
import { credentialSource } from "./credentials.ts";
import type { CredentialDeps } from "./credentials.ts";
import { memoryHost } from "../testing/memory-host.ts";

const exec: ExecConfig = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "login",
  args: new Secret([]),
  env: [],
  interactiveMode: "Never",
};
const token = new Secret("given");
const basic = { username: "me", password: new Secret("pass") };
const oidc = { issuerUrl: "https://issuer", clientId: "id", refreshToken: new Secret("r") };
const clientCertificate = { certificate: { kind: "inline", pem: "c" }, key: { kind: "inline", pem: new Secret("k") } } as const;

function setUp(credentials: Credentials, options: Partial<CredentialDeps> = {}) {
  const { clock, log } = testRuntime();
  const idToken = `e30.${Buffer.from("{}").toString("base64url")}.x`;
  const host = memoryHost(
    { "/token": "filed" },
    {
      run: () => ({
        exitCode: 0,
        stderr: "",
        stdout: JSON.stringify({ apiVersion: exec.apiVersion, kind: "ExecCredential", status: { token: "issued" } }),
      }),
    },
  );
  const source = credentialSource(credentials, {
    host,
    clock,
    log,
    isPair: () => true,
    transportTo:
      () =>
      ({ method }) =>
        Promise.resolve(jsonResponse(method === "GET" ? { token_endpoint: "https://issuer/token" } : { id_token: idToken })),
    ...options,
  });
  return { clock, log, host, source, header: async () => (await source.header({}))?.reveal() };
}

describe("credentialSource", () => {
  it.each<[string, Credentials, string | undefined]>([
    ["nothing", {}, undefined],
    ["a client certificate", { clientCertificate }, undefined],
    ["a token", { token }, "Bearer given"],
    ["a token file", { tokenFile: "/token" }, "Bearer filed"],
    ["a token and a file", { token, tokenFile: "/token" }, "Bearer filed"],
    ["a token and a file that is missing", { token, tokenFile: "/missing" }, "Bearer given"],
    ["a user name", { basic }, `Basic ${btoa("me:pass")}`],
    ["a program", { exec }, "Bearer issued"],
    ["an issuer", { oidc }, "Bearer e30.e30.x"],
    ["an issuer beside a client certificate", { oidc, clientCertificate }, "Bearer e30.e30.x"],
    ["a token beside a client certificate", { token, clientCertificate }, "Bearer given"],
  ])("sends the expected header for %s", async (_name, credentials, expected) => {
    const { log, header, source } = setUp(credentials);
    expect(await header()).toBe(expected);
    if (expected === undefined) expect(await source.refused(undefined)).toBe(false);
    expect(log.entries.filter(({ level }) => level === "info")).toEqual([]);
  });

  it.each<[string, Credentials, string | undefined, string, string]>([
    ["token", { token, exec }, "Bearer given", "exec", "token"],
    ["token file", { tokenFile: "/token", exec }, "Bearer filed", "exec", "token"],
    ["user name", { basic, exec }, `Basic ${btoa("me:pass")}`, "exec", "basic"],
    ["client certificate", { clientCertificate, exec }, undefined, "exec", "client certificate"],
    ["token", { token, oidc }, "Bearer given", "oidc", "token"],
  ])("does not call a plugin or an issuer beside a %s, and logs that", async (_name, credentials, expected, unused, used) => {
    const { log, host, header } = setUp(credentials);
    expect(await header()).toBe(expected);
    expect(host.runs).toEqual([]);
    expect(log.entries.map(({ fields }) => fields)).toEqual([{ unused, used }]);
  });

  it("rejects credentials that exclude each other", () => {
    expect(() => setUp({ basic, token })).toThrow("a user name with a password and a token are configured");
    expect(() => setUp({ basic, tokenFile: "/token" })).toThrow("remove one of them");
    expect(() => setUp({ exec, oidc })).toThrow("a credential plugin (exec) and an oidc auth provider are configured");
  });

  it("passes options to the source", async () => {
    expect(() => setUp({ exec }, { exec: { allow: "none" } })).toThrow("disabled");
    const { clock, host, header } = setUp({ tokenFile: "/token" }, { tokenFile: { rereadMs: 5 } });
    await header();
    await clock.advance(5);
    await header();
    expect(host.reads).toHaveLength(2);
    const slow = setUp({ oidc }, { oidc: { timeoutMs: 5 }, transportTo: () => () => new Promise(() => undefined) });
    const outcome = slow.header().catch((error: Error) => error.message);
    await slow.clock.advance(5);
    expect(await outcome).toContain("did not answer within 0.005 s");
  });
});
