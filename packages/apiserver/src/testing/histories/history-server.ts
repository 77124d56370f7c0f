/**
 * A server that runs many histories, each from the same initial state.
 *
 *     HistoryPlan → HistoryServer → History
 */
import { createRandom } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { createApiServer } from "../../api-server.ts";
import type { ApiServer } from "../../api-server.ts";
import type { ApiServerHost } from "../../host.ts";
import { HistoryClient } from "./history-client.ts";
import { memoryGround } from "./history-ground.ts";
import type { OpenGround } from "./history-ground.ts";
import { widgetDefinition } from "./history-kind.ts";
import type { History } from "./history.ts";
import type { HistoryPlan, Step } from "./history-plan.ts";
import { HistoryWatcher } from "./history-watcher.ts";
import { LedgerStore } from "./ledger-store.ts";
import { Recorder } from "./recorder.ts";

interface Stage {
  readonly server: ApiServer;
  readonly store: LedgerStore;
  readonly runtime: TestRuntime;
  readonly reset: () => Promise<void>;
}

const bookmarkPeriodMs = 1000;
/** Enough for a few writes, too little for a history. */
const shortMemory = 12;

/** Guarantees: in memory, the same plan yields the same history, except for uids and times. */
export class HistoryServer {
  readonly #host: ApiServerHost;
  readonly #open: OpenGround;
  readonly #stages = new Map<boolean, Promise<Stage>>();

  constructor(host: ApiServerHost, open: OpenGround = memoryGround) {
    this.#host = host;
    this.#open = open;
  }

  async run({ seed, watchers: scopes, lateTurnsMax, hasShortMemory, steps }: HistoryPlan): Promise<History> {
    const { server, store, runtime, reset } = await this.#stage(hasShortMemory);
    await reset();
    const base = await store.begin(
      lateTurnsMax === 0 ? undefined : { random: createRandom(seed).stream("lateness"), turnsMax: lateTurnsMax },
    );
    const errorsBefore = errorsIn(runtime).length;
    const recorder = new Recorder({ handle: server.handle, store });
    const clients = Array.from({ length: 4 }, (_, index) => new HistoryClient(recorder, index));
    const watchers = scopes.map((scope, index) => new HistoryWatcher(recorder, index, scope));
    const isIdle = (): boolean => clients.every((client) => client.isIdle);
    for (const step of steps) {
      await begin(step, { recorder, clients, watchers, clock: runtime.clock });
      await recorder.turns(step.turns);
    }
    await recorder.quiet();
    for (const watcher of watchers) watcher.read(Infinity);
    //  A wait for a revision that never comes times out after three seconds, and a client may do this repeatedly; the first
    // second is for bookmarks.
    for (let second = 0; second < 3 * steps.length + 2 && (second === 0 || !isIdle()); second++) {
      await runtime.clock.advance(bookmarkPeriodMs);
      await recorder.quiet();
    }
    for (const watcher of watchers) watcher.end("drained");
    await recorder.quiet();
    const { operations, lists, sessions, failures } = recorder;
    const errors = [...errorsIn(runtime).slice(errorsBefore), ...failures, ...(isIdle() ? [] : ["a request still waits for its response"])];
    return { base, writes: store.writes, operations, lists, sessions, errors };
  }

  #stage(hasShortMemory: boolean): Promise<Stage> {
    let stage = this.#stages.get(hasShortMemory);
    if (stage === undefined) this.#stages.set(hasShortMemory, (stage = openStage(this.#host, this.#open, hasShortMemory)));
    return stage;
  }

  /** Ends the servers and their stores. */
  async close(): Promise<void> {
    for (const stage of this.#stages.values()) (await stage).server.close();
  }
}

async function openStage(host: ApiServerHost, open: OpenGround, hasShortMemory: boolean): Promise<Stage> {
  // Time advances without waiting for everything to settle.
  const clock = new ManualClock({ quietTurns: 2 });
  const runtime = testRuntime({ clock });
  const ground = await open({ clock, ...(hasShortMemory ? { historyLength: shortMemory } : {}) });
  const store = new LedgerStore(ground);
  const server = await createApiServer({ runtime, host, store, limits: { bookmarkPeriodMs } });
  const made = [
    await server.handle({
      method: "POST",
      path: "/api/v1/namespaces",
      headers: {},
      body: JSON.stringify({ metadata: { name: "default-2" } }),
    }),
    await server.handle({
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      headers: {},
      body: JSON.stringify(widgetDefinition),
    }),
  ];
  for (const { status, body } of made)
    if (status !== 201) throw new Error(`the server of the histories cannot be set up: ${status} ${typeof body === "string" ? body : ""}`);
  return { server, store, runtime, reset: await ground.mark() };
}

interface Cast {
  readonly recorder: Recorder;
  readonly clients: readonly HistoryClient[];
  readonly watchers: readonly HistoryWatcher[];
  readonly clock: ManualClock;
}

async function begin(step: Step, { recorder: { store }, clients, watchers, clock }: Cast): Promise<void> {
  switch (step.kind) {
    case "request":
    case "list":
      return clients[step.client]?.take(step);
    case "open":
      return watchers[step.watcher]?.open(step);
    case "read":
      return watchers[step.watcher]?.read(step.lines);
    case "stop":
      return watchers[step.watcher]?.end("stopped");
    case "advance":
      return await clock.advance(step.ms);
    case "compact": {
      const revision = store.newest - step.keep;
      if (revision > (await store.compacted())) await store.compact(revision);
      return;
    }
    default:
      return step;
  }
}

const errorsIn = ({ log }: TestRuntime): readonly string[] =>
  log.entries.filter(({ level }) => level === "error").map((entry) => JSON.stringify(entry));
