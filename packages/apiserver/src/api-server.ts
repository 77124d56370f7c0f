/**
 * A Kubernetes API server as a function.
 *
 *     createApiServer({ runtime, host }) → { handle: Transport, … }
 *
 * Callers in the same process use `handle`; http/listener.ts serves `connection` on sockets.
 */
import type { ExpressionWarning, ValidatingAdmissionPolicy } from "@drover/api/admissionregistration/v1";
import { countExceeded, prometheusText } from "@drover/machinery";
import type {
  DeepReadonly,
  GroupVersionKind,
  HttpRequest,
  HttpResponse,
  Metrics,
  MetricsRegistry,
  Runtime,
  Transport,
} from "@drover/machinery";
import { authenticatorOf } from "./access/authenticator.ts";
import type { Authenticator } from "./access/authenticator.ts";
import type { Authorizer } from "./access/authorizer.ts";
import { ServiceAccountTokens } from "./access/service-account-tokens.ts";
import { authorizationOf } from "./request/authorization-mode.ts";
import type { AuthorizationMode } from "./request/authorization-mode.ts";
import { inProcessTurns } from "./request/in-process-turns.ts";
import { tokenSubjects } from "./request/token-subjects.ts";
import { Audit } from "./audit/audit.ts";
import type { AuditOptions } from "./audit/audit-event.ts";
import { bearerTokens } from "./access/bearer-tokens.ts";
import type { StaticToken } from "./access/bearer-tokens.ts";
import type { User } from "./access/user.ts";
import { clientCertificates } from "./access/client-certificates.ts";
import { inProcessCallers } from "./access/in-process.ts";
import { admissionChain } from "./admission/admission.ts";
import type { AdmissionPlugin } from "./admission/admission.ts";
import { builtInAdmission } from "./admission/built-in-admission.ts";
import type { AdmissionServices } from "./admission/built-in-admission.ts";
import type { AdmissionPluginChoice } from "./admission/plugin-choice.ts";
import { checkPolicyTypes } from "./admission/policy/type-checking.ts";
import { syncApiServices } from "./bootstrap/api-services.ts";
import { bootstrap, createNamespace, restoreNamespaces } from "./bootstrap/bootstrap.ts";
import { bootstrapTexts } from "./bootstrap/bootstrap-texts.ts";
import { ServiceRepair } from "./allocation/service-repair.ts";
import { StoredServiceRecords } from "./allocation/stored-service-records.ts";
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
import { authenticatedGroup, withGroup } from "./access/system-names.ts";
import type { Peer } from "./access/peer.ts";
import type { ApiServerHost } from "./host.ts";
import { healthChecks } from "./nonresource/health-checks.ts";
import { pathServer } from "./nonresource/path-server.ts";
import type { Pause } from "./registry/resource.ts";
import { ApplyScopes } from "./registry/apply-scopes.ts";
import { ObjectStore } from "./registry/object-store.ts";
import { Registry } from "./registry/registry.ts";
import { ServerMetrics } from "./request/server-metrics.ts";
import { defaultLimits } from "./request/limits.ts";
import { handleRequest } from "./request/handle-request.ts";
import { StoredFlowSchemas } from "./request/stored-flow-schemas.ts";
import type { RequestHandler } from "./request/handle-request.ts";
import type { Backend, Limits } from "./request/request-context.ts";
import { dataQuota, MemoryStore } from "./storage/memory-store.ts";
import { historyBytes } from "./storage/store-log.ts";
import type { StoreSnapshot } from "./storage/memory-store.ts";
import type { Store } from "./storage/store.ts";
import { printerOf } from "./table/printers.ts";
import { IdentityLease } from "./upkeep/identity-lease.ts";
import { runUpkeep } from "./upkeep/upkeep.ts";
import type { PodLogs, PodStreams } from "./verbs/pod-streams.ts";
import { serveResource } from "./verbs/serve-resource.ts";
import { serviceAddresses } from "./webhook/service-address.ts";
import { WebhookClient } from "./webhook/webhook-client.ts";
import type { WebhookOptions } from "./webhook/webhook-options.ts";

