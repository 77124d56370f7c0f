/**
 * The options of `drover apiserver`, from flags of kube-apiserver.
 *
 *     words → readApiserverOptions → ApiserverOptions with warnings, "help" or "version"
 */
import { isIP } from "node:net";
import type { AuthorizationMode } from "@drover/apiserver";
import { readAudit } from "../audit-options.ts";
import type { UpAudit } from "../audit-options.ts";
import { readModes } from "../authorization-modes.ts";
import { CommandError } from "../command-error.ts";
import { readGoFlags } from "../go-flags.ts";
import type { GivenFlags } from "../go-flags.ts";
import { serverFlags } from "./server-flags.ts";

/** Options of `drover apiserver`. */
export interface ApiserverOptions {
  /** Address to listen on. @default "127.0.0.1" */
  readonly host: string;
  /** Port to listen on; 0 is any free port. @default 6443 */
  readonly port: number;
  /** Address in the Endpoints of the Service `kubernetes`. @default `host` */
  readonly advertiseAddress: string | undefined;
  readonly externalHostname: string | undefined;
  readonly certDir: string | undefined;
  /** Certificate and key of the server. @default those of `certDir` */
  readonly tls: { readonly certificateFile: string; readonly privateKeyFile: string } | undefined;
  readonly tlsMinVersion: "TLSv1.2" | "TLSv1.3";
  readonly clientCaFile: string | undefined;
  readonly tokenAuthFile: string | undefined;
  /** Whether requests without credentials are served. @default that of the API server */
  readonly anonymous: boolean | undefined;
  readonly authorizationModes: readonly AuthorizationMode[];
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly serviceCidr: string | undefined;
  readonly serviceAccountIssuer: string | undefined;
  readonly signingKeyFile: string | undefined;
  readonly keyFiles: readonly string[];
  /** Where the data are. @default in memory */
  readonly storage: { readonly etcd: string; readonly prefix: string } | { readonly folder: string } | undefined;
  /** APIs that must be served: "batch/v1", "v1". */
  readonly requiredApis: readonly string[];
  /** Shortest time of a watch without an end of its own. @default that of the API server */
  readonly watchTimeoutMs: number | undefined;
  readonly audit: UpAudit | undefined;
  /** The process without which the server stops. @default none */
  readonly parent: number | undefined;
  /** What the user asked for and does not get. */
  readonly warnings: readonly string[];
}

const command = "drover apiserver";

/** Throws a `CommandError` that names the flag and the fix. */
export function readApiserverOptions(words: readonly string[]): ApiserverOptions | "help" | "version" {
  const given = readGoFlags(command, serverFlags, words);
  if (typeof given === "string") throw new CommandError(given);
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  if (last("help") === "true") return "help";
  if (last("version") === "true") return "version";
  refuseOddValues(given);
  const authorizationModes = readModes(listOf(given, "authorization-mode").join(",") || "AlwaysAllow", "--authorization-mode");
  if (typeof authorizationModes === "string") throw new CommandError(authorizationModes);
  const audit = readAudit(last);
  if (typeof audit === "string") throw new CommandError(audit);
  const anonymous = last("anonymous-auth");
  if (anonymous === "true" && authorizationModes[0] === "AlwaysAllow")
    throw new CommandError(
      "--anonymous-auth=true with --authorization-mode=AlwaysAllow lets everyone do everything; use RBAC, or omit --anonymous-auth",
    );
  const [serviceCidr, ...cidrs] = listOf(given, "service-cluster-ip-range");
  if (cidrs.length > 0) throw new CommandError(`--service-cluster-ip-range takes one range, but got also ${cidrs.join(",")}`);
  return {
    ...addressesOf(last),
    externalHostname: last("external-hostname"),
    certDir: last("cert-dir"),
    tls: tlsOf(last),
    tlsMinVersion: last("tls-min-version") === "VersionTLS13" ? "TLSv1.3" : "TLSv1.2",
    clientCaFile: last("client-ca-file"),
    tokenAuthFile: last("token-auth-file"),
    anonymous: anonymous === undefined ? undefined : anonymous === "true",
    authorizationModes,
    enableAdmissionPlugins: listOf(given, "enable-admission-plugins"),
    disableAdmissionPlugins: listOf(given, "disable-admission-plugins"),
    serviceCidr,
    ...tokensOf(given),
    storage: storageOf(given),
    requiredApis: apisOf(given),
    watchTimeoutMs: numberOf(last("min-request-timeout"), 1000),
    audit,
    parent: numberOf(last("exit-with-parent"), 1),
    warnings: [...lostOf(given), ...stagesOf(given)],
  };
}

function addressesOf(last: (name: string) => string | undefined): Pick<ApiserverOptions, "host" | "port" | "advertiseAddress"> {
  const [host, port, advertiseAddress] = [last("bind-address") ?? "127.0.0.1", last("secure-port") ?? "6443", last("advertise-address")];
  if (isIP(host) === 0) throw new CommandError(`--bind-address needs an address such as 127.0.0.1 or ::1, not "${host}"`);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new CommandError(`--secure-port needs a number from 0 to 65535, not "${port}"; 0 is any free port`);
  if (advertiseAddress !== undefined && isIP(advertiseAddress) === 0)
    throw new CommandError(`--advertise-address needs an address such as 127.0.0.1, not "${advertiseAddress}"`);
  return { host, port: Number(port), advertiseAddress };
}

