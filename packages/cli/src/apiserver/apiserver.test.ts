import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeCrypto } from "@drover/machinery/node";
import { certificateAuthority } from "@drover/machinery/x509";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kubernetesVersion } from "../version.ts";
import { apiserver } from "./apiserver.ts";
import { readApiserverOptions } from "./apiserver-options.ts";

let home = "";
const ends: (() => Promise<void>)[] = [];
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "drover-apiserver-"))));
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  rmSync(home, { recursive: true });
});

interface Running {
  readonly url: string;
  readonly warnings: readonly string[];
  readonly stop: () => Promise<void>;
}
const start = async (...flags: readonly string[]): Promise<Running> => {
  const options = readApiserverOptions(["--secure-port=0", ...flags]);
  if (typeof options === "string") throw new Error(options);
  const ending = new AbortController();
  const warnings: string[] = [];
  const ready = deferred();
  const ended = apiserver(options, {
    write: (text) => ready.resolve(text),
    warn: (text) => void warnings.push(text),
    parent: () => 1,
    signal: ending.signal,
  });
  const stop = async (): Promise<void> => {
    ending.abort();
    await ended;
  };
  ended.catch((error: unknown) => ready.reject(error));
  const [, url = ""] = /ready at (\S+)/.exec(await ready.promise) ?? [];
  ends.push(stop);
  return { url, warnings, stop };
};
function deferred(): { promise: Promise<string>; resolve: (text: string) => void; reject: (error: unknown) => void } {
  let [resolve, reject]: [(text: string) => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const promise = new Promise<string>((yes, no) => void ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}
interface Asked {
  readonly status: number | undefined;
  readonly text: string;
}
const ask = async (
  url: string,
  {
    method = "GET",
    body,
    token,
    ...tls
  }: { method?: string; body?: object; token?: string; cert?: string; key?: string; ca?: string } = {},
): Promise<Asked> => {
  const sent = request(url, {
    agent: false,
    method,
    rejectUnauthorized: tls.ca !== undefined,
    headers: { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...tls,
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  return { status: response.statusCode, text };
};
const file = (name: string, text: string): string => {
  writeFileSync(join(home, name), text);
  return join(home, name);
};
const clock = { now: () => Date.now() };
const authority = certificateAuthority({ commonName: "clients", crypto: nodeCrypto, clock });
const admin = authority.issue({ commonName: "admin", organizations: ["system:masters"], usage: "client" });
const asAdmin = { cert: admin.certificatePem, key: admin.privateKeyPem };

describe("drover apiserver", () => {
  it("serves users of --client-ca-file and --token-auth-file, and health to everybody with RBAC", async () => {
    const { url, warnings } = await start(
      "--authorization-mode=RBAC",
      `--client-ca-file=${file("ca.crt", authority.certificatePem)}`,
      `--token-auth-file=${file("tokens", "secret,alice,1,system:masters\nweak,bob,2\n")}`,
    );
    const path = `${url}/api/v1/namespaces/default/configmaps`;
    const statuses = await Promise.all([
      ask(path, asAdmin),
      ask(path, { token: "secret" }),
      ask(path, { token: "weak" }),
      ask(path, { token: "wrong" }),
      ask(path),
      ask(`${url}/healthz`),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 403, 401, 403, 200]);
    expect(warnings).toEqual([]);
    expect(JSON.parse((await ask(`${url}/version`)).text)).toMatchObject({ gitVersion: kubernetesVersion });
  });

  it("refuses everybody without credentials by default, and says that only service accounts can log in", async () => {
    const { url, warnings } = await start();
    expect((await ask(`${url}/healthz`)).status).toBe(401);
    expect(warnings).toEqual([expect.stringContaining("only service accounts can log in")]);
  });

  it("uses the certificate of --cert-dir, and creates it if there is none", async () => {
    const folder = join(home, "certificates");
    const first = await start("--authorization-mode=RBAC", `--cert-dir=${folder}`);
    const pem = readFileSync(join(folder, "apiserver.crt"), "utf8");
    expect(statSync(join(folder, "apiserver.key")).mode & 0o077).toBe(0);
    expect((await ask(`${first.url}/healthz`, { ca: pem })).text).toBe("ok");
    await first.stop();
    const second = await start("--authorization-mode=RBAC", `--cert-dir=${folder}`);
    expect((await ask(`${second.url}/healthz`, { ca: pem })).text).toBe("ok");
  });

  it("answers under the names of its certificate", async () => {
    const issued = authority.issue({ commonName: "s", dnsNames: ["api.shop.example.com"], ips: ["127.0.0.1"], usage: "server" });
    const { url } = await start(
      "--authorization-mode=RBAC",
      `--tls-cert-file=${file("s.crt", issued.certificatePem)}`,
      `--tls-private-key-file=${file("s.key", issued.privateKeyPem)}`,
    );
    const sent = request(`${url}/healthz`, { agent: false, ca: authority.certificatePem, headers: { host: "api.shop.example.com" } }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(200);
  });

  it.each([
    ["RSA", () => generateKeyPairSync("rsa", { modulusLength: 2048 })],
    ["P-256", () => generateKeyPairSync("ec", { namedCurve: "P-256" })],
    ["P-521", () => generateKeyPairSync("ec", { namedCurve: "P-521" })],
  ] as const)("signs tokens with a key of a file, also one of type %s, and accepts those of older keys", async (_, generate) => {
    const [old, fresh] = [generate(), generate()];
    const pem = (key: (typeof old)["privateKey"], type: "pkcs8" | "spki"): string =>
      key.export({ type, format: "pem" } as never).toString();
    const data = `--data=${join(home, "data")}`;
    const flags = [
      "--authorization-mode=RBAC",
      `--client-ca-file=${file("ca.crt", authority.certificatePem)}`,
      data,
      "--service-account-issuer=https://issuer",
    ];
    const oldKey = `--service-account-signing-key-file=${file("old.key", pem(old.privateKey, "pkcs8"))}`;
    const first = await start(...flags, oldKey);
    const account = `${first.url}/api/v1/namespaces/default/serviceaccounts`;
    await ask(account, { ...asAdmin, method: "POST", body: { metadata: { name: "robot" } } });
    const { text } = await ask(`${account}/robot/token`, { ...asAdmin, method: "POST", body: { spec: {} } });
    const { token } = (JSON.parse(text) as { status: { token: string } }).status;
    const who = async (url: string): Promise<Asked> =>
      await ask(`${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
        token,
        method: "POST",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      });
    expect((await who(first.url)).text).toContain("system:serviceaccount:default:robot");
    await first.stop();
    const newKey = `--service-account-signing-key-file=${file("new.key", pem(fresh.privateKey, "pkcs8"))}`;
    const both = file("keys.pub", `${pem(fresh.publicKey, "spki")}${pem(old.publicKey, "spki")}`);
    const second = await start(...flags, newKey, `--service-account-key-file=${both}`);
    expect((await who(second.url)).text).toContain("system:serviceaccount:default:robot");
    await second.stop();
    expect((await who((await start(...flags, newKey)).url)).status).toBe(401);
  });

  it("keeps the data of --data, and refuses a folder that is in use", async () => {
    const flags = [`--client-ca-file=${file("ca.crt", authority.certificatePem)}`, `--data=${join(home, "data")}`];
    const path = "/api/v1/namespaces/default/configmaps";
    const first = await start(...flags);
    expect((await ask(`${first.url}${path}`, { ...asAdmin, method: "POST", body: { metadata: { name: "kept" } } })).status).toBe(201);
    await expect(start(...flags)).rejects.toThrow(/^--data: the data folder .* is in use/);
    await first.stop();
    const second = await start(...flags);
    expect((await ask(`${second.url}${path}/kept`, asAdmin)).status).toBe(200);
  });

  it.each([
    ["--client-ca-file=HOME/none", "--client-ca-file: HOME/none cannot be read"],
    ["--client-ca-file=HOME/bad", "--client-ca-file: HOME/bad has no certificate in PEM"],
    ["--token-auth-file=HOME/bad", "--token-auth-file: line 1"],
    ["--tls-cert-file=HOME/bad --tls-private-key-file=HOME/bad", "HOME/bad and its key cannot be used"],
    [
      "--tls-cert-file=HOME/a.crt --tls-private-key-file=HOME/b.key",
      "HOME/a.crt and its key cannot be used: the key does not belong to the certificate",
    ],
    ["--cert-dir=HOME/half", "--cert-dir: HOME/half/apiserver.key is missing beside the other file"],
    ["--service-account-signing-key-file=HOME/bad", "--service-account-signing-key-file, --service-account-key-file: HOME/bad"],
    ["--enable-admission-plugins=EventRateLimit", "EventRateLimit cannot run here"],
    [
      "--runtime-config=nothing.example.com/v1=true,batch/v1/jobs=true,batch/v1/none=true",
      "the server does not have nothing.example.com/v1, batch/v1/none",
    ],
    ["--bind-address=192.0.2.1", "--bind-address 127.0.0.1 always works"],
  ])("does not start with %s, and says why", async (line, message) => {
    file("bad", "nonsense");
    file("a.crt", admin.certificatePem);
    file("b.key", authority.privateKeyPem);
    mkdirSync(join(home, "half"));
    file("half/apiserver.crt", admin.certificatePem);
    await expect(start(...line.replaceAll("HOME", home).split(" "))).rejects.toThrow(message.replaceAll("HOME", home));
  });

  it("writes the audit log", async () => {
    const policy = file("policy.yaml", "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n  - level: Metadata\n");
    const { url, stop } = await start(
      "--authorization-mode=RBAC",
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${join(home, "audit.log")}`,
    );
    await ask(`${url}/version`);
    await stop();
    expect(existsSync(join(home, "audit.log")) && readFileSync(join(home, "audit.log"), "utf8")).toContain('"/version"');
  });
});
