import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { ExecConfig } from "../kubeconfig/cluster-access.ts";
import { execInfo, parseExecCredential } from "./exec-credential.ts";

const config: ExecConfig = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "login",
  args: new Secret([]),
  env: [],
  interactiveMode: "Never",
};
const answer = (status: unknown, rest: object = {}): string =>
  JSON.stringify({ apiVersion: config.apiVersion, kind: "ExecCredential", status, ...rest });

describe("execInfo", () => {
  it("uses the configured apiVersion and says whether the plugin may prompt", () => {
    expect(JSON.parse(execInfo(config, { interactive: false }))).toEqual({
      kind: "ExecCredential",
      apiVersion: "client.authentication.k8s.io/v1",
      spec: { interactive: false },
    });
    expect(JSON.parse(execInfo({ ...config, apiVersion: "client.authentication.k8s.io/v1beta1" }, { interactive: true }))).toEqual({
      kind: "ExecCredential",
      apiVersion: "client.authentication.k8s.io/v1beta1",
      spec: { interactive: true },
    });
  });

  it("includes the cluster if there is information about it", () => {
    const cluster = { server: "https://one", "certificate-authority-data": "Q0E=", config: { audience: "me" } };
    expect(JSON.parse(execInfo({ ...config, clusterInfo: new Secret(cluster) }, { interactive: false }))).toMatchObject({
      spec: { cluster, interactive: false },
    });
  });
});

describe("parseExecCredential", () => {
  const refusal = (text: string): string => {
    try {
      parseExecCredential(text, config);
    } catch (error) {
      expect(error).toMatchObject({ name: "CredentialError", reason: "malformed" });
      return (error as Error).message;
    }
    throw new Error("was accepted");
  };

  it("reads a token with its expiry", () => {
    const { token, pair, expiresAt } = parseExecCredential(
      answer({ token: "t0p", expirationTimestamp: "2026-01-01T00:00:01+00:00" }),
      config,
    );
    expect([token?.reveal(), pair, expiresAt]).toEqual(["t0p", undefined, 1_767_225_601_000]);
  });

  it("reads a certificate with its key, with or without a token", () => {
    const { token, pair } = parseExecCredential(answer({ clientCertificateData: "CERT", clientKeyData: "KEY" }), config);
    expect([token, pair?.certificate, pair?.key.reveal()]).toEqual([undefined, "CERT", "KEY"]);
    expect(parseExecCredential(answer({ clientCertificateData: "CERT", clientKeyData: "KEY", token: "t0p" }), config)).toMatchObject({
      token: {},
      pair: {},
    });
  });

  it("parses YAML too", () => {
    expect(
      parseExecCredential(`apiVersion: ${config.apiVersion}\nkind: ExecCredential\nstatus:\n  token: t0p\n`, config).token?.reveal(),
    ).toBe("t0p");
  });

  it.each([
    ["empty output", " \n", "printed nothing"],
    ["a sentence", "Please log in, canary", "neither JSON nor YAML"],
    ["broken JSON", '{"kind":"ExecCredential","canary', "neither JSON nor YAML"],
    ["a list", "[]", "neither JSON nor YAML"],
    ["a flood", " ".repeat(1024 * 1024) + "{}", "more than 1048576 characters"],
    ["another kind", answer({ token: "canary" }, { kind: "Secret" }), 'kind is not "ExecCredential"'],
    [
      "another version",
      answer({ token: "canary" }, { apiVersion: "client.authentication.k8s.io/v1alpha1" }),
      "answered with client.authentication.k8s.io/v1alpha1",
    ],
    ["no version", answer({ token: "canary" }, { apiVersion: undefined }), "answered with none at all"],
    ["nonsense for a version", answer({}, { apiVersion: "canary" }), "answered with another"],
    ["no status", answer(undefined), "without a status"],
    ["a null status", answer(null), "without a status"],
    ["a status of text", answer("canary"), "status is not an object"],
    ["an empty status", answer({}), "neither a token nor a certificate"],
    ["an empty token", answer({ token: "" }), "neither a token nor a certificate"],
    ["a number for a token", answer({ token: 5 }), "status.token that is not text"],
    ["a certificate without a key", answer({ token: "canary", clientCertificateData: "C" }), "clientCertificateData without clientKeyData"],
    ["a key without a certificate", answer({ token: "canary", clientKeyData: "canary" }), "clientKeyData without clientCertificateData"],
    ["an invalid expiry", answer({ token: "t", expirationTimestamp: "canary" }), "not a time in RFC 3339"],
  ])("rejects %s without quoting it", (_name, text, expected) => {
    const message = refusal(text);
    expect(message).toContain(expected);
    expect(message).toContain("the credential plugin login ");
    expect(message).not.toContain("canary");
  });
});