export interface ApiServerOptions {
  readonly runtime: Runtime;
  /** Hashes, compression and data files; `nodeHost` of `@drover/apiserver/node`. */
  readonly host: ApiServerHost;
  /** Where objects are stored. @default in memory */
  readonly store?: Store;
  /** Replaces `authorizationModes`. @default none */
  readonly authorizer?: Authorizer;
  /**
   * Who decides, in order, as `--authorization-mode` of kube-apiserver. With "RBAC" the server starts with the roles and bindings of
   * kube-apiserver, and users can grant only what they hold; "Node" is for kubelets. @default ["Node", "RBAC"]
   */
  readonly authorizationModes?: readonly AuthorizationMode[];
  /**
   * Authenticators in addition to callers in the same process, client certificates, service account tokens and `tokens`. @default
   * none
   */
  readonly authenticators?: readonly Authenticator[];
  /** Static bearer tokens and their users. @default none */
  readonly tokens?: readonly StaticToken[];
  /**
   * Whether requests without credentials run as `system:anonymous` instead of being refused. With "RBAC" they may then ask for health
   * and version. @default true, but false with "AlwaysAllow" or an own `authorizer`
   */
  readonly anonymous?: boolean;
  /**
   * Built-in admission plug-ins to run or not to run. @default those of kube-apiserver except ServiceAccount, which needs a controller
   * that creates the account `default` in every namespace, as `startCluster` runs it
   */
  readonly admissionPlugins?: AdmissionPluginChoice;
  /** Admission plug-ins that run after the built-in ones. @default none */
  readonly admission?: readonly AdmissionPlugin[];
  /** Which requests are recorded, and where. @default none */
  readonly audit?: AuditOptions;
  /** @default the limits of kube-apiserver */
  readonly limits?: Partial<Limits>;
  /** How webhooks of configurations and definitions are reached. @default over the network */
  readonly webhooks?: WebhookOptions;
  /** Range of service addresses. @default "10.0.0.0/12", for a million services; kube-apiserver's own default ends at 254 */
  readonly serviceCidr?: string;
  /** Issuer and default audience of service account tokens. @default "https://kubernetes.default.svc" */
  readonly serviceAccountIssuer?: string;
  /**
   * Address and port of the server, for discovery, the Service `kubernetes` and its Endpoints; with a host name there are no Endpoints.
   * @default "127.0.0.1:6443"
   */
  readonly serverAddress?: string;
  /** The authority of client certificates in PEM, for the ConfigMap `extension-apiserver-authentication`. @default no such ConfigMap */
  readonly clientAuthorityPem?: string;
}

export interface ApiServer {
  /**
   * Serves requests from the same process, as `system:admin` unless they carry credentials. After 25 ms of such requests the next waits
   * until sockets and timers had their turn; not on a manual clock.
   */
  readonly handle: Transport;
  /** Returns a transport for requests from the same process that run as this user; it also has the group `system:authenticated`. */
  readonly handleAs: (user: User) => Transport;
  /** Returns a transport that serves the requests of one connection. */
  readonly connection: (peer: Peer) => Transport;
  readonly store: Store;
  /** Compacts the store to its current revision: older lists and watches get a 410, as after five minutes in a real cluster. */
  readonly compact: () => Promise<void>;
  /** Returns the current state; cheap. Throws for a server on a custom store: take the snapshot of that one. */
  readonly snapshot: () => StoreSnapshot;
  /** Restores a snapshot of this or another server within a few milliseconds, for use between tests. Ends all watches. */
  readonly restore: (snapshot: StoreSnapshot) => Promise<void>;
  /**
   * Serves the logs of pods from `logs` until the returned function is called. Without a source, `pods/log` reports that the node
   * cannot be reached. `noStreams` is the message for `exec`, `attach`, `portforward` and `proxy`, which are not served.
   * @default what kube-apiserver says about a node without an address
   */
  readonly serveLogs: (logs: PodLogs, options?: { readonly noStreams?: string }) => () => void;
  /** Resolves when the sink of `audit` has taken all events so far; at once without one. */
  readonly flushAudit: () => Promise<void>;
  /** Checks a policy's expressions against the schemas of the kinds that it matches, for a controller that writes its status. */
  readonly checkPolicyTypes: (policy: DeepReadonly<ValidatingAdmissionPolicy>) => readonly ExpressionWarning[];
  /**
   * Does what a lasting server does beside requests, until the signal aborts: keeps its identity lease in kube-system and removes that at
   * the end, removes those of servers that are gone, and repairs the records of addresses and node ports. `drover up` and `drover
   * apiserver` do this; a server in a test needs none of it.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Ends all watches and timers. The server does not answer afterwards. */
  readonly close: () => void;
}

