import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { CredentialSource } from "../auth/credential-source.ts";
import { freshLogin, login } from "./login.ts";
import type { TlsSource } from "./tls-settings.ts";

const noHeader: CredentialSource = { header: () => Promise.resolve(undefined), refused: () => Promise.resolve(false) };
/** A source in which every read after a rejection finds the next certificate, as long as there are any. */
const rotating = (left: number): TlsSource => {
  let generation = 1;
  return ({ refused } = {}) => {
    if (refused?.generation === generation && left-- > 0) generation++;
    return Promise.resolve({ generation, insecure: false, certificate: `certificate ${generation}` });
  };
};

describe("login", () => {
  it("T3: allows a retry if the certificate was replaced, and only then", async () => {
    const tls = rotating(1);
    const [first, second] = [await login(noHeader, { tls }), await login(noHeader, { tls })];
    expect(await first.refused()).toBe(true);
    // It was presented before the replacement, and may be rejected after it.
    expect(await second.refused()).toBe(true);
    expect(await (await login(noHeader, { tls })).refused()).toBe(false);
  });

  it("leaves the header to the source, and calls it first", async () => {
    const token = new Secret("Bearer x");
    const source: CredentialSource = { header: () => Promise.resolve(token), refused: (header) => Promise.resolve(header === token) };
    const { header, refused } = await login(source, {});
    expect([header, await refused()]).toEqual([token, true]);
  });

  it("reads no files if no certificate was presented", async () => {
    const tls: TlsSource = ({ refused } = {}) =>
      refused === undefined ? Promise.resolve({ generation: 1, insecure: false }) : Promise.reject(new Error("looked"));
    expect(await (await login(noHeader, { tls })).refused()).toBe(false);
  });

  it("stops when the request is aborted, before and after the rejection", async () => {
    const controller = new AbortController();
    const shown = await login(noHeader, {
      signal: controller.signal,
      tls: ({ refused } = {}) =>
        refused === undefined ? Promise.resolve({ generation: 1, insecure: false, certificate: "c" }) : new Promise(() => undefined),
    });
    const outcomes = [shown.refused(), login(noHeader, { signal: controller.signal, tls: () => new Promise(() => undefined) })];
    await Promise.resolve();
    controller.abort(new Error("enough"));
    for (const outcome of outcomes) await expect(outcome).rejects.toThrow("enough");
  });
});

describe("freshLogin", () => {
  it("returns a header that the source knows, and nothing if it must wait or a certificate may be rejected", async () => {
    const token = new Secret("Bearer x");
    const source: CredentialSource = {
      header: () => Promise.reject(new Error("asked")),
      fresh: () => ({ header: token }),
      refused: (header) => Promise.resolve(header === token),
    };
    const shown = freshLogin(source, {});
    expect([shown?.header, await shown?.refused()]).toEqual([token, true]);
    expect(freshLogin({ ...source, fresh: () => undefined }, {})).toBeUndefined();
    expect(freshLogin(noHeader, {})).toBeUndefined();
    expect(freshLogin(source, { tls: rotating(1) })).toBeUndefined();
  });
});
