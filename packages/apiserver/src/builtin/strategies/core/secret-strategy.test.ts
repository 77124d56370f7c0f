import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Secret } from "@drover/api/core/v1";
import { secretStrategy } from "./secret-strategy.ts";

const metadata = { name: "a", namespace: "b" };
const context = { now: 0, user: { name: "u", groups: [] }, dryRun: false };
const texts = (object: Partial<Secret>): string[] => (secretStrategy.validate?.({ metadata, ...object }) ?? []).map(printFieldError);

describe("Secret strategy", () => {
  it.each([
    ["kubernetes.io/tls", ["data[tls.crt]: Required value", "data[tls.key]: Required value"]],
    ["kubernetes.io/ssh-auth", ["data[ssh-privatekey]: Required value"]],
    ["kubernetes.io/basic-auth", ["data[username]: Required value", "data[password]: Required value"]],
    ["kubernetes.io/dockercfg", ["data[.dockercfg]: Required value"]],
    ["kubernetes.io/service-account-token", ["metadata.annotations[kubernetes.io/service-account.name]: Required value"]],
    ["example.com/any", []],
  ])("requires the keys of type %s", (type, expected) => {
    expect(texts({ type })).toEqual(expected);
  });

  it("validates JSON data without revealing its content", () => {
    const type = "kubernetes.io/dockerconfigjson";
    expect(texts({ type, data: { ".dockerconfigjson": btoa("[]") } })).toEqual([
      'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
    ]);
    expect(texts({ type, data: { ".dockerconfigjson": btoa("{") } })).toEqual([
      'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input',
    ]);
    expect(texts({ type, data: { ".dockerconfigjson": btoa("null") } })).toEqual([]);
  });

  it("keeps the type immutable, and everything if immutable", () => {
    const old: Secret = { metadata, type: "a/b", immutable: true, data: { a: "eA==" } };
    const untyped: Secret = { metadata, immutable: true, data: { a: "eA==" } };
    secretStrategy.prepareForUpdate?.(untyped, old, context);
    expect(secretStrategy.validateUpdate?.(untyped, old)).toEqual([]);
    expect((secretStrategy.validateUpdate?.({ metadata, type: "c", data: {} }, old) ?? []).map(printFieldError)).toEqual([
      'type: Invalid value: "c": field is immutable',
      "immutable: Forbidden: field is immutable when `immutable` is set",
      "data: Forbidden: field is immutable when `immutable` is set",
    ]);
  });

  it("warns about an invalid TLS certificate", () => {
    expect(secretStrategy.warningsOnCreate?.({ metadata, type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } })).toEqual([
      "tls: failed to find any PEM data in certificate input",
    ]);
  });
});
