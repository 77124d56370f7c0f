import { describe, expect, it } from "vitest";
import { encryptionConfig, EncryptionConfigError, providersFor } from "./encryption-config.ts";

const secret = Buffer.alloc(32, 7).toString("base64");
const file = (resources: unknown): string =>
  JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration", resources });
const aescbc = { aescbc: { keys: [{ name: "one", secret }] } };
const entry = (more: object): string => file([{ resources: ["secrets"], providers: [aescbc], ...more }]);

describe("encryptionConfig", () => {
  it("reads providers in the order of the file, one per key", () => {
    const config = encryptionConfig(`
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets, deployments.apps]
    providers:
      - aesgcm: { keys: [{ name: new, secret: ${secret} }, { name: old, secret: ${secret} }] }
      - identity: {}
`);
    const found = providersFor(config, "apps", "deployments");
    expect(found?.map((provider) => [provider.cipher, "name" in provider ? provider.name : ""])).toEqual([
      ["aesgcm", "new"],
      ["aesgcm", "old"],
      ["identity", ""],
    ]);
    expect(providersFor(config, "", "secrets")).toEqual(found);
    expect([providersFor(config, "", "configmaps"), providersFor(config, "apps", "secrets")]).toEqual([undefined, undefined]);
  });

  it("prefers a resource to its group, and its group to everything", () => {
    const config = encryptionConfig(
      file([
        { resources: ["secrets"], providers: [{ identity: {} }] },
        { resources: ["*."], providers: [aescbc] },
        { resources: ["*.*"], providers: [{ aesgcm: aescbc.aescbc }] },
      ]),
    );
    const first = (group: string, resource: string): string | undefined => providersFor(config, group, resource)?.[0]?.cipher;
    expect([first("", "secrets"), first("", "configmaps"), first("apps", "deployments")]).toEqual(["identity", "aescbc", "aesgcm"]);
  });

  it.each([
    ["{", "the file is neither YAML nor JSON"],
    ["[]", "the file must be an object"],
    [JSON.stringify({ kind: "EncryptionConfiguration" }), "apiVersion and kind must be"],
    [file([]), "resources must be a list of at least one entry"],
    [entry({ more: 1 }), 'unknown field "resources[0].more"'],
    [entry({ resources: ["Secrets"] }), "resources[0].resources[0]: resource names have no capital letters"],
    [entry({ resources: ["*"] }), 'resources[0].resources[0]: use "*."'],
    [entry({ resources: ["secrets", "secrets"] }), "resources[0].resources has the same resource several times"],
    [entry({ resources: ["secrets", "*."] }), 'resources[0].resources: "*." contains others'],
    [entry({ resources: ["secrets", "*.*"] }), 'resources[0].resources: "*.*" contains others'],
    [entry({ providers: [] }), "resources[0].providers must be a list of at least one entry"],
    [
      entry({ providers: [{ secretbox: { keys: [] } }] }),
      "resources[0].providers[0].secretbox is not supported by this server; use aescbc or aesgcm",
    ],
    [entry({ providers: [{ kms: {} }] }), "resources[0].providers[0].kms is not supported"],
    [entry({ providers: [{ rot13: {} }] }), "resources[0].providers[0].rot13 is not a provider"],
    [entry({ providers: [{ identity: {}, ...aescbc }] }), "resources[0].providers[0] must have exactly one of"],
    [entry({ providers: [{ aescbc: { keys: [{ secret }] } }] }), "keys[0].name is a mandatory field"],
    [entry({ providers: [{ aescbc: { keys: [{ name: "a" }] } }] }), "keys[0].secret is a mandatory field"],
    [entry({ providers: [{ aescbc: { keys: [{ name: "a", secret: "%%" }] } }] }), "keys[0].secret must be base64 encoded"],
    [
      entry({ providers: [{ aescbc: { keys: [{ name: "a", secret: "aGFsbG8=" }] } }] }),
      "keys[0].secret has 5 bytes, and must have 16, 24, 32",
    ],
  ])("refuses %s", (text, message) => {
    expect(() => encryptionConfig(text)).toThrow(EncryptionConfigError);
    expect(() => encryptionConfig(text)).toThrow(message);
  });

  it("never quotes a secret", () => {
    const broken = `kind: [\n  secret: ${secret}`;
    for (const text of [broken, entry({ providers: [{ aescbc: { keys: [{ name: "a", secret: `${secret}x` }] } }] })]) {
      const message = ((): string => {
        try {
          encryptionConfig(text);
          return "";
        } catch (error) {
          return String(error);
        }
      })();
      expect(message).not.toBe("");
      expect(message).not.toContain(secret.slice(0, 8));
    }
  });
});
