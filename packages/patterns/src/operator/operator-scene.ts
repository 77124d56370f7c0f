/**
 * Runs an operator on the embedded API server, in this process, on a manual clock.
 *
 *     operatorScene(app) → client, settle(), writes, runtime.log … end()
 */
import { alwaysAllow, createApiServer } from "@drover/apiserver";
import type { ApiServer, Authorizer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { createTape } from "@drover/controller";
import type { RecordingTape } from "@drover/controller";
import type { HttpRequest, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import type { Operator, OperatorPlace, OperatorRun } from "../index.ts";

/** The user name of the operator. */
export const operatorUser = "system:serviceaccount:default:operator";

/** A running operator, controlled by a test. */
export interface OperatorScene {
  /** As an administrator. */
  readonly client: Client;
  /** As the operator. */
  readonly transport: Transport;
  readonly runtime: TestRuntime;
  readonly tape: RecordingTape;
  readonly run: OperatorRun;
  /** The error it rejected with; undefined while it runs. */
  readonly failure: () => unknown;
  /** Writes of the operator so far: "PATCH /apis/apps/v1/…". */
  readonly writes: readonly string[];
  /** Lets everything happen that needs no time, then advances this many milliseconds. */
  readonly settle: (ms?: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Options of `operatorScene`. */
export interface SceneOptions extends Partial<Pick<OperatorPlace, "install" | "permissions" | "watchNamespaces" | "webhooks">> {
  /** @default everything is allowed */
  readonly authorizer?: Authorizer;
  /** Wraps the operator's requests. @default none */
  readonly wrap?: (next: Transport) => Transport;
  /** Runs before the operator starts. */
  readonly before?: (client: Client) => Promise<void>;
}

/** Resolves when the operator has started. */
export async function operatorScene(app: Operator, options: SceneOptions = {}): Promise<OperatorScene> {
  const { authorizer = alwaysAllow, wrap = (next) => next, before = () => Promise.resolve(), ...place } = options;
  const runtime = testRuntime({ clock: new ManualClock({ quietTurns: 8, turn: () => new Promise((resolve) => setImmediate(resolve)) }) });
  const server: ApiServer = await createApiServer({
    runtime,
    host: nodeHost,
    authorizer,
    tokens: [{ token: "operator", user: { name: operatorUser, uid: "operator", groups: [] } }],
  });
  const client = createClient({ transport: server.handle, clock: runtime.clock, log: runtime.log, namespace: "default" });
  await before(client);
  const writes: string[] = [];
  const noted = (request: HttpRequest): ReturnType<Transport> => {
    if (request.method !== "GET" && !/events\.k8s\.io|selfsubject/.test(request.path))
      writes.push(`${request.method} ${request.path.replace(/\?.*/, "")}`);
    return server.handle({ ...request, headers: { ...request.headers, authorization: "Bearer operator" } });
  };
  const tape = createTape(runtime);
  const run = app.runOn({ runtime, tape, transport: wrap(noted), namespace: "default", ...place });
  const stop = new AbortController();
  let failed: unknown;
  const ended = run.run(stop.signal).catch((error: unknown) => {
    failed = error;
  });
  const settle = (ms = 0): Promise<void> => runtime.clock.advance(ms);
  await settle(1000);
  return {
    client,
    transport: noted,
    runtime,
    tape,
    run,
    writes,
    settle,
    failure: () => failed,
    end: async () => {
      stop.abort(new DOMException("the test is over", "AbortError"));
      await settle(6000);
      await ended;
      server.close();
    },
  };
}