/** Creates a server that is ready to serve: bootstrap objects exist, and stored CustomResourceDefinitions are served. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { runtime, store = memoryStore(options), serviceCidr = "10.0.0.0/12", serverAddress = "127.0.0.1:6443" } = options;
  const { backend, authorizer, settleCustom, repair } = createBackend(options, store, serviceCidr);
  const { streams, serveLogs } = podLogSource();
  const audit = options.audit === undefined ? undefined : new Audit(options.audit, runtime);
  const handler = createRequestHandler(options, { backend, authorizer, streams, audit });
  const connection =
    (peer: Peer): Transport =>
    (request: HttpRequest): Promise<HttpResponse> =>
      handleRequest(handler, request, peer);
  const inTurns = inProcessTurns(runtime.clock);
  await bootstrap(backend, { repair, serviceCidr, serverAddress, clientAuthorityPem: options.clientAuthorityPem });
  await bootstrapTexts(backend, options.host, { withPolicy: modesOf(options).includes("RBAC") });
  await settleCustom();
  const inMemory = (): MemoryStore => {
    if (store instanceof MemoryStore) return store;
    throw new Error("snapshot and restore need the in-memory store; this server was given another store, use its own snapshots");
  };
  return {
    handle: inTurns(connection(inProcessPeer)),
    handleAs: (user) => inTurns(connection({ ...inProcessPeer, user: withGroup(user, authenticatedGroup) })),
    connection,
    store,
    compact: async () => {
      const revision = await store.revision();
      if (revision > (await store.compacted())) await store.compact(revision);
    },
    snapshot: () => inMemory().snapshot(),
    restore: async (snapshot) => {
      const memory = inMemory();
      memory.restore(snapshot);
      await settleCustom();
    },
    serveLogs,
    flushAudit: async () => await audit?.flush(),
    checkPolicyTypes: (policy) => checkPolicyTypes(policy, backend.registry),
    run: async (signal) => {
      const { clock, log, random } = runtime;
      const lease = new IdentityLease(backend, { sha256: options.host.sha256, hostName: options.host.hostName, serverAddress });
      await runUpkeep({ lease, repair, clock, log, random: random.stream("upkeep") }, signal);
    },
    close: () => store.close(),
  };
}

/**
 * Values take up to two bytes per character: a quarter of the heap in characters is at most half of it, and a sixteenth for the history
 * at most an eighth.
 */
function memoryStore({ runtime: { clock, metrics }, host: { heapBytesMax = Infinity } }: ApiServerOptions): MemoryStore {
  return new MemoryStore({
    clock,
    metrics,
    quotaBytes: Math.min(dataQuota.limit, heapBytesMax / 4),
    historyBytes: Math.min(historyBytes.limit, heapBytesMax / 16),
  });
}

/** None with an authorizer of the caller. */
const modesOf = ({ authorizer, authorizationModes = ["Node", "RBAC"] }: ApiServerOptions): readonly AuthorizationMode[] =>
  authorizer === undefined ? authorizationModes : [];

interface ServerBackend {
  readonly backend: Backend;
  readonly authorizer: Authorizer;
  /** Resolves when the served custom resources match the stored definitions. */
  readonly settleCustom: (pause?: Pause) => Promise<void>;
  readonly repair: ServiceRepair;
}

