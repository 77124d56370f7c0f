/**
 * `drover apiserver`: an API server with the flags of kube-apiserver, without controllers and nodes.
 *
 *     options → certificates, keys, tokens, data → port open → server ready → signal → stopped, data saved
 */
import { admissionPluginProblem, createApiServer } from "@drover/apiserver";
import type { AdmissionPluginChoice, ApiServer, ApiServerOptions, TokenSigner } from "@drover/apiserver";
import { DataFolderError, loadTokenSigner, nodeHost, openDataFolder } from "@drover/apiserver/node";
import type { DataFolder } from "@drover/apiserver/node";
import { definedOnly, errorText, isInstanceOf } from "@drover/machinery";
import { nodeRuntime } from "drover";
import type { NodeRuntime } from "drover";
import { openAuditLog } from "../audit-log.ts";
import { CommandError, isCommandError } from "../command-error.ts";
import { watchParent } from "../exit-with-parent.ts";
import { openServer } from "../open-server.ts";
import { serverNames } from "../server-names.ts";
import { wrapWords } from "../wrap-words.ts";
import type { ApiserverOptions } from "./apiserver-options.ts";
import { etcdFolder } from "./etcd-folder.ts";
import { missingApis } from "./missing-apis.ts";
import { readPem, servingCertificate } from "./serving-certificate.ts";
import { readTokenFile } from "./token-file.ts";

/** Output and signal of `drover apiserver`. */
export interface ApiserverPlace {
  /** Receives the line that says that the server is ready, and the audit log of "-". */
  readonly write: (text: string) => void;
  readonly warn: (message: string) => void;
  /** Returns the process id of the parent. */
  readonly parent: () => number;
  /** Stops the server. */
  readonly signal: AbortSignal;
}

/** Resolves when the server has stopped after the signal. Rejects with a `CommandError` if it cannot start. */
export async function apiserver(options: ApiserverOptions, { write, warn, parent, signal }: ApiserverPlace): Promise<void> {
  for (const warning of options.warnings) warn(warning);
  const runtime = nodeRuntime({ logLevel: "warn" });
  const { clock } = runtime;
  const orphaned = new AbortController();
  const stopWatching = watchParent({ parent: options.parent, current: parent, clock, gone: () => orphaned.abort() });
  const over = AbortSignal.any([signal, orphaned.signal]);
  const settings = settingsOf(options);
  if (options.clientCaFile === undefined && options.tokenAuthFile === undefined)
    warn("warning: without --client-ca-file and --token-auth-file only service accounts can log in");
  const { host, port } = options;
  const { dnsNames, ips, local } = serverNames(host);
  const own = options.externalHostname === undefined ? dnsNames : [...dnsNames, options.externalHostname];
  const { names, ...certificate } = servingCertificate({ ...options, dnsNames: own, ips, clock });
  const clientAuthorityPem = options.clientCaFile === undefined ? undefined : authoritiesOf(options.clientCaFile);
  const log = options.audit === undefined ? undefined : await openAuditLog(options.audit, { write, now: () => clock.now() });
  let data: DataFolder | undefined;
  try {
    data = await openData(options, runtime, over);
    const signer = signerOf(options) ?? data?.tokenSigner;
    const { listener, server, run } = await openServer({
      listen: {
        host,
        port,
        names: [...own, ...ips, ...names, ...(options.advertiseAddress === undefined ? [] : [options.advertiseAddress])],
        tls: { ...certificate, minVersion: options.tlsMinVersion, ...definedOnly({ clientAuthorityPem }) },
        clock,
        log: runtime.log,
        metrics: runtime.metrics,
      },
      flags: { host: "--bind-address", port: "--secure-port", anyPort: "use --secure-port 0" },
      create: (bound) =>
        createApiServer({
          runtime,
          ...settings,
          host: signer === undefined ? nodeHost : { ...nodeHost, tokenSigner: () => signer },
          serverAddress: `${bracketed(options.advertiseAddress) ?? local}:${bound}`,
          ...definedOnly({ clientAuthorityPem, audit: log?.options, store: data?.store }),
        }),
    });
    const running = run(over);
    try {
      await refuseMissingApis(server, options.requiredApis);
      write(`drover apiserver: ready at https://${local}:${listener.port}\n`);
    } catch (error) {
      orphaned.abort();
      throw error;
    } finally {
      await running;
    }
  } finally {
    stopWatching();
    await data?.close();
    await log?.close();
  }
}

