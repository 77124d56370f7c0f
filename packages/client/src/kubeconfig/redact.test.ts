import { describe, expect, it } from "vitest";
import { parseKubeconfig, printKubeconfig } from "./kubeconfig-text.ts";
import { redactKubeconfig } from "./redact.ts";

describe("redactKubeconfig", () => {
  it("shows what is there and no credential", () => {
    const shown = printKubeconfig(redactKubeconfig(parseKubeconfig(`
top: canary
preferences: { x: canary }
clusters: [{ name: c, x: canary, cluster: { server: "https://c", certificate-authority-data: ${btoa("pem")}, proxy-url: "http://me:canary@proxy:8080/", x: canary } }]
users:
- { name: a, x: canary, user: { token: canary, username: ada, x: canary } }
- { name: b, user: { password: canary, client-certificate-data: ${btoa("c")}, client-key-data: ${btoa("canary")} } }
- { name: d, user: { auth-provider: { name: oidc, x: canary, config: { id-token: canary, client-secret: canary, client-id: me } } } }
- { name: e, user: { exec: { command: login, x: canary, env: [{ name: KEY, value: canary, x: canary }] } } }
contexts: [{ name: x, x: canary, context: { cluster: c, x: canary } }]
`)));
    expect(shown).not.toContain("canary");
    expect(shown).not.toContain(btoa("canary"));
    for (const part of ["server: https://c", "certificate-authority-data: DATA+OMITTED", "proxy-url: http://REDACTED@proxy:8080/", "token: REDACTED", "username: ada", "client-key-data: DATA+OMITTED", "id-token: REDACTED", "client-id: me", "command: login", "name: KEY"]) expect(shown).toContain(part);
  });

  it("adds nothing that was not there", () => {
    const config = parseKubeconfig("clusters: [{ name: c, cluster: { proxy-url: 'http://p' } }]\nusers: [{ name: u, user: { exec: { command: a } } }, { name: w, user: { auth-provider: {} } }]\ncontexts: [{ name: x }]");
    expect(redactKubeconfig(config)).toEqual(config);
  });
});
