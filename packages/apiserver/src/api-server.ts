/**
 * A Kubernetes API server as a function.
 *
 *     createApiServer({ runtime, host }) → { handle: Transport, … }
 *
 * Sockets are an adapter around `connection` (http/listener.ts); tests and controllers in the same process call `handle`.
 */
import type { GroupVersionKind, HttpRequest, HttpResponse, Runtime, Transport } from "@drover/machinery";
import { alwaysAllow } from "./access/always-allow.ts";
import { authenticatorOf } from "./access/authenticator.ts";
import type { Authenticator } from "./access/authenticator.ts";
import type { Authorizer } from "./access/authorizer.ts";
import { ServiceAccountTokens } from "./access/service-account-tokens.ts";
import { tokenSubjects } from "./request/token-subjects.ts";
import { bearerTokens } from "./access/bearer-tokens.ts";
import type { StaticToken } from "./access/bearer-tokens.ts";
import { clientCertificates } from "./access/client-certificates.ts";
import { inProcessCallers } from "./access/in-process.ts";
import { admissionChain } from "./admission/admission.ts";
import type { AdmissionPlugin } from "./admission/admission.ts";
import { builtInAdmission } from "./admission/built-in-admission.ts";
import { bootstrap, learnServices } from "./bootstrap/bootstrap.ts";
import { builtInResources } from "./builtin/built-in-resources.ts";
import { builtInStrategies } from "./builtin/built-in-strategies.ts";
import { setDefaultsOf } from "./builtin/defaults/defaults.ts";
import { ServiceAllocator } from "./builtin/strategies/service/service-allocator.ts";
import { builtInCodec } from "./codec/built-in-codec.ts";
import type { Codec } from "./codec/codec.ts";
import { CustomResources } from "./custom/custom-resources.ts";
import { crdStrategy } from "./custom/definition/crd-strategy.ts";
import { serverHost } from "./custom/server-host.ts";
import { inProcessPeer } from "./access/peer.ts";
import type { Peer } from "./access/peer.ts";
import type { ApiServerHost } from "./host.ts";
import { pathServer } from "./nonresource/path-server.ts";
import { ObjectStore } from "./registry/object-store.ts";
import { Registry } from "./registry/registry.ts";
import { ServerMetrics } from "./request/server-metrics.ts";
import { defaultLimits } from "./request/limits.ts";
import { handleRequest } from "./request/handle-request.ts";
import type { RequestHandler } from "./request/handle-request.ts";
import type { Backend, Limits } from "./request/request-context.ts";
import { MemoryStore } from "./storage/memory-store.ts";
import type { StoreSnapshot } from "./storage/memory-store.ts";
import type { Store } from "./storage/store.ts";
import { printerOf } from "./table/printers.ts";
import type { PodLogs } from "./verbs/pod-streams.ts";
import { serveResource } from "./verbs/serve-resource.ts";

export interface ApiServerOptions {
  readonly runtime: Runtime;
  /** What the server needs of the place it runs in; `nodeHost` of `@drover/apiserver/node`. */
  readonly host: ApiServerHost;
  /** Where objects are kept. @default in memory */
  readonly store?: Store;
  /** Who may do what. @default everybody everything */
  readonly authorizer?: Authorizer;
  /** Who is who, besides callers in the same process, client certificates and `tokens`. @default nobody else */
  readonly authenticators?: readonly Authenticator[];
  /** Tokens and whom they stand for. @default none */
  readonly tokens?: readonly StaticToken[];
  /** Whether requests without credentials are let in as `system:anonymous`. @default false */
  readonly anonymous?: boolean;
  /** Asked after those of the server itself. @default none */
  readonly admission?: readonly AdmissionPlugin[];
  /** @default those of kube-apiserver */
  readonly limits?: Partial<Limits>;
  /** Of which services get their addresses. @default "10.0.0.0/24" */
  readonly serviceCidr?: string;
  /** Who signs tokens of service accounts, and for whom they are when nothing is said. @default "https://kubernetes.default.svc" */
  readonly serviceAccountIssuer?: string;
  /** Under which clients reach it, for discovery. @default "127.0.0.1:6443" */
  readonly serverAddress?: string;
}

export interface ApiServer {
  /** Answers requests of this process, as `system:admin` unless they say who they are from. */
  readonly handle: Transport;
  /** Answers the requests of one connection. */
  readonly connection: (peer: Peer) => Transport;
  readonly store: Store;
  /** Forgets every version but the present one, as a server does after some minutes: lists and watches from before are too old then. */
  readonly compact: () => Promise<void>;
  /** Everything as it is now; costs nothing to take. Throws for a server on a store of your own: ask that one. */
  readonly snapshot: () => StoreSnapshot;
  /** Goes back to a snapshot, of this server or of another: in a millisecond or two, between two tests. Watches end. */
  readonly restore: (snapshot: StoreSnapshot) => Promise<void>;
  /**
   * From now on the logs of pods come from there, until the function it returns is called; before, `pods/log` says that
   * the node cannot be reached.
   */
  readonly serveLogs: (logs: PodLogs) => () => void;
  /** Ends every watch and timer. Nothing is answered afterwards. */
  readonly close: () => void;
}

