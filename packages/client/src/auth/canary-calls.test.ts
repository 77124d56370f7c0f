/**
 * A canary in every credential source appears in no output, with all log levels enabled and every call failing.
 *
 *     sources (a kubeconfig each, or a pod) × failures (of the wire, of the server, of the answer) × calls (every client)
 *       → outputs
 *
 * Uses the standard stack on a manual clock; only the sockets are replaced. canary-sockets.test.ts tests real sockets,
 * canary.test.ts the failures of programs, files and issuers.
 *
 * Not promised: a server that repeats our credentials in its response. The error contains whatever the server says.
 */
import { inspect } from "node:util";
import { ConfigMap, Pod } from "@drover/api/core/v1";
import {
  newConflict,
  newForbidden,
  newInternalError,
  newNotFound,
  newResourceExpired,
  newServiceUnavailable,
  newTooManyRequests,
  newUnauthorized,
  prometheusText,
} from "@drover/machinery";
import type { HttpResponse, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createClient } from "../verbs/client.ts";
import { DiscoveryClient } from "../discovery/discovery-client.ts";
import type { Host } from "../host.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { findAccess } from "../kubeconfig/find-access.ts";
import { flattenKubeconfig } from "../kubeconfig/flatten.ts";
import { printKubeconfig } from "../kubeconfig/kubeconfig-text.ts";
import { loadKubeconfig } from "../kubeconfig/load.ts";
import { minifyKubeconfig } from "../kubeconfig/minify.ts";
import { redactKubeconfig } from "../kubeconfig/redact.ts";
import { validateKubeconfig } from "../kubeconfig/validate.ts";
import { RestClient, tokenBucketRateLimiter } from "@drover/client-go";
import { logs } from "../streams/logs.ts";
import { canary, canaryIn, canaryJwt, everyForm } from "../testing/canary.ts";
import { memoryHost } from "../testing/memory-host.ts";
import type { MemoryFile, MemoryHostOptions } from "../testing/memory-host.ts";
import { jsonResponse, statusResponse, textResponse } from "../testing/scripted-transport.ts";
import { clusterTransport } from "../transport/cluster-transport.ts";
import { TransportError } from "../transport/transport-error.ts";
import type { TransportErrorReason } from "../transport/transport-error.ts";
import { exists } from "../verbs/wait-condition.ts";
import { waitFor } from "../verbs/wait-for.ts";

interface Source extends MemoryHostOptions {
  /** YAML of the user, the cluster and the whole file. */
  readonly user?: string;
  readonly cluster?: string;
  readonly more?: string;
  readonly files?: Readonly<Record<string, MemoryFile>>;
}

const certificate = `client-certificate-data: ${btoa("certificate")}`;
const exec = "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: login";
const ran = (status: object, rest: object = {}) => ({
  exitCode: 0,
  stderr: canary,
  stdout: JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status, ...rest }),
});
const oidc = `idp-issuer-url: "https://issuer", client-id: me, client-secret: ${canary}`;
const inPod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443", KUBECONFIG: "" };

