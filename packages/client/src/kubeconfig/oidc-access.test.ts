import { inspect } from "node:util";
import { definedOnly, Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import type { UserEntry } from "./kubeconfig.ts";
import { memoryHost } from "../testing/memory-host.ts";
import { oidcAccess } from "./oidc-access.ts";

const text = (config: string, name = "oidc"): string =>
  `users: [{ name: u, user: { auth-provider: { name: ${name}, config: ${config} } } }]`;
const entry = (config: string, name?: string, file?: string): UserEntry =>
  parseKubeconfig(text(config, name), definedOnly({ file })).users[0] as UserEntry;
const least = "idp-issuer-url: 'https://i', client-id: c";

describe("oidcAccess", () => {
  it("passes on the provider's config, with redacted secrets", () => {
    const config = oidcAccess(
      memoryHost(),
      entry(
        `{ ${least}, client-secret: canary1, id-token: canary2, refresh-token: canary3, idp-certificate-authority-data: ${btoa("PEM")} }`,
      ),
    );
    expect(config).toMatchObject({ issuerUrl: "https://i", clientId: "c", issuerCa: { kind: "inline", pem: "PEM" } });
    expect([config.clientSecret, config.idToken, config.refreshToken].map((secret) => secret?.reveal())).toEqual([
      "canary1",
      "canary2",
      "canary3",
    ]);
    expect(inspect(config, { depth: 9 })).not.toContain("canary");
    expect(oidcAccess(memoryHost(), entry(`{ ${least}, idp-certificate-authority: /ca, id-token: "" }`))).toEqual({
      issuerUrl: "https://i",
      clientId: "c",
      issuerCa: { kind: "file", path: "/ca" },
    });
  });

  it("names the missing field", () => {
    expect(() => oidcAccess(memoryHost(), entry("{ client-id: c }"))).toThrow(
      'user "u": auth-provider oidc needs idp-issuer-url in its config',
    );
    expect(() => oidcAccess(memoryHost(), entry("{ idp-issuer-url: x }"))).toThrow("needs client-id");
    expect(() => oidcAccess(memoryHost(), entry(`{ ${least}, idp-certificate-authority-data: "!" }`))).toThrow("is not base64");
  });

  it.each([
    ["gcp", "gke-gcloud-auth-plugin"],
    ["azure", "kubelogin"],
    ["openstack", "the exec plugin that replaces it"],
  ])("rejects %s, which was removed, and names %s", (name, way) => {
    expect(() => oidcAccess(memoryHost(), entry("{}", name))).toThrow(way);
  });

  it("writes new tokens to the user's file, and changes nothing else", async () => {
    const written = `${text(`{ ${least}, refresh-token: old, invented: x }`)}\ncurrent-context: here\n`;
    const host = memoryHost({ "/k": written });
    const config = oidcAccess(host, parseKubeconfig(written, { file: "/k" }).users[0] as UserEntry);
    await config.persist?.({ idToken: new Secret("new-id"), refreshToken: new Secret("new-refresh") });
    const kept = parseKubeconfig(host.files.get("/k") as string);
    expect(Object.entries(kept.users[0]?.user["auth-provider"]?.config ?? {}).map(([key, value]) => [key, value.reveal()])).toEqual(
      expect.arrayContaining([
        ["id-token", "new-id"],
        ["refresh-token", "new-refresh"],
        ["invented", "x"],
      ]),
    );
    expect(kept["current-context"]).toBe("here");
    await config.persist?.({ idToken: new Secret("newer-id") });
    expect(parseKubeconfig(host.files.get("/k") as string).users[0]?.user["auth-provider"]?.config?.["refresh-token"]?.reveal()).toBe(
      "new-refresh",
    );
  });

  it("writes nothing if the user is gone or uses another method, or came from no file", async () => {
    const host = memoryHost({ "/k": "users: [{ name: u, user: { token: t } }]" });
    await oidcAccess(host, entry(`{ ${least} }`, "oidc", "/k")).persist?.({ idToken: new Secret("x") });
    expect(host.trace).toEqual(["lock /k", "read /k", "unlock /k"]);
    expect(oidcAccess(host, entry(`{ ${least} }`))).not.toHaveProperty("persist");
  });
});
