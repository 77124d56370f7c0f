import { describe, expect, it } from "vitest";
import { parseKubeconfig, printKubeconfig } from "./kubeconfig-text.ts";
import { redactKubeconfig } from "./redact.ts";

describe("redactKubeconfig", () => {
  it("shows all entries and no credential", () => {
    const shown = printKubeconfig(
      redactKubeconfig(
        parseKubeconfig(`
top: canary
preferences: { x: canary, extensions: [{ name: p, extension: canary }] }
clusters: [{ name: c, x: canary, cluster: { server: "https://c", certificate-authority-data: ${btoa("pem")}, proxy-url: "http://me:canary@proxy:8080/", x: canary } }]
users:
- { name: a, x: canary, user: { token: canary, username: ada, x: canary } }
- { name: b, user: { password: canary, client-certificate-data: ${btoa("c")}, client-key-data: ${btoa("canary")} } }
- { name: d, user: { auth-provider: { name: oidc, x: canary, config: { id-token: canary, client-secret: canary, client-id: me } } } }
- { name: e, user: { exec: { command: login, x: canary, args: [canary, --password, canary, --token=canary, -pcanary], env: [{ name: KEY, value: canary, x: canary }] }, extensions: [{ name: m, extension: { k: canary }, x: canary }] } }
contexts: [{ name: x, x: canary, context: { cluster: c, x: canary, extensions: [{ name: o, extension: canary }] } }]
extensions: [{ name: t, extension: canary }]
`),
      ),
    );
    expect(shown).not.toContain("canary");
    expect(shown).not.toContain(btoa("canary"));
    for (const part of [
      "server: https://c",
      "certificate-authority-data: DATA+OMITTED",
      "proxy-url: http://REDACTED@proxy:8080/",
      "token: REDACTED",
      "username: ada",
      "client-key-data: DATA+OMITTED",
      "id-token: REDACTED",
      "client-id: me",
      "command: login",
      "name: KEY",
      "- --password\n",
      "- --token=REDACTED",
    ])
      expect(shown).toContain(part);
  });

  it.each([
    ["http://me:can/ary@h", "REDACTED"],
    ["socks5://me:canary@h:1", "socks5://REDACTED@h:1"],
    ["http://me@h/p?q=canary", "http://REDACTED@h/p"],
    ["http://h:3128", "http://h:3128"],
  ])("shows of the proxy %s only %s", (url, shown) => {
    expect(
      redactKubeconfig(parseKubeconfig(`clusters: [{ name: c, cluster: { proxy-url: '${url}' } }]`)).clusters[0]?.cluster[
        "proxy-url"
      ]?.reveal(),
    ).toBe(shown);
  });

  it("adds no fields", () => {
    const config = parseKubeconfig(
      "clusters: [{ name: c, cluster: { proxy-url: 'http://p' } }]\nusers: [{ name: u, user: { exec: { command: a } } }, { name: w, user: { auth-provider: {} } }]\ncontexts: [{ name: x }]",
    );
    expect(redactKubeconfig(config)).toEqual(config);
  });
});
