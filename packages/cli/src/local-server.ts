/**
 * Starts the API server with a port, certificates and an administrator.
 *
 *     startLocalServer({ host, port, … }) → { server, url, authorityPem, admin, run }
 */
import { definedOnly } from "@drover/machinery";
import { createApiServer } from "@drover/apiserver";
import type { AdmissionPluginChoice, ApiServer, AuditOptions, Authenticator, Store, TokenSigner } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import type { DataFolder } from "@drover/apiserver/node";
import { nodeCrypto } from "@drover/machinery/node";
import { certificateAuthority } from "@drover/machinery/x509";
import type { IssuedCertificate } from "@drover/machinery/x509";
import type { Runtime, Transport } from "@drover/machinery";
import { askReady } from "./ask-ready.ts";
import type { UpOptions } from "./command-line.ts";
import { openServer } from "./open-server.ts";
import { serverNames } from "./server-names.ts";

/** Options of `startLocalServer`. */
export interface LocalServerOptions extends Pick<UpOptions, "host" | "port" | "anonymous"> {
  /** Who decides what users may do, in order. @default ["Node", "RBAC"] */
  readonly authorizationModes?: UpOptions["authorizationModes"];
  readonly runtime: Runtime;
  /** Wraps the server's transport. @default no wrapper */
  readonly through?: (transport: Transport) => Transport;
  /** Range of Service addresses. @default that of the API server */
  readonly serviceCidr?: string;
  /** @default no audit log */
  readonly audit?: AuditOptions;
  /** Admission plug-ins to run or not to run. @default those of kube-apiserver */
  readonly admissionPlugins?: AdmissionPluginChoice;
  /** Where objects, certificates and keys are stored; the caller closes it after the server. @default in memory */
  readonly data?: DataFolder;
  /** Where objects are stored; the server closes it. Excludes `data`. @default in memory */
  readonly store?: Store;
}

/** A running server and its administrator. */
export interface LocalServer {
  /** The server behind the port. */
  readonly server: ApiServer;
  /** "https://127.0.0.1:40123" */
  readonly url: string;
  /** CA of the server's certificate, PEM. */
  readonly authorityPem: string;
  readonly admin: IssuedCertificate;
  /** The key of service account tokens. */
  readonly tokenSigner: TokenSigner;
  /** Serves until `signal` aborts, and resolves when all watches have ended and all connections are closed. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** When a client opened a connection or sent a request last, by `clock.monotonic()`. */
  readonly heardMs: () => number;
}

/**
 * Guarantees: the server has answered its administrator through its port when this resolves. Rejects with a
 * `CommandError` if the port is not available.
 */
export async function startLocalServer({
  host,
  port,
  anonymous,
  authorizationModes,
  runtime,
  through = (transport) => transport,
  serviceCidr,
  audit,
  admissionPlugins,
  data,
  store = data?.store,
}: LocalServerOptions): Promise<LocalServer> {
  const { dnsNames, ips, local } = serverNames(host);
  const authority = data?.identity.authority ?? certificateAuthority({ commonName: "drover", crypto: nodeCrypto, clock: runtime.clock });
  const identity = authority.issue({ commonName: "kube-apiserver", dnsNames, ips, usage: "server" });
  const admin =
    data?.identity.admin ?? authority.issue({ commonName: "kubernetes-admin", organizations: ["system:masters"], usage: "client" });
  const tokenSigner = data?.tokenSigner ?? nodeHost.tokenSigner();
  const { listener, server, run } = await openServer({
    listen: {
      host,
      port,
      names: [...dnsNames, ...ips],
      tls: { ...identity, clientAuthorityPem: authority.certificatePem },
      clock: runtime.clock,
      log: runtime.log,
      metrics: runtime.metrics,
    },
    flags: { host: "--host", port: "--port", anyPort: "omit --port" },
    through,
    ...definedOnly({ lastPort: data?.identity.port }),
    create: (bound) =>
      createApiServer({
        runtime,
        host: { ...nodeHost, tokenSigner: () => tokenSigner },
        authenticators: anonymous ? [everybody] : [],
        serverAddress: `${local}:${bound}`,
        clientAuthorityPem: authority.certificatePem,
        ...definedOnly({ serviceCidr, audit, authorizationModes, admissionPlugins, store }),
      }),
  });
  const url = `https://${local}:${listener.port}`;
  try {
    await askReady({ url, authorityPem: authority.certificatePem, ...admin });
    await data?.rememberPort(listener.port);
  } catch (error) {
    await run(AbortSignal.abort());
    throw error;
  }
  return { server, url, authorityPem: authority.certificatePem, admin, tokenSigner, run, heardMs: listener.heardMs };
}

/** Makes an administrator of everybody who sends no credentials. */
const everybody: Authenticator = ({ headers, peer: { certificate, certificateProblem } }) =>
  Promise.resolve(
    Object.hasOwn(headers, "authorization") || certificate !== undefined || certificateProblem !== undefined
      ? { kind: "none" }
      : { kind: "user", user: { name: "system:anonymous", groups: ["system:unauthenticated", "system:masters"] } },
  );
