/**
 * A real API server on loopback, with its own etcd.
 *
 *     startRealServer → RealServer         a new one, which the caller stops
 *     realServer      → RealServer         that of the run (`npm run test:real` has one, see real-setup.ts), or a new one
 */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { inject } from "vitest";
import { authority, authorityFrom } from "../../packages/client/src/transport/testing/certificates.ts";
import type { Authority, Issued } from "../../packages/client/src/transport/testing/certificates.ts";
import { etcdFlags } from "./real-etcd.ts";
import { RealProgram, freePorts, programsMissing, temporaryFolder, until } from "./real-program.ts";

export interface RealRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RealResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The whole body as text; of a watch everything until the server ended it. */
  readonly body: string;
}

export interface RealServerOptions {
  /**
   * By default the server keeps snapshots and recent events in memory, so old versions survive there after etcd has
   * compacted them. "etcd" makes it forget lists with etcd and, for secrets, the one kind without that memory then,
   * events as well. @default "server"
   */
  readonly history?: "server" | "etcd";
  /** Whether etcd syncs every write to the disk, as in production. @default false: tests need no durable data */
  readonly isDurable?: boolean;
  /** "AlwaysAllow" lets authenticated users do everything, and others nothing. @default "RBAC" */
  readonly authorization?: "RBAC" | "Node,RBAC" | "AlwaysAllow";
  /** Whether pods get service accounts and tokens; there is no controller that creates accounts. @default false */
  readonly serviceAccounts?: boolean;
  /** Addresses of an etcd that the caller has started. @default one of its own */
  readonly etcdServers?: readonly string[];
  /** Further flags, such as "--enable-admission-plugins=NodeRestriction". @default none */
  readonly flags?: readonly string[];
  /** The rules of an audit policy, by which the server records requests: `RealServer.auditLog`. @default no audit log */
  readonly audit?: readonly object[];
  /** Stages that the audit log omits. @default all but those of answered requests */
  readonly auditOmits?: readonly string[];
}

/** The address of a server and its administrator's credentials: plain data, so that a run can pass it to all its files. */
export interface RealServerAddress {
  /** "https://127.0.0.1:40123" */
  readonly url: string;
  /** Of an administrator. */
  readonly token: string;
  /** Verifies the server's certificate, PEM. */
  readonly ca: string;
  /** A kubeconfig with the administrator's token; deleted with the server. */
  readonly kubeconfig: string;
  /** The file with an `audit.k8s.io/v1` Event in each line, across restarts, if requested; deleted with the server. */
  readonly auditLog?: string;
  /** The authority for certificates of users. */
  readonly clientAuthority: Issued;
  readonly etcdUrl: string;
}

export interface RealServer extends Omit<RealServerAddress, "clientAuthority" | "etcdUrl"> {
  /** Issues certificates of users. */
  readonly clientAuthority: Authority;
  /** Sends a request as administrator. */
  readonly send: (request: RealRequest) => Promise<RealResponse>;
  /** Compacts etcd to the current revision, so that old versions are gone. */
  readonly compact: () => Promise<void>;
  /** The texts of all stored custom objects whose keys begin with a prefix: "/registry/example.com/widgets/". */
  readonly storedTexts: (prefix: string) => Promise<readonly string[]>;
  /** Ends the API server and starts it again on the same data; resolves when it is ready. Not for the run's server, which others use. */
  readonly restart: () => Promise<void>;
  /** Ends both programs and removes their data, unless the server is the run's. */
  readonly stop: () => Promise<void>;
}

/** The programs of a server, for the caller that started them. */
export interface ServerPrograms extends Pick<RealServer, "restart" | "stop"> {
  readonly address: RealServerAddress;
}

/** Why no server can be started here; undefined when one can. */
export const realServerMissing: string | undefined = programsMissing("etcd", "kube-apiserver");

declare module "vitest" {
  interface ProvidedContext {
    /** The run's server. */
    readonly realServer: RealServerAddress | undefined;
  }
}

/**
 * A server whose history is etcd's and that other suites may use as well, so everything on it needs its own name or
 * namespace. The caller calls `stop`.
 */
export async function realServer(): Promise<RealServer> {
  const shared = inject("realServer");
  if (shared === undefined) return startRealServer({ history: "etcd" });
  return serverAt(shared, {
    stop: () => Promise.resolve(),
    restart: () => Promise.reject(new Error("this server is shared by the whole run; start one of your own with startRealServer")),
  });
}

/** Starts etcd and an API server and waits until it is ready. The caller must stop it. */
export async function startRealServer(options: RealServerOptions = {}): Promise<RealServer> {
  const { address, ...programs } = await startServerPrograms(options);
  return serverAt(address, programs);
}

