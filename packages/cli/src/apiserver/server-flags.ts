/**
 * The flags of `drover apiserver`: those of kube-apiserver 1.36 that have a meaning here, and those that are accepted without one.
 *
 *     serverFlags → apiserver-options.ts (values), usage.ts (--help)
 *
 * A flag is missing here if the server would do less than the user asked for without it: such a flag is refused by name.
 */
import type { GoFlag } from "../go-flags.ts";

/** One flag and what becomes of it. */
export interface ServerFlag extends GoFlag {
  /** Placeholder of its value in the help. */
  readonly value?: string;
  readonly help: string;
  /** Values that ask for what the server does anyway; others are refused with this text. */
  readonly only?: { readonly values: RegExp; readonly otherwise: string };
  /** "used", or accepted without effect: "same" if the server behaves as asked anyway, "lost" if it does not, which is reported. */
  readonly effect: "used" | "same" | "lost";
}

const used = (value: string, help: string, only?: ServerFlag["only"]): ServerFlag => ({
  type: "value",
  value,
  help,
  effect: "used",
  ...(only === undefined ? {} : { only }),
});
const usedSwitch = (help: string): ServerFlag => ({ type: "switch", help, effect: "used" });
const same = (help: string, values?: RegExp, otherwise = ""): ServerFlag => ({
  type: "value",
  help,
  effect: "same",
  ...(values === undefined ? {} : { only: { values, otherwise } }),
});
const sameSwitch = (help: string, values?: RegExp, otherwise = ""): ServerFlag => ({ ...same(help, values, otherwise), type: "switch" });
const lost = (help: string): ServerFlag => ({ type: "value", help, effect: "lost" });
const lostSwitch = (help: string): ServerFlag => ({ type: "switch", help, effect: "lost" });

const noFrontProxy = "no request of a front proxy is accepted, because there is no aggregation";
const noKubelets = "there are no kubelets";
const noLimit = "requests are not limited in number";
const oneProcess = "the log goes to standard error";

