/**
 * Our own API server in this process, with the same handle as the real one.
 *
 *     startEmbeddedServer → SuiteServer;   url, kubeconfig → TLS on loopback,   send, transport → no sockets at all
 */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { MemoryStore, createApiServer } from "@drover/apiserver";
import type { ApiServer, StoreSnapshot } from "@drover/apiserver";
import { listen, nodeHost } from "@drover/apiserver/node";
import { nodeCrypto } from "@drover/machinery/node";
import { certificateAuthority } from "@drover/machinery/x509";
import type { NodeTransport } from "@drover/client";
import type { HttpBody, HttpRequest } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { authority } from "../../packages/client/src/transport/testing/certificates.ts";
import { kubeconfigText } from "./real-login.ts";
import { freePorts, temporaryFolder } from "./real-program.ts";
import type { RealServer } from "./real-server.ts";
import type { SuiteServer } from "./suite-server.ts";

const dnsNames: readonly string[] = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];

/** A real server is away for seconds, in which clients notice that their connections are closed. */
const noticeMs = 100;

/** Starts a server within milliseconds. The caller must stop it. */
export async function startEmbeddedServer(): Promise<SuiteServer> {
  const runtime = nodeRuntime({ write: () => undefined });
  const { clock, log } = runtime;
  const { path: folder, remove } = temporaryFolder("embedded-server");
  const [port = 0] = await freePorts(1);
  const [url, token, clientAuthority] = [`https://127.0.0.1:${port}`, randomUUID(), authority("clients")];
  const servers = certificateAuthority({ commonName: "servers", crypto: nodeCrypto, clock });
  const tls = {
    ...servers.issue({ commonName: "kube-apiserver", dnsNames, ips: ["127.0.0.1"], usage: "server" }),
    clientAuthorityPem: clientAuthority.certificate,
  };
  const signer = nodeHost.tokenSigner();
  const tokens = [{ token, user: { name: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] } }];

  const start = async (store: MemoryStore): Promise<Running> => {
    const server = await createApiServer({
      runtime,
      host: { ...nodeHost, tokenSigner: () => signer },
      store,
      tokens,
      authorizationModes: ["RBAC"],
      serverAddress: `127.0.0.1:${port}`,
      // That of the real server in real-server.ts.
      serviceCidr: "10.0.0.0/24",
      serviceAccountIssuer: "https://127.0.0.1",
    });
    const listener = await listen({ connection: server.connection, port, names: dnsNames, tls, clock, log });
    const stop = new AbortController();
    const ended = listener.run(stop.signal);
    const end = async (): Promise<StoreSnapshot> => {
      stop.abort();
      await ended;
      const snapshot = store.snapshot();
      server.close();
      return snapshot;
    };
    return { server, end };
  };

  let running = await start(new MemoryStore({ clock }));
  const restart = async (): Promise<void> => {
    const snapshot = await running.end();
    await delay(noticeMs);
    const store = new MemoryStore({ clock });
    store.restore(snapshot);
    running = await start(store);
  };
  const handle = (request: HttpRequest): ReturnType<NodeTransport> =>
    running.server.handle({ ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } });
  const ca = servers.certificatePem;
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigText({ url, ca }, "default", { token }), { mode: 0o600 });
  return {
    url,
    token,
    ca,
    kubeconfig,
    clientAuthority,
    restart,
    compact: () => running.server.compact(),
    transport: () => Object.assign(handle, { close: () => undefined }),
    send: inProcess(handle),
    stop: async () => {
      await running.end();
      remove();
    },
  };
}

interface Running {
  readonly server: ApiServer;
  /** Resolves with its stored state when its last connection is closed. */
  readonly end: () => Promise<StoreSnapshot>;
}

function inProcess(handle: (request: HttpRequest) => ReturnType<NodeTransport>): RealServer["send"] {
  return async ({ headers = {}, ...request }) => {
    const response = await handle({ ...request, headers });
    const answered = Object.entries(response.headers).map(
      ([name, value]) => [name, typeof value === "string" ? value : [...value]] as const,
    );
    return { status: response.status, headers: Object.fromEntries(answered), body: await textOf(response.body) };
  };
}

async function textOf(body: HttpBody): Promise<string> {
  if (typeof body === "string") return body;
  const chunks: Uint8Array[] = [];
  if (body instanceof Uint8Array) chunks.push(body);
  else for await (const chunk of body) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks).toString("utf8");
}
