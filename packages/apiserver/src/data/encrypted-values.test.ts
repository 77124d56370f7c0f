import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainValues } from "../storage/etcd/etcd-values.ts";
import type { EtcdValues } from "../storage/etcd/etcd-values.ts";
import { encryptedValues } from "./encrypted-values.ts";
import type { EncryptionProvider } from "./encryption-config.ts";

const roots = { served: "/registry", stored: "/other" };
const path = "/registry/secrets/default/x";
const key = (cipher: "aescbc" | "aesgcm", name: string, byte = 1, size = 32): EncryptionProvider => ({
  cipher,
  name,
  secret: new Uint8Array(size).fill(byte),
});
const identity: EncryptionProvider = { cipher: "identity" };
const valuesWith = (...providers: readonly EncryptionProvider[]): EtcdValues =>
  encryptedValues(plainValues, {
    config: new Map([["secrets", providers]]),
    roots,
    resourceOf: (of) => ({ group: "", resource: of.split("/")[2] ?? "" }),
  });
const headOf = (value: Uint8Array): string => Buffer.from(value).toString("latin1").slice(0, 26);

describe("encryptedValues", () => {
  it.each(["aescbc", "aesgcm"] as const)("reads what it has written with %s, for every key size, and never writes the text", (cipher) => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom(16, 24, 32), (text, size) => {
        const values = valuesWith(key(cipher, "one", 3, size));
        const stored = values.encode(path, `secret ${text}`, undefined);
        expect(headOf(stored)).toMatch(new RegExp(`^k8s:enc:${cipher}:v1:one:`));
        expect(Buffer.from(stored).includes("secret ")).toBe(false);
        expect(values.decode(path, stored)).toBe(new TextDecoder().decode(new TextEncoder().encode(`secret ${text}`)));
      }),
    );
  });

  it("writes the same text differently each time", () => {
    const values = valuesWith(key("aescbc", "one"));
    expect(values.encode(path, "x", undefined)).not.toEqual(values.encode(path, "x", undefined));
  });

  it("writes with the first provider and reads with all, so that keys are rotated by their order", () => {
    const [old, fresh] = [key("aescbc", "old", 1), key("aesgcm", "new", 2)];
    const before = valuesWith(old, identity).encode(path, "x", undefined);
    const rotated = valuesWith(fresh, old, identity);
    expect(rotated.decode(path, before)).toBe("x");
    expect(rotated.decode(path, new TextEncoder().encode("plain"))).toBe("plain");
    expect(headOf(rotated.encode(path, "x", undefined))).toContain("aesgcm:v1:new:");
    expect([rotated.isStale?.(path, before), rotated.isStale?.(path, rotated.encode(path, "x", undefined))]).toEqual([true, false]);
    const decrypting = valuesWith(identity, old);
    expect([decrypting.isStale?.(path, before), decrypting.isStale?.(path, Buffer.from("x"))]).toEqual([true, false]);
    expect(decrypting.decode(path, before)).toBe("x");
    expect(decrypting.encode(path, "x", undefined)).toEqual(new TextEncoder().encode("x"));
  });

  it("tries keys of the same name", () => {
    const stored = valuesWith(key("aesgcm", "one", 1)).encode(path, "x", undefined);
    expect(valuesWith(key("aesgcm", "one", 2), key("aesgcm", "one", 1)).decode(path, stored)).toBe("x");
  });

  it("leaves other resources as they are, and does not read them encrypted", () => {
    const values = valuesWith(key("aescbc", "one"));
    const other = "/registry/configmaps/default/x";
    expect(values.encode(other, "x", undefined)).toEqual(new TextEncoder().encode("x"));
    expect(() => values.decode(other, values.encode(path, "x", undefined))).toThrow("it is encrypted, and no provider");
  });

  it("refuses a wrong key, a changed value, a value of another object, and text without a provider identity", () => {
    const values = valuesWith(key("aesgcm", "one"));
    const stored = values.encode(path, "x", undefined);
    expect(() => valuesWith(key("aesgcm", "one", 9)).decode(path, stored)).toThrow("it cannot be decrypted with the key one of aesgcm");
    expect(() => valuesWith(key("aesgcm", "two")).decode(path, stored)).toThrow("no provider of the encryption configuration");
    expect(() =>
      values.decode(
        path,
        Uint8Array.from(stored, (byte, at) => (at === stored.length - 1 ? byte ^ 1 : byte)),
      ),
    ).toThrow();
    expect(() => values.decode("/registry/secrets/default/y", stored)).toThrow("it cannot be decrypted");
    expect(() => values.decode(path, new TextEncoder().encode("plain"))).toThrow("no provider identity");
    for (let length = 0; length < stored.length; length++) expect(() => values.decode(path, stored.slice(0, length))).toThrow();
  });
});
