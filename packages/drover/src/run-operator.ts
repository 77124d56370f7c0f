/**
 * Runs an operator in this process. Imported by the first call of `run`.
 *
 *     runOperator → connect, lease, probes, stopSignal
 */
import { hostname } from "node:os";
import { inClusterNamespace, isInCluster } from "@drover/client";
import type { Host } from "@drover/client";
import type { ManagerThread } from "@drover/controller";
import { definedOnly } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { nodeCrypto } from "@drover/machinery/node";
import type { Operator, OperatorPlace } from "@drover/patterns";
import { tapeBeside } from "./because-tape.ts";
import { connect } from "./connect.ts";
import { debugPort } from "./debug/debug-options.ts";
import { runDebugged } from "./debug/debugged-run.ts";
import { flightTape } from "./debug/flight-tape.ts";
import { limitHeapGrowth, limitThreadHeaps } from "./heap-growth.ts";
import { leaseNamespace } from "./node-manager.ts";
import type { NodeLeaderElectionOptions } from "./node-manager.ts";
import type { NodeRuntime } from "./node-runtime.ts";
import type { RunOptions } from "./run-options.ts";
import { webhookServing } from "./run-webhooks.ts";
import { serveHttp } from "./serve-http.ts";
import { serveHttps } from "./serve-https.ts";
import { stopSignal } from "./stop-signals.ts";
import { threadRole } from "./thread-role.ts";

type Given = RunOptions & Required<Pick<RunOptions, "runtime" | "host">>;

/**
 * Connects and runs until the signal aborts; see `RunnableOperator.run`.
 * @param onPrepared - called with the handler of the debug endpoint, before the run starts
 */
export async function runOperator(
  declared: Operator,
  { threads, ...options }: Given,
  onPrepared: (handler: Transport) => void = () => undefined,
): Promise<void> {
  // Without a signal of the caller the process is the operator's.
  const isOwn = options.signal === undefined;
  const role = threadRole(declared.name, threads, isOwn ? () => limitThreadHeaps() : undefined);
  if (role === "elsewhere") return untilAborted(options.signal);
  const { runtime, host } = options;
  const debugged = debugPort(options.debug, host.env);
  if (role.thread !== undefined) return runThread(declared, options, role.thread);
  if (isOwn && role.threads === undefined) limitHeapGrowth();
  const isInPod = await isInCluster(host);
  const {
    cluster = {},
    shards,
    leaderElection = isInPod && shards === undefined,
    serving = isInPod ? {} : false,
    webhooks = {},
    signal = stopSignal(),
    connection: given,
    runtime: _runtime,
    host: _host,
    tape: givenTape,
    debug: _debug,
    ...place
  } = options;
  // Threads reconcile without a tape, unless the program gives them one: no question reaches them.
  const asked = givenTape ?? (role.threads === undefined ? flightTape(runtime) : undefined);
  const tape = tapeBeside(asked, options);
  await using own = given === undefined ? await connect({ ...cluster, runtime, host }) : undefined;
  const connection = given ?? own;
  if (connection === undefined) return;
  const leases = await leasesOf(declared.name, { leaderElection, shards }, { runtime, host });
  const site = {
    name: declared.name,
    podNamespace: isInPod ? await inClusterNamespace(host) : undefined,
    access: connection.access,
    namespace: connection.namespace,
  };
  const port = serving === false ? {} : { serving: { listen: serveHttp, ...serving } };
  const run = declared.runOn({
    ...place,
    ...role,
    ...definedOnly({ tape }),
    runtime,
    transport: connection.transport,
    cluster: connection.cluster,
    namespace: connection.namespace,
    ...leases,
    ...port,
    webhooks:
      webhooks === false ? false : (needs) => webhookServing(webhooks, { ...site, ...needs }, { listen: serveHttps, crypto: nodeCrypto }),
  });
  await runDebugged(run, {
    name: declared.name,
    runtime,
    env: host.env,
    port: debugged,
    tape: asked ?? false,
    threads: role.threads?.count,
    isOwn,
    signal,
    onPrepared,
  });
}

/** Runs one thread: leases, probes, webhooks and definitions are the main thread's. */
async function runThread(
  declared: Operator,
  { connection: given, cluster = {}, runtime: shared, host, signal = new AbortController().signal, tape: givenTape, ...options }: Given,
  thread: ManagerThread,
): Promise<void> {
  const runtime = { ...shared, log: shared.log.with({ thread: thread.seat.thread }) };
  await using own = given === undefined ? await connect({ ...cluster, runtime, host }) : undefined;
  const connection = given ?? own;
  if (connection === undefined) return;
  const { watchNamespaces, graceMs, syncTimeoutMs } = options;
  const { transport, namespace } = connection;
  const tape = tapeBeside(givenTape, { runtime, host });
  await declared
    .runOn({
      ...definedOnly({ watchNamespaces, graceMs, syncTimeoutMs, tape }),
      runtime,
      thread,
      transport,
      cluster: connection.cluster,
      namespace,
      install: false,
    })
    .run(signal);
}

/** A thread that was started for another operator of this program ends with it. */
const untilAborted = (signal: AbortSignal = new AbortController().signal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Returns the lease or the shards, with names of this process. */
async function leasesOf(
  name: string,
  { leaderElection, shards }: { readonly leaderElection: NonNullable<RunOptions["leaderElection"]>; readonly shards: RunOptions["shards"] },
  own: { readonly runtime: NodeRuntime; readonly host: Host },
): Promise<Pick<OperatorPlace, "leaderElection" | "shards">> {
  const { runtime, host } = own;
  return {
    ...(leaderElection === false ? {} : { leaderElection: await leaseOf(name, leaderElection === true ? {} : leaderElection, own) }),
    ...(shards === undefined
      ? {}
      : {
          shards: {
            identity: identityOf(runtime),
            name,
            ...shards,
            namespace: shards.namespace ?? (await leaseNamespace(host, "shards")),
          },
        }),
  };
}

async function leaseOf(
  name: string,
  options: Partial<NodeLeaderElectionOptions>,
  { runtime, host }: { readonly runtime: NodeRuntime; readonly host: Host },
): Promise<NonNullable<OperatorPlace["leaderElection"]>> {
  return { identity: identityOf(runtime), name, ...options, namespace: options.namespace ?? (await leaseNamespace(host)) };
}

const identityOf = (runtime: NodeRuntime): string => `${hostname()}_${runtime.uid()}`;