/** Every source of credentials. */
const sources: Readonly<Record<string, Source>> = {
  "a bearer token": { user: `token: ${canary}` },
  "a token with a line break": { user: `token: "${canary}\\n"` },
  "a token file": { user: "tokenFile: /t", files: { "/t": canary } },
  "a token beside a file that cannot be read": { user: `token: ${canary}, tokenFile: /t`, files: { "/t": { fails: "denied" } } },
  "a token file with two words": { user: "tokenFile: /t", files: { "/t": `${canary} ${canary}` } },
  "a password": { user: `username: me, password: ${canary}` },
  "a password beside a token": { user: `username: me, password: ${canary}, token: ${canary}` },
  "a client key": { user: `${certificate}, client-key-data: ${btoa(canary)}` },
  "a client key that is not base64": { user: `${certificate}, client-key-data: "${canary}!"` },
  "a client key file": { user: `${certificate}, client-key: /k`, files: { "/k": canary } },
  "a certificate file that is a key": { user: "client-certificate: /k, client-key: /k", files: { "/k": canary } },
  "a certificate file with the key in it": {
    user: "client-certificate: /k, client-key: /k",
    files: {
      "/k": `-----BEGIN CERTIFICATE-----\n${btoa("public")}\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n${btoa(canary)}\n-----END PRIVATE KEY-----\n`,
    },
  },
  "a certificate with the key in it": {
    user: `client-certificate-data: ${btoa(`certificate -----BEGIN RSA PRIVATE KEY-----\n${canary}`)}, client-key-data: ${btoa(canary)}`,
  },
  "arguments of a plugin": { user: `exec: { ${exec}, args: [--password, ${canary}, --token=${canary}] }` },
  "variables of a plugin": { user: `exec: { ${exec}, env: [{ name: LOGIN, value: ${canary} }] }` },
  "the token of a plugin": { user: `exec: { ${exec} }`, run: () => ran({ token: canary }) },
  "the key of a plugin": {
    user: `exec: { ${exec} }`,
    run: () =>
      ran({ clientCertificateData: `certificate -----BEGIN PRIVATE KEY-----${canary}-----END PRIVATE KEY-----`, clientKeyData: canary }),
  },
  "the output of a plugin that fails": {
    user: `exec: { ${exec}, args: [${canary}] }`,
    run: () => ({ exitCode: 1, stdout: canary, stderr: canary }),
  },
  "a plugin that cannot be started": {
    user: `exec: { ${exec}, args: [${canary}] }`,
    run: ({ args, env }) => {
      throw Object.assign(new Error(`spawn ${args.join()}`), { spawnargs: args, env });
    },
  },
  "the cluster information of a plugin": {
    user: `exec: { ${exec}, provideClusterInfo: true }`,
    cluster: `proxy-url: "http://me:${canary}@proxy:3128", extensions: [{ name: client.authentication.k8s.io/exec, extension: { key: ${canary} } }]`,
    run: ({ env }) => {
      throw new Error(Object.values(env).join());
    },
  },
  "an id token": { user: `auth-provider: { name: oidc, config: { ${oidc}, id-token: ${canaryJwt} } }` },
  "an invalid id token": { user: `auth-provider: { name: oidc, config: { ${oidc}, id-token: ${canary} } }` },
  "a refresh token": { user: `auth-provider: { name: oidc, config: { ${oidc}, refresh-token: ${canary} } }` },
  "another auth provider": { user: `auth-provider: { name: gcp, config: { access-token: ${canary} } }` },
  "the password of an HTTP proxy": { cluster: `proxy-url: "http://me:${canary}@proxy:3128"` },
  "the password of a SOCKS proxy": { cluster: `proxy-url: "socks5://me:${canary}@proxy:1080"` },
  "the password of an unsupported proxy": { cluster: `proxy-url: "ftp://me:${canary}@proxy"` },
  "the password of an invalid proxy URL": { cluster: `proxy-url: "http://me:${canary}/@ proxy"` },
  "the password of the environment's proxy": { env: { HTTPS_PROXY: `http://me:${canary}@proxy:3128`, KUBECONFIG: "/config" } },
  "a password in the server's URL": { cluster: `server: "https://me:${canary}@api.example"` },
  "a password in an invalid URL": { cluster: `server: "https://me:${canary}/@:x"` },
  "unknown fields": { user: `future-token: ${canary}`, cluster: `future: { token: ${canary} }`, more: `future: ${canary}` },
  extensions: {
    user: `extensions: [{ name: e, extension: { token: ${canary} } }]`,
    more: `extensions: [{ name: e, extension: ${canary} }]`,
  },
  "the token of a pod": {
    env: inPod,
    files: {
      "/var/run/secrets/kubernetes.io/serviceaccount/token": canary,
      "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt": "-----BEGIN CERTIFICATE-----",
    },
  },
  "a token of the wrong type": { user: `token: [${canary}]` },
  "a duplicate field": { user: `token: ${canary}, token: ${canary}` },
};

/** Texts around a secret that are not YAML, or not what was expected. */
const broken = [
  "*",
  "&",
  "!",
  "!!int ",
  "!!float ",
  "!!binary ",
  "'",
  '"',
  "`",
  "@",
  "%",
  "[",
  "{",
  "- ",
  "? ",
  "|",
  ">",
  "\t",
  '"\\',
  "!<",
  "a: ",
].flatMap((before) => [
  `token: ${before}${canary}`,
  `token: ${before}${canary}\n    ${before}${canary}`,
  `${before}${canary}: ${before}${canary}\n    ${before}${canary}: 1`,
]);

const kubeconfigOf = ({ user = "", cluster = "", more = "" }: Source): string => `current-context: x
contexts: [{ name: x, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { ${cluster.includes("server:") ? "" : 'server: "https://api.example:6443", '}${cluster} } }]
users: [{ name: u, user: { ${user} } }]
${more}
`;