type Settings = Omit<ApiServerOptions, "runtime" | "host">;

function settingsOf(options: ApiserverOptions): Settings {
  const { authorizationModes, anonymous, serviceCidr, serviceAccountIssuer, watchTimeoutMs, tokenAuthFile } = options;
  return {
    authorizationModes,
    admissionPlugins: pluginsOf(options),
    ...definedOnly({
      anonymous,
      serviceCidr,
      serviceAccountIssuer,
      tokens: tokenAuthFile === undefined ? undefined : readTokenFile(readPem("--token-auth-file", tokenAuthFile)),
      limits: watchTimeoutMs === undefined ? undefined : { watchTimeoutMs },
    }),
  };
}

/** ServiceAccount runs by default, as in kube-apiserver. */
function pluginsOf({ enableAdmissionPlugins: enable, disableAdmissionPlugins: disable }: ApiserverOptions): AdmissionPluginChoice {
  const problem = admissionPluginProblem(
    { enable, disable },
    { enable: "--enable-admission-plugins", disable: "--disable-admission-plugins" },
  );
  if (problem !== undefined) throw new CommandError(wrapWords(problem));
  return { enable: disable.includes("ServiceAccount") ? enable : [...enable, "ServiceAccount"], disable };
}

function authoritiesOf(path: string): string {
  const text = readPem("--client-ca-file", path);
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new CommandError(`--client-ca-file: ${path} has no certificate in PEM`);
  return text;
}

function signerOf({ signingKeyFile, keyFiles }: ApiserverOptions): TokenSigner | undefined {
  if (signingKeyFile === undefined) return undefined;
  const accepted = keyFiles.map((path) => readPem("--service-account-key-file", path));
  try {
    return loadTokenSigner(
      readPem("--service-account-signing-key-file", signingKeyFile),
      keyFiles.length === 0 ? undefined : accepted.join("\n"),
    );
  } catch (error) {
    if (isCommandError(error)) throw error;
    const files = [signingKeyFile, ...keyFiles].join(", ");
    throw new CommandError(`--service-account-signing-key-file, --service-account-key-file: ${files}: ${errorText(error)}`, {
      cause: error,
    });
  }
}

async function openData({ storage }: ApiserverOptions, runtime: NodeRuntime, signal: AbortSignal): Promise<DataFolder | undefined> {
  if (storage === undefined) return undefined;
  const isFolder = "folder" in storage;
  const { folder, syncs } = isFolder
    ? { ...storage, syncs: "asked" as const }
    : await etcdFolder({ ...storage, clock: runtime.clock, signal });
  try {
    return await openDataFolder(folder, { runtime, syncs });
  } catch (error) {
    if (isInstanceOf(error, DataFolderError))
      throw new CommandError(`${isFolder ? "--data" : "--etcd-servers"}: ${error.message}`, { cause: error });
    throw error;
  }
}

async function refuseMissingApis(server: ApiServer, required: readonly string[]): Promise<void> {
  if (required.length === 0) return;
  const missing = await missingApis(server.handle, required);
  if (missing.length > 0)
    throw new CommandError(
      `--runtime-config: the server does not have ${missing.join(", ")}; it has the APIs that Kubernetes 1.36 enables by default`,
    );
}

const bracketed = (address: string | undefined): string | undefined => (address?.includes(":") === true ? `[${address}]` : address);
