import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { CredentialSource } from "../auth/credential-source.ts";
import { login } from "./login.ts";
import type { TlsSource } from "./tls-settings.ts";

const nobody: CredentialSource = { header: () => Promise.resolve(undefined), refused: () => Promise.resolve(false) };
/** Certificates of which every look after a refusal finds the next one, as long as there are any. */
const rotating = (left: number): TlsSource => {
  let generation = 1;
  return ({ refused } = {}) => {
    if (refused?.generation === generation && left-- > 0) generation++;
    return Promise.resolve({ generation, insecure: false, certificate: `certificate ${generation}` });
  };
};

describe("login", () => {
  it("T3: offers another try when the certificate has been replaced, and none when it has not", async () => {
    const tls = rotating(1);
    const [first, second] = [await login(nobody, { tls }), await login(nobody, { tls })];
    expect(await first.refused()).toBe(true);
    // It was shown before the replacement, and may be refused after.
    expect(await second.refused()).toBe(true);
    expect(await (await login(nobody, { tls })).refused()).toBe(false);
  });

  it("leaves the header to the source, and asks it first", async () => {
    const token = new Secret("Bearer x");
    const source: CredentialSource = { header: () => Promise.resolve(token), refused: (header) => Promise.resolve(header === token) };
    const { header, refused } = await login(source, {});
    expect([header, await refused()]).toEqual([token, true]);
  });

  it("does not look at files when no certificate was shown", async () => {
    const tls: TlsSource = ({ refused } = {}) =>
      refused === undefined ? Promise.resolve({ generation: 1, insecure: false }) : Promise.reject(new Error("looked"));
    expect(await (await login(nobody, { tls })).refused()).toBe(false);
  });

  it("stops looking when the request is called off, before and after the refusal", async () => {
    const controller = new AbortController();
    const shown = await login(nobody, {
      signal: controller.signal,
      tls: ({ refused } = {}) =>
        refused === undefined ? Promise.resolve({ generation: 1, insecure: false, certificate: "c" }) : new Promise(() => undefined),
    });
    const outcomes = [shown.refused(), login(nobody, { signal: controller.signal, tls: () => new Promise(() => undefined) })];
    await Promise.resolve();
    controller.abort(new Error("enough"));
    for (const outcome of outcomes) await expect(outcome).rejects.toThrow("enough");
  });
});