const pods = { group: "", resource: "pods" };
const wire =
  (reason: TransportErrorReason, sent: "no" | "maybe"): (() => Promise<never>) =>
  () =>
    Promise.reject(new TransportError("connect to api.example:6443: no", { reason, sent, cause: new Error("as the system says") }));
const says =
  (response: HttpResponse): Transport =>
  () =>
    Promise.resolve(response);
const breaking: HttpResponse = {
  ...jsonResponse({}),
  body: { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TransportError("lost", { reason: "reset", sent: "maybe" })) }) },
};

/** Every way in which a call can fail. */
const failures: Readonly<Record<string, Transport>> = {
  "no listener": wire("refused", "no"),
  "an unknown name": wire("dns", "no"),
  "a lost connection": wire("reset", "maybe"),
  "a connection lost early": wire("reset", "no"),
  "a closed connection": wire("aborted-by-peer", "maybe"),
  "an untrusted server": wire("tls", "no"),
  "a proxy that refuses": wire("proxy", "no"),
  "no HTTP": wire("garbage", "maybe"),
  "a timeout": wire("timeout", "maybe"),
  "a closed transport": wire("closed", "no"),
  "another error": () => Promise.reject(new Error("unexpected")),
  silence: ({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  "401": says(statusResponse(newUnauthorized("no"))),
  "403": says(statusResponse(newForbidden(pods, "web", "no"))),
  "404": says(statusResponse(newNotFound(pods, "web"))),
  "409": says(statusResponse(newConflict(pods, "web", "no"))),
  "410": says(statusResponse(newResourceExpired("old"))),
  "429 forever": says(statusResponse(newTooManyRequests("slow down", 1), { headers: { "retry-after": "1", warning: '299 - "slow"' } })),
  "500": says(statusResponse(newInternalError("oops"))),
  "503 forever": says(statusResponse(newServiceUnavailable("later"), { headers: { "retry-after": "1" } })),
  "a web page": says(textResponse("<html>502", { status: 502, headers: { "content-type": "text/html" } })),
  "a web page with 200": says(textResponse("<html>log in", { headers: { "content-type": "text/html" } })),
  "a redirect": says(textResponse("", { status: 302, headers: { location: "https://elsewhere" } })),
  "no JSON": says({ ...jsonResponse({}), body: "{" }),
  "an empty body": says({ ...jsonResponse({}), body: "" }),
  "a truncated response": says(breaking),
};

/** Everything that could be visible. */
class Outputs {
  readonly #shown: string[] = [];
  count = 0;

  add(...values: readonly unknown[]): void {
    this.count += values.length;
    this.#shown.push(...values.map((value) => everyForm(value, inspect)));
  }

  async of(work: () => unknown): Promise<void> {
    try {
      this.add(await work());
    } catch (error) {
      this.add(error);
    }
  }

  expectNoCanary(runtime: TestRuntime): void {
    const { log, metrics } = runtime;
    expect(
      canaryIn(
        [...this.#shown, ...log.lines, ...log.entries.map((entry) => everyForm(entry, inspect)), prometheusText(metrics)].join("\n"),
      ),
    ).toBeUndefined();
  }
}

const drain = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const item of items) void item;
};

/** Every kind of call. */
function callsOver(transport: Transport, { clock, log }: TestRuntime, outputs: Outputs): readonly ((signal: AbortSignal) => unknown)[] {
  const onWarning = (warning: unknown): void => outputs.add(warning);
  const client = createClient({ transport, clock, log, namespace: "shop", fieldManager: "me", onWarning });
  const rest = new RestClient({
    transport,
    clock,
    log,
    groupVersion: { group: "", version: "v1" },
    warningHandler: onWarning,
    rateLimiter: tokenBucketRateLimiter({ qps: 100, burst: 10, clock }),
  });
  const request = rest.get().namespace("shop").resource("pods").name("web").timeout(5000).setHeader("authorization", `Bearer ${canary}`);
  const discovery = new DiscoveryClient(transport, { clock, log });
  const limit = { timeoutMs: 5000 };
  const map: ConfigMap = { metadata: { name: "c" }, data: {} };
  outputs.add(client, rest, request, request.settings, request.about, discovery);
  const resource = client.resource(Pod);
  return [
    () => client.get(Pod, "web", limit),
    () => client.list(Pod, limit),
    () => drain(client.listAll(Pod, limit)),
    (signal) => drain(client.watch(Pod, { signal })),
    () => client.create(ConfigMap, map, limit),
    () => client.update(ConfigMap, map, limit),
    () => client.patch(ConfigMap, "c", { type: "merge", body: {} }, limit),
    () => client.apply(ConfigMap, { metadata: { name: "c" } }, limit),
    () => client.delete(ConfigMap, "c", limit),
    () => client.deleteCollection(ConfigMap, limit),
    () => resource.eviction.create("web", undefined, limit),
    () => resource.status.get("web", limit),
    () => client.metadata(Pod).list(limit),
    () => client.dynamic(Pod).get("web", limit),
    (signal) => drain(logs(transport, { namespace: "shop", name: "web" }, { signal })),
    () => waitFor(client, Pod, "web", exists, limit),
    () => request.do(),
    async () => (await request.do()).get(),
    () => request.doRaw(),
    async (signal) => drain(await rest.get().resource("pods").stream({ signal })),
    (signal) => drain(rest.get().resource("pods").watch({ signal })),
    (signal) => discovery.serverGroupsAndResources({ signal }),
    (signal) => discovery.serverVersion({ signal }),
  ];
}

/** Every source meets every failure; each failure gets a share of the calls, and all of them in long mode. */
const share = process.env["DROVER_LONG"] === "1" ? 1 : 8;

async function failInEveryWay(access: ClusterAccess, host: Host, runtime: TestRuntime, outputs: Outputs): Promise<void> {
  let fail: Transport = wire("refused", "no");
  const transport = clusterTransport(access, {
    ...runtime,
    host,
    isPair: (pem) => /certificate/i.test(pem),
    userAgent: "test",
    detailedMetrics: true,
    throttle: { qps: 1000, burst: 100 },
    retry: { retriesMax: 2 },
    onRequest: (request) => {
      outputs.add(request);
      return (outcome) => outputs.add(outcome);
    },
    connect: (options) => {
      outputs.add(options);
      return Object.assign((sent: Parameters<Transport>[0]) => fail(sent), { close: () => undefined });
    },
  });
  outputs.add(transport, transport.webSocket);
  const calls = callsOver(transport, runtime, outputs);
  for (const [round, failure] of Object.values(failures).entries()) {
    fail = failure;
    const controller = new AbortController();
    const all = Promise.all(
      calls.filter((_, index) => (index + round) % share === 0).map((call) => outputs.of(() => call(controller.signal))),
    );
    await runtime.clock.runAll();
    controller.abort();
    await runtime.clock.settle();
    await all;
    await outputs.of(() => transport.webSocket.tls({}));
  }
}

async function accessOf(host: Host, { log }: TestRuntime, outputs: Outputs): Promise<ClusterAccess | undefined> {
  await outputs.of(async () => {
    const config = await loadKubeconfig({ host, log });
    outputs.add(config);
    await Promise.all(
      [
        () => redactKubeconfig(config),
        () => printKubeconfig(redactKubeconfig(config)),
        () => validateKubeconfig(host, config),
        () => minifyKubeconfig(config),
        () => flattenKubeconfig(host, config),
      ].map((work: () => unknown) => outputs.of(work)),
    );
  });
  let access: ClusterAccess | undefined;
  await outputs.of(async () => (access = await findAccess({ host, log })));
  return access;
}

describe("credentials appear in no output, whatever fails", () => {
  it.each(Object.entries(sources))("with the canary in %s", async (_, source) => {
    const runtime = testRuntime();
    const outputs = new Outputs();
    const { user: _user, cluster: _cluster, more: _more, files = {}, ...given } = source;
    const host = memoryHost({ "/config": kubeconfigOf(source), ...files }, { env: { KUBECONFIG: "/config" }, ...given });
    const access = await accessOf(host, runtime, outputs);
    if (access !== undefined) await outputs.of(() => failInEveryWay(access, host, runtime, outputs));
    expect(outputs.count).toBeGreaterThan(1);
    outputs.expectNoCanary(runtime);
  });

  it("with the canary in a malformed kubeconfig", async () => {
    for (const user of broken) {
      const runtime = testRuntime();
      const outputs = new Outputs();
      const host = memoryHost(
        { "/config": `clusters: [{ name: c, cluster: { server: "https://h" } }]\nusers:\n- name: u\n  user:\n    ${user}\n` },
        { env: { KUBECONFIG: "/config" } },
      );
      await accessOf(host, runtime, outputs);
      outputs.expectNoCanary(runtime);
    }
  });
});