/** Creates a server that is ready to answer: the objects every new cluster has are stored, and definitions in the store are served. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { runtime, store = new MemoryStore({ clock: runtime.clock }), serviceCidr = "10.0.0.0/24" } = options;
  const allocator = new ServiceAllocator({ cidrs: [serviceCidr], random: runtime.random.stream("services") });
  const { backend, settleCustom } = createBackend(options, store, allocator);
  const { podLogs, serveLogs } = podLogSource();
  const handler = createRequestHandler(options, backend, podLogs);
  const connection =
    (peer: Peer): Transport =>
    (request: HttpRequest): Promise<HttpResponse> =>
      handleRequest(handler, request, peer);
  await bootstrap(backend, { allocator, serviceCidr });
  await settleCustom();
  const inMemory = (): MemoryStore => {
    if (store instanceof MemoryStore) return store;
    throw new Error("only a server on the store in memory can go back to a snapshot; restore the store you gave it instead");
  };
  return {
    handle: connection(inProcessPeer),
    connection,
    store,
    compact: async () => {
      const revision = await store.revision();
      if (revision > (await store.compacted())) await store.compact(revision);
    },
    snapshot: () => inMemory().snapshot(),
    restore: async (snapshot) => {
      const memory = inMemory();
      await learnServices(backend, (service) => allocator.forget(service));
      memory.restore(snapshot);
      await learnServices(backend, (service) => allocator.learn(service));
      await settleCustom();
    },
    serveLogs,
    close: () => store.close(),
  };
}

interface ServerBackend {
  readonly backend: Backend;
  /** Waits until every definition in the store is served, and no other. */
  readonly settleCustom: () => Promise<void>;
}

/** Creates what the verbs work on. Built-in kinds and definitions need each other: a write to a definition waits until it is served. */
function createBackend(options: ApiServerOptions, store: Store, allocator: ServiceAllocator): ServerBackend {
  const { runtime, admission = [] } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const registry = new Registry();
  const objects = new ObjectStore(store, { bytesMax: limits.objectBytesMax });
  const custom: { current: CustomResources | undefined } = { current: undefined };
  const settleCustom = async (): Promise<void> => await custom.current?.settle();
  registry.serve(
    "",
    builtInResources({
      clock: runtime.clock,
      strategies: builtInStrategies({ allocator, customResourceDefinition: crdStrategy }),
      printerOf,
      afterWrite: new Map([["apiextensions.k8s.io/v1/CustomResourceDefinition", settleCustom]]),
    }),
  );
  const backend: Backend = {
    runtime,
    objects,
    registry,
    limits,
    bodyCodec: bodyCodecs(runtime),
    admission: admissionChain([...builtInAdmission(objects, registry), ...admission]),
  };
  custom.current = new CustomResources(serverHost(backend), { clock: runtime.clock });
  return { backend, settleCustom };
}

function createRequestHandler(options: ApiServerOptions, backend: Backend, podLogs: PodLogs): RequestHandler {
  const { runtime, host, authorizer = alwaysAllow, serverAddress = "127.0.0.1:6443" } = options;
  const { registry } = backend;
  const tokens = new ServiceAccountTokens({
    clock: runtime.clock,
    signer: host.tokenSigner,
    issuer: options.serviceAccountIssuer ?? "https://kubernetes.default.svc",
    exists: tokenSubjects(backend),
  });
  const authenticators = [
    inProcessCallers,
    clientCertificates,
    tokens.authenticate,
    bearerTokens(options.tokens ?? []),
    ...(options.authenticators ?? []),
  ];
  const authenticator = authenticatorOf(authenticators, { anonymous: options.anonymous ?? false });
  const metrics = new ServerMetrics(runtime.clock, registry);
  return {
    backend,
    authenticator,
    authorizer,
    metrics,
    gzip: host.gzip,
    serveResource: (...request) => serveResource({ authorizer, authenticator, tokens, podLogs }, ...request),
    servePath: pathServer({
      runtime,
      registry,
      host,
      serverAddress,
      checks: [{ name: "ping", failure: () => undefined }],
      metricsText: () => metrics.text(),
    }),
  };
}

/** The logs of pods come from the last caller of `serveLogs` that has not stopped. */
function podLogSource(): { readonly podLogs: PodLogs; readonly serveLogs: ApiServer["serveLogs"] } {
  let current: PodLogs | undefined;
  return {
    podLogs: (...asked) => current?.(...asked),
    serveLogs: (podLogs) => {
      current = podLogs;
      return () => {
        if (current === podLogs) current = undefined;
      };
    },
  };
}

/** Codecs of bodies that are no stored objects, each made once. */
function bodyCodecs({ clock }: Runtime): (kind: GroupVersionKind) => Codec {
  const codecs = new Map<string, Codec>();
  return (kind) => {
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    const known = codecs.get(key);
    if (known !== undefined) return known;
    const codec = builtInCodec(kind, setDefaultsOf(kind, { clock }));
    codecs.set(key, codec);
    return codec;
  };
}
