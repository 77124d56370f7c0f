/**
 * S1, X12: failures of credential files, programs and issuers, with all log levels enabled: the secret appears nowhere.
 * canary-calls.test.ts tests failures of calls.
 */
import { inspect } from "node:util";
import { Secret, newUnauthorized } from "@drover/machinery";
import type { HttpRequest } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { HostProgramResult } from "../host.ts";
import { FileError } from "../host.ts";
import type { Credentials, ExecConfig } from "../kubeconfig/cluster-access.ts";
import { canary, canaryIn, canaryJwt, everyForm } from "../testing/canary.ts";
import { memoryHost } from "../testing/memory-host.ts";
import { jsonResponse, statusResponse, textResponse } from "../testing/scripted-transport.ts";
import { authenticate } from "../transport/authenticate.ts";
import { tlsSource } from "../transport/tls-source.ts";
import { credentialSource } from "./credentials.ts";
import type { CredentialDeps } from "./credentials.ts";

const secret = new Secret(canary);

const exec: ExecConfig = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "login",
  args: new Secret([`--password=${canary}`]),
  env: [{ name: "LOGIN_PASSWORD", value: secret }],
  interactiveMode: "IfAvailable",
};
const clientCertificate = { certificate: { kind: "inline", pem: "c" }, key: { kind: "inline", pem: secret } } as const;
const oidc = { issuerUrl: "https://issuer", clientId: "id", clientSecret: secret, refreshToken: secret, idToken: new Secret(canaryJwt) };

/** Node's own error for a program that cannot be started. */
const spawnError = Object.assign(new Error(`spawn login ${canary}`), { code: "EPERM", spawnargs: exec.args.reveal() });
const answer = (status: unknown, rest: object = {}): HostProgramResult => ({
  exitCode: 0,
  stderr: canary,
  stdout: JSON.stringify({ apiVersion: exec.apiVersion, kind: "ExecCredential", status, ...rest }),
});
const issuing = answer({ token: canary, clientCertificateData: canary, clientKeyData: canary });

type Runs = readonly (HostProgramResult | Error)[];
const run = (results: Runs): { readonly host: CredentialDeps["host"] } => {
  let index = 0;
  return {
    host: memoryHost(
      { "/token": canary, "/key": canary, "/torn": `${canary} ${canary}` },
      {
        run: () => {
          const result = results[Math.min(index++, results.length - 1)] ?? spawnError;
          if (result instanceof Error) throw result;
          return result;
        },
      },
    ),
  };
};
const echo = (request: HttpRequest): string => JSON.stringify({ ...request, signal: undefined });
const issuer = (grant: (request: HttpRequest) => ReturnType<typeof jsonResponse>): Partial<CredentialDeps> => ({
  transportTo: () => async (request) =>
    request.method === "GET" ? jsonResponse({ token_endpoint: "https://issuer/token" }) : grant(request),
});

const cases: readonly [string, Credentials, Partial<CredentialDeps>][] = [
  ["a token", { token: secret }, {}],
  ["a token with a line break", { token: new Secret(`${canary}\n`) }, {}],
  ["a token file", { tokenFile: "/token" }, run([])],
  ["a malformed token file", { tokenFile: "/torn" }, run([])],
  ["a missing token file beside a token", { token: secret, tokenFile: "/missing" }, run([])],
  ["a password", { basic: { username: "me", password: secret } }, {}],
  ["a password beside a token", { basic: { username: "me", password: secret }, token: secret }, {}],
  ["a client key", { clientCertificate }, { isPair: () => true }],
  ["a client key that does not match", { clientCertificate }, {}],
  [
    "a client key file that does not match",
    { clientCertificate: { certificate: { kind: "file", path: "/key" }, key: { kind: "file", path: "/key" } } },
    run([]),
  ],
  ["a plugin that works", { exec }, { ...run([issuing]), isPair: () => true }],
  ["a plugin whose key does not match", { exec }, run([issuing])],
  ["a plugin that works once", { exec }, { ...run([issuing, spawnError]), isPair: () => true }],
  ["a plugin that cannot be started", { exec }, run([spawnError])],
  [
    "a plugin that is missing",
    { exec: { ...exec, installHint: "install it" } },
    run([new FileError("login", "missing", `login ${canary}`, { cause: spawnError })]),
  ],
  ["a plugin that fails", { exec }, run([{ exitCode: 1, stdout: canary, stderr: canary }])],
  ["a plugin that prints other text", { exec }, run([{ exitCode: 0, stdout: canary, stderr: canary }])],
  ["a plugin that prints a truncated response", { exec }, run([{ ...issuing, stdout: issuing.stdout.slice(0, 140) }])],
  ["a plugin with an invalid token", { exec }, run([answer({ token: `${canary} ${canary}` })])],
  ["a plugin with an invalid expiry", { exec }, run([answer({ token: canary, expirationTimestamp: canary })])],
  ["a plugin with strange versions", { exec }, run([answer({}, { apiVersion: canary }), answer({}, { kind: canary })])],
  ["a plugin that is not allowed", { exec }, { exec: { allow: "none" } }],
  ["an issuer that grants", { oidc }, issuer(() => jsonResponse({ id_token: canaryJwt, refresh_token: canary }))],
  ["an issuer that echoes", { oidc }, issuer((request) => textResponse(echo(request), { status: 400 }))],
  [
    "an issuer that quotes",
    { oidc },
    issuer((request) => jsonResponse({ error: canary, error_description: echo(request) }, { status: 401 })),
  ],
  ["an issuer that grants an invalid token", { oidc }, issuer(() => jsonResponse({ id_token: canary }))],
  [
    "an issuer that cannot be reached",
    { oidc },
    issuer((request) => {
      throw Object.assign(new Error(`POST ${echo(request)}`), { request });
    }),
  ],
  [
    "tokens that cannot be persisted",
    { oidc: { ...oidc, persist: ({ idToken }) => Promise.reject(new Error(idToken.reveal())) } },
    issuer(() => jsonResponse({ id_token: `${canaryJwt}-2` })),
  ],
];

describe("a canary in a credential source", () => {
  it.each(cases)("appears in no output: %s (§9.39, X12, S1)", async (_name, credentials, changes) => {
    const { clock, log } = testRuntime();
    const deps: CredentialDeps = {
      host: memoryHost(),
      clock,
      log,
      isPair: () => false,
      transportTo: () => () => Promise.reject(spawnError),
      ...changes,
    };
    const seen: unknown[] = [credentials];
    const attempt = async (work: () => unknown): Promise<void> => {
      try {
        seen.push(await work());
      } catch (error) {
        seen.push(error);
      }
    };
    await attempt(async () => {
      const source = credentialSource(credentials, deps);
      const tls = tlsSource({ trust: {}, credentials }, source, deps);
      const send = authenticate(source)(async () => statusResponse(newUnauthorized("no")));
      seen.push(source, tls, send);
      for (let round = 0; round < 4; round++) {
        // The certificate is public and visible in the settings; the canary is in the key.
        await attempt(async () => ({ ...(await tls()), certificate: undefined }));
        await attempt(() => source.header({}));
        await attempt(() => send({ method: "GET", path: "/api", headers: {} }));
        await clock.advance(40_000);
      }
    });
    const text = [...seen.map((value) => everyForm(value, inspect)), ...log.lines].join("\n");
    expect(canaryIn(text)).toBeUndefined();
    expect(text.length).toBeGreaterThan(100);
  });
});
