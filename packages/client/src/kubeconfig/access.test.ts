import { inspect } from "node:util";
import { Secret } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { accessFromKubeconfig } from "./access.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { isKubeconfigError } from "./kubeconfig-error.ts";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import { memoryHost } from "../testing/memory-host.ts";
import type { KubeconfigOverrides } from "./overrides.ts";

const host = memoryHost({ "/ca": "CA", "/token": "from-file" });
const log = recordingLog(new ManualClock());
const kubeconfig = (cluster: string, user: string, context = ""): string =>
  `current-context: x\ncontexts: [{ name: x, context: { cluster: c, user: u${context} } }]\nclusters: [{ name: c, cluster: ${cluster} }]\nusers: [{ name: u, user: ${user} }]\n`;
const access = (written: string, overrides: KubeconfigOverrides = {}): Promise<ClusterAccess> =>
  accessFromKubeconfig(parseKubeconfig(written, { file: "/k" }), { host, log, overrides });
const secure = "{ server: 'https://prod.example' }";

describe("accessFromKubeconfig", () => {
  it("returns server, trust, token, namespace and proxy", async () => {
    const found = await access(
      kubeconfig(
        "{ server: 'https://h:6443/p/', certificate-authority: /ca, tls-server-name: name.example, proxy-url: 'http://me:canary@p', disable-compression: true }",
        "{ token: canary }",
        ", namespace: shop",
      ),
    );
    expect(found).toEqual({
      server: "https://h:6443/p",
      trust: { ca: { kind: "file", path: "/ca" }, serverName: "name.example" },
      credentials: { token: expect.any(Secret) as Secret },
      proxyUrl: expect.any(Secret) as Secret,
      disableCompression: true,
      namespace: "shop",
    });
    expect([found.credentials.token?.reveal(), found.proxyUrl?.reveal()]).toEqual(["canary", "http://me:canary@p"]);
    expect(inspect(found, { depth: 9, showHidden: true })).not.toContain("canary");
  });

  it("returns inline authorities as PEM, insecure without them, and the default namespace", async () => {
    expect(await access(kubeconfig(`{ server: 'https://h', certificate-authority-data: ${btoa("PEM")} }`, "{}"))).toEqual({
      server: "https://h",
      trust: { ca: { kind: "inline", pem: "PEM" } },
      credentials: {},
      namespace: "default",
    });
    expect((await access(kubeconfig("{ server: 'https://h', insecure-skip-tls-verify: true }", "{}"))).trust).toEqual({ insecure: true });
  });

  it("returns a client certificate inline or in files, beside a token", async () => {
    const { clientCertificate, token } = (
      await access(kubeconfig(secure, `{ client-certificate-data: ${btoa("CERT")}, client-key-data: ${btoa("canary")}, token: t }`))
    ).credentials;
    expect([clientCertificate?.certificate, token?.reveal()]).toEqual([{ kind: "inline", pem: "CERT" }, "t"]);
    expect(clientCertificate?.key.kind === "inline" && clientCertificate.key.pem.reveal()).toBe("canary");
    expect((await access(kubeconfig(secure, "{ client-certificate: /ca, client-key: /token }"))).credentials).toEqual({
      clientCertificate: { certificate: { kind: "file", path: "/ca" }, key: { kind: "file", path: "/token" } },
    });
  });

  it("returns a token file, which must exist unless there is also a token", async () => {
    expect((await access(kubeconfig(secure, "{ tokenFile: /token }"))).credentials).toEqual({ tokenFile: "/token" });
    expect((await access(kubeconfig(secure, "{ token: t, tokenFile: /gone }"))).credentials).toMatchObject({ tokenFile: "/gone" });
    await expect(access(kubeconfig(secure, "{ tokenFile: /gone }"))).rejects.toThrow('/k: users[0] ("u"): tokenFile: /gone cannot be read');
  });

  it("returns user name and password", async () => {
    const { basic } = (await access(kubeconfig(secure, "{ username: u, password: canary }"))).credentials;
    expect([basic?.username, basic?.password.reveal()]).toEqual(["u", "canary"]);
    expect((await access(kubeconfig(secure, "{ username: u }"))).credentials.basic?.password.reveal()).toBe("");
  });

  it("returns all impersonation fields", async () => {
    expect(
      (await access(kubeconfig(secure, "{ as: jane, as-uid: id, as-groups: [a, b], as-user-extra: { k: [v] } }"))).impersonate,
    ).toEqual({ user: "jane", uid: "id", groups: ["a", "b"], extra: { k: ["v"] } });
    expect((await access(kubeconfig(secure, "{}"), { userFields: { as: "joe" } })).impersonate).toEqual({ user: "joe" });
  });

  it("sends no credentials without TLS, logs that, and still impersonates", async () => {
    const noted = recordingLog(new ManualClock());
    const found = await accessFromKubeconfig(
      parseKubeconfig(kubeconfig("{ server: 'localhost:8080', certificate-authority: /ca }", "{ token: canary, as: jane }")),
      { host, log: noted },
    );
    expect(found).toEqual({
      server: "http://localhost:8080",
      trust: {},
      credentials: {},
      impersonate: { user: "jane" },
      namespace: "default",
    });
    expect(noted.entries).toMatchObject([{ level: "warn", message: "not sending credentials, because the server uses no TLS" }]);
    const quiet = recordingLog(new ManualClock());
    await accessFromKubeconfig(parseKubeconfig(kubeconfig("{ server: 'http://x' }", "{}")), { host, log: quiet });
    expect(quiet.entries).toEqual([]);
  });

  it("rejects insecure together with authorities, unless an override chose one of them", async () => {
    const both = kubeconfig("{ server: 'https://h', insecure-skip-tls-verify: true, certificate-authority: /ca }", "{}");
    await expect(access(both)).rejects.toThrow("insecure-skip-tls-verify: true together with a certificate authority");
    expect((await access(both, { clusterFields: { "insecure-skip-tls-verify": true } })).trust).toEqual({ insecure: true });
  });

  it("distinguishes an empty kubeconfig from an invalid one", async () => {
    const reason = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => "fine",
        (error: unknown) => (isKubeconfigError(error) ? error.reason : error),
      );
    expect(await reason(access(""))).toBe("empty");
    expect(await reason(access("current-context: gone"))).toBe("context-not-found");
    expect(await reason(access(kubeconfig("{}", "{ token: t }")))).toBe("invalid");
    expect(await reason(access("current-context: a\ncontexts: [{ name: a }]"))).toBe("empty");
    expect(await reason(access("", { clusterFields: { server: "https://x" } }))).toBe("fine");
  });

  it("reports the problems of cluster and user together", async () => {
    await expect(access(kubeconfig("{ certificate-authority: /gone }", "{ as-uid: x }"))).rejects.toMatchObject({
      problems: [expect.stringContaining("as-uid"), expect.stringContaining("no server"), expect.stringContaining("/gone")] as string[],
    });
  });

  const exec = "exec: { apiVersion: client.authentication.k8s.io/v1, command: login, interactiveMode: Never }";
  it("runs a plugin only if there are no other credentials", async () => {
    expect((await access(kubeconfig(secure, `{ ${exec} }`))).credentials.exec?.command).toBe("login");
    expect(Object.keys((await access(kubeconfig(secure, `{ ${exec} }`), { userFields: { token: new Secret("t") } })).credentials)).toEqual([
      "token",
    ]);
    expect(Object.keys((await access(kubeconfig(secure, `{ ${exec}, client-certificate: /ca, client-key: /ca }`))).credentials)).toEqual([
      "clientCertificate",
    ]);
  });

  it("uses an auth provider beside a certificate, but not beside a token", async () => {
    const oidc = "auth-provider: { name: oidc, config: { idp-issuer-url: 'https://i', client-id: c } }";
    expect(Object.keys((await access(kubeconfig(secure, `{ ${oidc}, client-certificate: /ca, client-key: /ca }`))).credentials)).toEqual([
      "clientCertificate",
      "oidc",
    ]);
    expect(Object.keys((await access(kubeconfig(secure, `{ ${oidc}, token: t }`))).credentials)).toEqual(["token"]);
  });
});
