/**
 * A real API server on loopback, with an etcd of its own, for as long as a test needs it.
 *
 * The two programs, `etcd` and `kube-apiserver`, are looked for in the folder that KUBEBUILDER_ASSETS names, as envtest does.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface RealRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RealResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The whole body, as text; of a watch everything until the server ended it. */
  readonly body: string;
}

export interface RealServerOptions {
  /** Added to the API server's own flags. @default none */
  readonly extraArgs?: readonly string[];
}

export interface RealServer {
  /** "https://127.0.0.1:40123" */
  readonly url: string;
  /** Of an administrator. */
  readonly token: string;
  /** What the server's certificate is to be verified with. */
  readonly caPem: string;
  /** The same as `caPem`. */
  readonly ca: string;
  /** As an administrator. */
  readonly send: (request: RealRequest) => Promise<RealResponse>;
  /** Makes etcd forget everything before the present revision, so that old versions are gone. */
  readonly compact: () => Promise<void>;
  /** Ends both programs and removes their data. Should it be forgotten, they end with this process. */
  readonly stop: () => Promise<void>;
}

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

/** Why no server can be started here; undefined when one can. */
export const realServerMissing: string | undefined =
  assets !== "" && ["etcd", "kube-apiserver"].every((program) => existsSync(join(assets, program))) ? undefined : "needs etcd and kube-apiserver in KUBEBUILDER_ASSETS";

const startTimeoutMs = 60_000;

/** Starts etcd and an API server and waits until it is ready. Whoever starts it must stop it. */
export async function startRealServer({ extraArgs = [] }: RealServerOptions = {}): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), "drover-real-server-"));
  const [clientPort, peerPort, port] = await freePorts(3);
  const etcdUrl = `http://127.0.0.1:${clientPort}`;
  const token = randomUUID();
  const running: ChildProcess[] = [];
  const killAll = (): void => {
    for (const child of running) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  const stop = async (): Promise<void> => {
    process.off("exit", killAll);
    for (const child of running.toReversed()) await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    running.push(run("etcd", [
      `--data-dir=${join(folder, "etcd")}`, `--listen-client-urls=${etcdUrl}`, `--advertise-client-urls=${etcdUrl}`, `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`, `--initial-cluster=default=http://127.0.0.1:${peerPort}`, "--unsafe-no-fsync", "--log-level=error",
    ]));
    running.push(run("kube-apiserver", [...apiServerFlags(folder, etcdUrl, port ?? 0, token), ...extraArgs]));
    const certificate = join(folder, "certs", "apiserver.crt");
    const send = sender(port ?? 0, token, certificate);
    await ready(send, running);
    const caPem = readFileSync(certificate, "utf8");
    return { url: `https://127.0.0.1:${port}`, token, caPem, ca: caPem, send, compact: () => compact(etcdUrl), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function apiServerFlags(folder: string, etcdUrl: string, port: number, token: string): string[] {
  const tokens = join(folder, "tokens.csv");
  writeFileSync(tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  const key = join(folder, "service-accounts.pem");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048, publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "pkcs8", format: "pem" } });
  writeFileSync(key, privateKey, { mode: 0o600 });
  return [
    `--etcd-servers=${etcdUrl}`, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none", `--secure-port=${port}`, `--cert-dir=${join(folder, "certs")}`,
    `--token-auth-file=${tokens}`, "--authorization-mode=RBAC", "--service-account-issuer=https://127.0.0.1", `--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`,
    "--service-cluster-ip-range=10.0.0.0/24", "--disable-admission-plugins=ServiceAccount", "--shutdown-delay-duration=0s",
  ];
}

function run(program: string, args: readonly string[]): ChildProcess {
  return spawn(join(assets, program), args, { stdio: "ignore" });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
  await ended;
  clearTimeout(timer);
}

function sender(port: number, token: string, certificate: string): RealServer["send"] {
  return ({ method, path, headers, body }) => new Promise((resolve, reject) => {
    // The server made its certificate itself, for whatever names it found; on loopback it is enough that it is the very one.
    const tls = { ca: readFileSync(certificate), checkServerIdentity: () => undefined };
    // Node sends the body of a DELETE without any length unless told one, and the server takes it for the next request.
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const request = httpsRequest({ host: "127.0.0.1", port, method, path, ...tls, headers: { authorization: `Bearer ${token}`, ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString("utf8") }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

async function ready(send: RealServer["send"], running: readonly ChildProcess[]): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    const ended = running.find((child) => child.exitCode !== null);
    if (ended !== undefined) throw new Error(`${ended.spawnfile} ended with code ${ended.exitCode} before it was ready`);
    try {
      const answers = await Promise.all(["/readyz", "/api/v1/namespaces/default"].map((path) => send({ method: "GET", path })));
      if (answers.every(({ status }) => status === 200)) return;
    } catch {
      // Not listening yet, or its certificate is not written yet.
    }
    await delay(100);
  }
  throw new Error(`the API server was not ready after ${startTimeoutMs} ms`);
}

async function compact(etcdUrl: string): Promise<void> {
  const call = (path: string, body: unknown): Promise<string> => new Promise((resolve, reject) => {
    const request = httpRequest(`${etcdUrl}${path}`, { method: "POST" }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    request.on("error", reject);
    request.end(JSON.stringify(body));
  });
  const { header } = JSON.parse(await call("/v3/kv/range", { key: "AA==" })) as { readonly header: { readonly revision: string } };
  await call("/v3/kv/compaction", { revision: header.revision, physical: true });
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => new Promise<ReturnType<typeof createServer>>((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => resolve(server));
  })));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