/** Creates the services behind the verbs. Each write to a CustomResourceDefinition waits until its resources are served. */
function createBackend(options: ApiServerOptions, store: Store, serviceCidr: string): ServerBackend {
  const { runtime, admission = [] } = options;
  const listBytesMax = Math.min(defaultLimits.listBytesMax, (options.host.heapBytesMax ?? Infinity) / 12);
  const limits = { ...defaultLimits, listBytesMax, ...options.limits };
  const registry = new Registry();
  const objects = new ObjectStore(store, { bytesMax: limits.objectBytesMax });
  const custom: { current: CustomResources | undefined } = { current: undefined };
  const settleCustom = async (pause?: Pause): Promise<void> => await custom.current?.settle(pause);
  const scopes = new ApplyScopes(registry);
  const recordsBackend = { objects, registry, scopes, runtime };
  const records = new StoredServiceRecords(recordsBackend);
  const allocator = new ServiceAllocator({ records, cidrs: [serviceCidr] });
  registry.serve(
    "",
    builtInResources({
      clock: runtime.clock,
      strategies: builtInStrategies({ allocator, customResourceDefinition: crdStrategy }),
      printerOf,
      afterWrite: new Map([
        ["apiextensions.k8s.io/v1/CustomResourceDefinition", settleCustom],
        ["apiregistration.k8s.io/v1/APIService", () => syncApiServices(backend)],
        ["/v1/Namespace", () => restoreNamespaces(backend)],
      ]),
    }),
  );
  const { authorizer, guardGrants } =
    options.authorizer === undefined
      ? authorizationOf(modesOf(options), { objects, registry })
      : { authorizer: options.authorizer, guardGrants: undefined };
  const webhooks = new WebhookClient({
    ...options.webhooks,
    clock: runtime.clock,
    metrics: runtime.metrics,
    call: options.host.webhookCaller(),
    addressOf: serviceAddresses(objects, registry),
  });
  const services: AdmissionServices = {
    objects,
    registry,
    scopes,
    runtime,
    authorizer,
    host: options.host,
    webhooks,
    createNamespace: (name) => createNamespace(backend, name),
  };
  const backend: Backend = {
    runtime,
    objects,
    registry,
    scopes,
    limits,
    bodyCodec: bodyCodecs(runtime),
    admission: admissionChain([...builtInAdmission(services, options.admissionPlugins ?? {}), ...admission]),
    ...(guardGrants === undefined ? {} : { guardGrants }),
  };
  custom.current = new CustomResources(serverHost(backend, { published: () => syncApiServices(backend) }), {
    clock: runtime.clock,
    onExceeded: (budget) => countExceeded(runtime.metrics, budget),
    conversions: { client: webhooks, uid: runtime.uid },
  });
  return { backend, authorizer, settleCustom, repair: new ServiceRepair(records, recordsBackend) };
}

interface ServedBy {
  readonly streams: PodStreams;
  readonly audit: Audit | undefined;
}

function createRequestHandler(
  options: ApiServerOptions,
  { backend, authorizer, streams, audit }: Pick<ServerBackend, "backend" | "authorizer"> & ServedBy,
): RequestHandler {
  const { runtime, host, serverAddress = "127.0.0.1:6443" } = options;
  const { registry } = backend;
  const tokens = new ServiceAccountTokens({
    clock: runtime.clock,
    signer: host.tokenSigner,
    issuer: options.serviceAccountIssuer ?? "https://kubernetes.default.svc",
    ...tokenSubjects(backend),
  });
  const authenticators = [
    inProcessCallers,
    clientCertificates,
    bearerTokens(options.tokens ?? []),
    tokens.authenticate,
    ...(options.authenticators ?? []),
  ];
  const modes = modesOf(options);
  const authenticator = authenticatorOf(authenticators, {
    anonymous: options.anonymous ?? (modes.length > 0 && !modes.includes("AlwaysAllow")),
  });
  const metrics = new ServerMetrics(runtime.clock, registry);
  return {
    backend,
    authenticator,
    authorizer,
    metrics,
    ...(audit === undefined ? {} : { audit }),
    flowSchemas: new StoredFlowSchemas(backend.objects, registry),
    gzip: host.gzip,
    serveResource: (...request) => serveResource({ authorizer, authenticator, audiences: [tokens.issuer], tokens, ...streams }, ...request),
    servePath: pathServer({
      runtime,
      registry,
      host,
      serverAddress,
      tokens,
      checks: healthChecks({
        withPolicy: modesOf(options).includes("RBAC"),
        storeProblem: () => backend.objects.store.problem?.(),
        probeStore: backend.objects.store.probe === undefined ? undefined : () => backend.objects.store.probe?.() ?? Promise.resolve(),
      }),
      metricsText: () => metrics.text() + textOf(runtime.metrics),
    }),
  };
}

/** Budgets and the event loop are counted in the metrics of the program, if these can be printed. */
const textOf = (metrics: Metrics): string => ("families" in metrics ? prometheusText(metrics as MetricsRegistry) : "");

/** Logs come from the last caller of `serveLogs` that has not stopped. */
function podLogSource(): { readonly streams: PodStreams; readonly serveLogs: ApiServer["serveLogs"] } {
  let current: { readonly podLogs: PodLogs; readonly noStreams: string | undefined } | undefined;
  return {
    streams: { podLogs: (...asked) => current?.podLogs(...asked), noStreams: () => current?.noStreams },
    serveLogs: (podLogs, { noStreams } = {}) => {
      const given = (current = { podLogs, noStreams });
      return () => {
        if (current === given) current = undefined;
      };
    },
  };
}

/** Returns codecs for bodies that are not stored objects, cached by kind. */
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