export const serverFlags: Readonly<Record<string, ServerFlag>> = {
  // Where it listens
  "bind-address": used("ADDRESS", "address to listen on (default 127.0.0.1: this machine only)"),
  "secure-port": used("PORT", "port to listen on; 0 is any free port (default 6443)"),
  "advertise-address": used("ADDRESS", "address in the Endpoints of the Service kubernetes (default: that of --bind-address)"),
  "external-hostname": used("NAME", "a name by which clients reach the server"),
  "cert-dir": used("FOLDER", "folder of apiserver.crt and apiserver.key; created if they are missing (default: a certificate in memory)"),
  "tls-cert-file": used("FILE", "certificate of the server, with intermediate ones after it"),
  "tls-private-key-file": used("FILE", "its private key"),
  "tls-min-version": used("VERSION", "VersionTLS12 or VersionTLS13 (default VersionTLS12)", {
    values: /^VersionTLS1[23]$/,
    otherwise: "VersionTLS12 or VersionTLS13",
  }),
  // Who may do what
  "client-ca-file": used("FILE", "authorities of client certificates"),
  "token-auth-file": used("FILE", "static tokens: lines of token,user,uid,groups"),
  "anonymous-auth": usedSwitch("whether requests without credentials run as system:anonymous (default true, false with AlwaysAllow)"),
  "authorization-mode": used("MODES", "some of Node, RBAC and AlwaysAllow, with commas (default AlwaysAllow, as kube-apiserver)"),
  "service-account-issuer": used("URL", "issuer and audience of service account tokens (default https://kubernetes.default.svc)"),
  "api-audiences": used("URL", "audience of tokens for this server; only the issuer itself is accepted"),
  "service-account-signing-key-file": used("FILE", "private key that signs tokens (default: a new one)"),
  "service-account-key-file": used("FILE", "keys or certificates whose tokens are accepted; repeatable (default: the signing key)"),
  "enable-admission-plugins": used("NAMES", "admission plug-ins to run beside the default ones, with commas"),
  "disable-admission-plugins": used("NAMES", "default admission plug-ins not to run, with commas"),
  // What it stores and serves
  "etcd-servers": used("URL", "the etcd of drover envtest, in whose folder the data stay (default: in memory)"),
  "etcd-prefix": used("PATH", "separates the data of several servers on one etcd (default /registry)"),
  data: used("FOLDER", "keep the data in this folder instead of the one of an etcd; not a flag of kube-apiserver"),
  "service-cluster-ip-range": used("CIDR", "addresses of Services (default 10.0.0.0/12)"),
  "runtime-config": used("API=true", "refused for an API that the server does not have; APIs cannot be turned off"),
  "min-request-timeout": used("SECONDS", "watches without a timeout of their own end after one to two times this (default 1800)", {
    values: /^[1-9]\d{0,6}$/,
    otherwise: "a number of seconds from 1 to 9999999",
  }),
  "audit-policy-file": used("FILE", "which requests to record: a Policy of audit.k8s.io/v1"),
  "audit-log-path": used("FILE", "where to record them, as JSON lines; - is standard output"),
  "audit-log-maxsize": used("MB", "size at which the file is rotated (default 100)"),
  "audit-log-maxbackup": used("N", "rotated files to keep, 0 for all (default 100)"),
  "audit-log-maxage": used("DAYS", "age at which rotated files are removed (default 366, 0 for never)"),
  "exit-with-parent": used("PID", "stop when this process is no longer the parent; not a flag of kube-apiserver", {
    values: /^[1-9]\d{0,9}$/,
    otherwise: "a process id",
  }),
  version: usedSwitch("print the version of Kubernetes whose API is served"),
  help: { type: "switch", short: "h", help: "print this text", effect: "used" },
  // Accepted: the server behaves as asked
  "allow-privileged": sameSwitch(
    "privileged containers are always allowed",
    /^true$/,
    "privileged containers cannot be refused; use PodSecurity",
  ),
  "insecure-port": same("there is no port without TLS", /^0$/, "there is no port without TLS; omit it, or use 0"),
  "audit-log-format": same("lines are JSON", /^json$/, "only json is supported"),
  "audit-log-mode": same("writing the log never delays a request", /^batch$/, "only batch is supported: no request waits for the log"),
  "storage-backend": same("there is one kind of storage", /^(?:etcd3)?$/, "only etcd3 is accepted"),
  "storage-media-type": same("objects are stored as JSON; clients see no difference"),
  "event-ttl": same("events are kept for an hour", /^(?:1h|1h0m|1h0m0s|60m|3600s)$/, "events are kept for 1h"),
  "service-node-port-range": same("node ports are 30000-32767", /^30000-32767$/, "node ports are 30000-32767"),
  "service-account-lookup": sameSwitch("tokens of deleted accounts are refused", /^true$/, "tokens of deleted accounts are always refused"),
  "enable-bootstrap-token-auth": sameSwitch(
    "bootstrap tokens are not accepted",
    /^false$/,
    "bootstrap tokens are not supported; use --token-auth-file",
  ),
  "enable-aggregator-routing": sameSwitch("there is no aggregation", /^false$/, "there is no aggregation"),
  "endpoint-reconciler-type": same("the server writes its own Endpoints", /^(?:lease|master-count)$/, "only lease is supported"),
  "apiserver-count": same("there is one server", /^1$/, "only one server can use the data"),
  "enable-garbage-collector": sameSwitch(
    "finalizers of garbage collection are set; collecting is up to controllers",
    /^true$/,
    "only true is supported",
  ),
  "watch-cache": sameSwitch("all reads come from memory"),
  "watch-cache-sizes": same("all reads come from memory"),
  "default-watch-cache-size": same("all reads come from memory"),
  "delete-collection-workers": same("affects speed only"),
  "etcd-count-metric-poll-period": same("affects metrics only"),
  "etcd-healthcheck-timeout": same("there is no etcd to check"),
  "etcd-readycheck-timeout": same("there is no etcd to check"),
  "http2-max-streams-per-connection": same("the server's own bound applies"),
  "permit-port-sharing": sameSwitch("affects restarts only"),
  "permit-address-sharing": sameSwitch("affects restarts only"),
  profiling: sameSwitch("there is no profiling"),
  "contention-profiling": sameSwitch("there is no profiling"),
  v: { ...same(oneProcess), short: "v" },
  vmodule: same(oneProcess),
  "log-flush-frequency": same(oneProcess),
  "logging-format": same(oneProcess),
  // Accepted with a warning: the meaning is lost
  "feature-gates": lost("features are those that Kubernetes 1.36 enables by default"),
  "max-requests-inflight": lost(noLimit),
  "max-mutating-requests-inflight": lost(noLimit),
  "enable-priority-and-fairness": lostSwitch(noLimit),
  "request-timeout": lost("a request may take as long as its client waits"),
  "etcd-compaction-interval": lost("history is bounded by its size"),
  "requestheader-client-ca-file": lost(noFrontProxy),
  "requestheader-allowed-names": lost(noFrontProxy),
  "requestheader-username-headers": lost(noFrontProxy),
  "requestheader-uid-headers": lost(noFrontProxy),
  "requestheader-group-headers": lost(noFrontProxy),
  "requestheader-extra-headers-prefix": lost(noFrontProxy),
  "proxy-client-cert-file": lost(noFrontProxy),
  "proxy-client-key-file": lost(noFrontProxy),
  "kubelet-client-certificate": lost(noKubelets),
  "kubelet-client-key": lost(noKubelets),
  "kubelet-certificate-authority": lost(noKubelets),
  "kubelet-preferred-address-types": lost(noKubelets),
  "kubelet-timeout": lost(noKubelets),
};