/** The programs and their address. */
export async function startServerPrograms({
  history = "server",
  isDurable = false,
  authorization = "RBAC",
  flags: more = [],
  etcdServers = [],
  serviceAccounts = false,
  audit,
  auditOmits = ["RequestReceived", "ResponseStarted"],
}: RealServerOptions): Promise<ServerPrograms> {
  const { path: folder, remove } = temporaryFolder("real-server");
  const [clientPort, peerPort, port] = await freePorts(3);
  const etcdUrl = etcdServers[0] ?? `http://127.0.0.1:${clientPort}`;
  const [url, token, { certificate, key }] = [`https://127.0.0.1:${port}`, randomUUID(), authority("clients")];
  const programs: RealProgram[] = [];
  const stop = async (): Promise<void> => {
    for (const program of programs.toReversed()) await program.end();
    remove();
  };
  try {
    if (etcdServers.length === 0)
      programs.push(new RealProgram("etcd", etcdFlags(folder, etcdUrl, `http://127.0.0.1:${peerPort}`, { isDurable }), folder));
    writeFileSync(join(folder, "clients.crt"), certificate);
    const flags = [
      `--etcd-servers=${etcdServers.length === 0 ? etcdUrl : etcdServers.join(",")}`,
      `--secure-port=${port}`,
      `--authorization-mode=${authorization}`,
      ...apiServerFlags(folder, token, serviceAccounts, more),
      ...(history === "etcd" ? forgetful : []),
      ...(audit === undefined ? [] : auditFlags(folder, audit, auditOmits)),
    ];
    const certificateFile = join(folder, "certs", "apiserver.crt");
    const start = async (): Promise<void> => {
      programs.push(new RealProgram("kube-apiserver", flags, folder));
      await until(programs, "the API server was", () => answers({ url, token }, certificateFile));
    };
    const restart = async (): Promise<void> => {
      await programs.pop()?.end();
      await start();
    };
    await start();
    const ca = readFileSync(certificateFile, "utf8");
    return {
      address: {
        url,
        token,
        ca,
        kubeconfig: writeKubeconfig(folder, { url, token, ca }),
        clientAuthority: { certificate, key },
        etcdUrl,
        ...(audit === undefined ? {} : { auditLog: auditFile(folder) }),
      },
      restart,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Whether the server at this address is ready and has created its own objects; false also while it does not listen or
 * has not written its certificate.
 */
async function answers(address: Pick<RealServerAddress, "url" | "token">, certificateFile: string): Promise<boolean> {
  try {
    const send = sender({ ...address, ca: readFileSync(certificateFile, "utf8") });
    const all = await Promise.all(
      ["/readyz", "/api/v1/namespaces/default", "/api/v1/namespaces/default/services/kubernetes"].map((path) =>
        send({ method: "GET", path }),
      ),
    );
    return all.every(({ status }) => status === 200);
  } catch {
    return false;
  }
}

export function serverAt(
  { clientAuthority, etcdUrl, ...address }: RealServerAddress,
  programs: Pick<RealServer, "restart" | "stop">,
): RealServer {
  return {
    ...address,
    ...programs,
    clientAuthority: authorityFrom(clientAuthority),
    send: sender(address),
    compact: () => compact(etcdUrl),
    storedTexts: (prefix) => storedTexts(etcdUrl, prefix),
  };
}

const forgetful: readonly string[] = ["--feature-gates=ListFromCacheSnapshot=false", "--watch-cache-sizes=secrets#0"];

function apiServerFlags(folder: string, token: string, serviceAccounts: boolean, more: readonly string[]): string[] {
  const tokens = join(folder, "tokens.csv");
  writeFileSync(tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  const key = join(folder, "service-accounts.pem");
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  writeFileSync(key, privateKey, { mode: 0o600 });
  return [
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    "--endpoint-reconciler-type=none",
    `--cert-dir=${join(folder, "certs")}`,
    `--client-ca-file=${join(folder, "clients.crt")}`,
    `--token-auth-file=${tokens}`,
    "--service-account-issuer=https://127.0.0.1",
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    ...(serviceAccounts ? [] : ["--disable-admission-plugins=ServiceAccount"]),
    "--shutdown-delay-duration=0s",
    ...more,
  ];
}

const auditFile = (folder: string): string => join(folder, "audit.log");

function auditFlags(folder: string, rules: readonly object[], omitStages: readonly string[]): string[] {
  const policy = join(folder, "audit-policy.json");
  writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages, rules }));
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${auditFile(folder)}`];
}

function writeKubeconfig(folder: string, { url, token, ca }: Pick<RealServerAddress, "url" | "token" | "ca">): string {
  const file = join(folder, "kubeconfig");
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "real",
      clusters: [{ name: "real", cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") } }],
      users: [{ name: "admin", user: { token } }],
      contexts: [{ name: "real", context: { cluster: "real", user: "admin" } }],
    }),
    { mode: 0o600 },
  );
  return file;
}

function sender({ url, token, ca }: Pick<RealServerAddress, "url" | "token" | "ca">): RealServer["send"] {
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      // The server made its certificate for the names it found; on loopback it is enough to check for that very
      // certificate.
      const tls = { ca, checkServerIdentity: () => undefined };
      // Node sends the body of a DELETE without a length unless one is set, and the server would take it for the next
      // request.
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const request = httpsRequest(
        `${url}${path}`,
        { method, ...tls, headers: { authorization: `Bearer ${token}`, ...length, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString("utf8") }),
          );
        },
      );
      request.on("error", reject);
      request.end(body);
    });
}

async function compact(etcdUrl: string): Promise<void> {
  const { header } = JSON.parse(await callEtcd(etcdUrl, "/v3/kv/range", { key: "AA==" })) as {
    readonly header: { readonly revision: string };
  };
  await callEtcd(etcdUrl, "/v3/kv/compaction", { revision: header.revision, physical: true });
}

async function storedTexts(etcdUrl: string, prefix: string): Promise<readonly string[]> {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  // "0" follows "/".
  const body = { key: base64(prefix), range_end: base64(prefix.replace(/\/$/, "0")) };
  const { kvs = [] } = JSON.parse(await callEtcd(etcdUrl, "/v3/kv/range", body)) as {
    readonly kvs?: readonly { readonly value: string }[];
  };
  return kvs.map(({ value }) => Buffer.from(value, "base64").toString("utf8"));
}

function callEtcd(etcdUrl: string, path: string, body: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${etcdUrl}${path}`, { method: "POST" }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    request.on("error", reject);
    request.end(JSON.stringify(body));
  });
}
