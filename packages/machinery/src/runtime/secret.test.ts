import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Secret, isSecretName } from "./secret.ts";

describe("Secret", () => {
  it("shows its value in no printed form, and returns it from reveal (X12)", () => {
    const secret = new Secret("hunter2");
    const shown = [
      String(secret),
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ deep: [secret] }),
      "" + secret,
      JSON.stringify(Object.entries(secret)),
      inspect(secret, { showHidden: true }),
    ];
    for (const text of shown) expect(text).not.toContain("hunter2");
    expect(shown[0]).toBe("[redacted]");
    expect(inspect({ secret })).toBe("{ secret: [redacted] }");
    expect(secret.reveal()).toBe("hunter2");
  });
});

describe("isSecretName", () => {
  it.each([
    "authorization",
    "Authorization",
    "Proxy-Authorization",
    "token",
    "bearerToken",
    "bearer-token",
    "id_token",
    "X-Auth-Token",
    "password",
    "dbPassword",
    "passwd",
    "passphrase",
    "client-key-data",
    "clientKeyData",
    "api_key",
    "apiKey",
    "secret",
    "clientSecret",
    "secretKey",
    "private.key",
    "set-cookie",
    "Cookie",
    "credentials",
    "AWS_SECRET_ACCESS_KEY",
  ])("is true for %s", (name) => expect(isSecretName(name)).toBe(true));

  it.each([
    "name",
    "key",
    "namespace",
    "secretName",
    "tokenCount",
    "passed",
    "authorized",
    "certificate-authority-data",
    "",
    "keys",
    "resourceVersion",
  ])("is false for %s", (name) => expect(isSecretName(name)).toBe(false));
});