const numberOf = (text: string | undefined, factor: number): number | undefined => (text === undefined ? undefined : Number(text) * factor);

function refuseOddValues(given: GivenFlags): void {
  for (const [name, values] of given) {
    const only = serverFlags[name]?.only;
    const odd = values.find((value) => only?.values.test(value) === false);
    if (only === undefined || odd === undefined) continue;
    throw new CommandError(`--${name}=${odd} is not supported: ${only.otherwise}`);
  }
}

function lostOf(given: GivenFlags): readonly string[] {
  return [...given.keys()].flatMap((name) => {
    const flag = serverFlags[name];
    return flag?.effect === "lost" ? [`warning: --${name} has no effect: ${flag.help}`] : [];
  });
}

function tlsOf(last: (name: string) => string | undefined): ApiserverOptions["tls"] {
  const [certificateFile, privateKeyFile] = [last("tls-cert-file"), last("tls-private-key-file")];
  if (certificateFile !== undefined && privateKeyFile !== undefined) return { certificateFile, privateKeyFile };
  if (certificateFile === undefined && privateKeyFile === undefined) return undefined;
  throw new CommandError(
    `--${certificateFile === undefined ? "tls-private-key-file" : "tls-cert-file"} has no effect alone: give --tls-cert-file and --tls-private-key-file`,
  );
}

function tokensOf(given: GivenFlags): Pick<ApiserverOptions, "serviceAccountIssuer" | "signingKeyFile" | "keyFiles"> {
  const issuers = given.get("service-account-issuer") ?? [];
  if (issuers.length > 1)
    throw new CommandError(
      `--service-account-issuer can be given once, not ${issuers.length} times: only tokens of one issuer are accepted`,
    );
  const [issuer = "https://kubernetes.default.svc"] = issuers;
  const audiences = listOf(given, "api-audiences");
  if (audiences.length > 0 && audiences.join(",") !== issuer)
    throw new CommandError(`--api-audiences=${audiences.join(",")} is not supported: tokens are for the issuer, ${issuer}`);
  const signingKeyFile = given.get("service-account-signing-key-file")?.at(-1);
  const keyFiles = listOf(given, "service-account-key-file");
  if (keyFiles.length > 0 && signingKeyFile === undefined)
    throw new CommandError(
      "--service-account-key-file needs --service-account-signing-key-file: without it the server would sign tokens that it refuses",
    );
  return { serviceAccountIssuer: issuers[0], signingKeyFile, keyFiles };
}

function storageOf(given: GivenFlags): ApiserverOptions["storage"] {
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const [etcds, folder, prefix] = [listOf(given, "etcd-servers"), last("data"), last("etcd-prefix")];
  if (folder === "") throw new CommandError("--data needs the path of a folder");
  if (etcds.length > 0 && folder !== undefined) throw new CommandError("--etcd-servers and --data exclude each other");
  if (etcds.length === 0 && prefix !== undefined) throw new CommandError("--etcd-prefix has no effect without --etcd-servers");
  if (etcds.length > 1)
    throw new CommandError(`--etcd-servers takes one URL, not ${etcds.length}: the etcd of drover envtest has one member`);
  const [etcd] = etcds;
  if (etcd === undefined) return folder === undefined ? undefined : { folder };
  if (!URL.canParse(etcd) || new URL(etcd).protocol !== "http:")
    throw new CommandError(`--etcd-servers needs the URL of the etcd of drover envtest, such as http://127.0.0.1:2379, not "${etcd}"`);
  return { etcd, prefix: `/${(prefix ?? "registry").replace(/^\/+/, "")}` };
}

const stages: readonly string[] = ["api/all", "api/ga", "api/beta", "api/alpha", "api/legacy"];

/** Names of whole stages ask for nothing that could be checked. */
function stagesOf(given: GivenFlags): readonly string[] {
  return listOf(given, "runtime-config").flatMap((word) => {
    const isNews = stages.includes(word.split("=")[0] ?? "") && !/^api\/(?:ga|alpha=false)/.test(word);
    return isNews
      ? [`warning: --runtime-config=${word} has no effect: the server has the APIs that Kubernetes 1.36 enables by default`]
      : [];
  });
}

function apisOf(given: GivenFlags): readonly string[] {
  const required: string[] = [];
  for (const word of listOf(given, "runtime-config")) {
    const [, api = "", value = "true"] = /^([^=]+)(?:=(.*))?$/.exec(word) ?? [];
    if (value !== "true" && value !== "false")
      throw new CommandError(`--runtime-config needs entries such as batch/v1=true, not "${word}"`);
    if (value === "false" && api !== "api/alpha")
      throw new CommandError(`--runtime-config=${word} is not supported: APIs cannot be turned off`);
    if (!stages.includes(api)) required.push(api);
  }
  return required;
}

/** Names between commas; of several flags all count. */
function listOf(given: GivenFlags, name: string): readonly string[] {
  return (given.get(name) ?? []).flatMap((value) => value.split(",").flatMap((one) => (one.trim() === "" ? [] : [one.trim()])));
}
