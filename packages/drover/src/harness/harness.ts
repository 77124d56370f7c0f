/**
 * A test of an operator: a whole API server in this process, time that passes when it is needed, and one call that waits until all is done.
 *
 *     await using t = await harness(app);
 *     await t.create(WebApp, { metadata: { name: "shop" }, spec: { image: "shop:1" } });
 *     await t.settled();
 *     expect(await t.get(Deployment, "shop")).toMatchObject({ spec: { replicas: 1 } });
 */
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { createTape, explain, why } from "@drover/controller";
import { objectKey, parseDuration } from "@drover/machinery";
import type { Kind } from "@drover/machinery";
import type { RecordingLog } from "@drover/machinery/testing";
import { clusterGround } from "./cluster-ground.ts";
import { embeddedGround } from "./embedded-ground.ts";
import type { Ground } from "./ground.ts";
import type { HarnessApp } from "./harness-app.ts";
import { FaultPlan } from "./harness-fault.ts";
import type { HarnessFault } from "./harness-fault.ts";
import type { HarnessOptions } from "./harness-options.ts";
import { harnessVerbs } from "./harness-verbs.ts";
import type { HarnessVerbs } from "./harness-verbs.ts";
import { NotSettledError } from "./not-settled-error.ts";
import { OperatorLife } from "./operator-life.ts";
import { unstableError } from "./settle-report.ts";
import { Traffic } from "./traffic.ts";
import { WriteAudit } from "./write-audit.ts";

export interface SettledOptions {
  /** Whether everything is run once more when all is at rest, and must then write nothing. @default true */
  readonly twice?: boolean;
}

/**
 * An operator that runs on a server, and the hands of a test on both.
 *
 * Guarantees: two harnesses share nothing; on the embedded server the same seed gives the same run, as far as the
 * operator's own code allows it.
 */
export interface Harness extends HarnessVerbs, AsyncDisposable {
  /** The test's own client: an administrator, with the field manager "test". */
  readonly client: Client;
  /** Where objects are that name no namespace. */
  readonly namespace: string;
  /** What the operator logged, all its lives. */
  readonly log: RecordingLog;
  /**
   * Resolves when the operator is at rest: every cache has seen all that was written, no key is ready or running, no
   * request is open, and nothing that failed
   * waits to be tried again. Time moves only as far as such retries need it; a key that asked to be looked at later does not count. Then
   * every key runs once more, if any has run since the last time, and must not write; what asked for a later look asks for it anew.
   *
   * Rejects with a `NotSettledError` that names the keys and their last errors, the fields and controllers that fight,
   * or the field that flaps.
   */
  settled(options?: SettledOptions): Promise<void>;
  /**
   * Moves time on, "10m", and lets everything that falls due in it come to its end, one thing after the other. Refused
   * on a real cluster.
   */
  advance(duration: string): Promise<void>;
  /** Ends the operator as a rollout does and starts it again: a new memory, the same server. */
  restart(): Promise<void>;
  /** Breaks off every watch of the operator. */
  cutWatches(): void;
  /** Something goes wrong with the operator's next requests. */
  fault(fault: HarnessFault): void;
  /**
   * After so many more requests the operator dies, before it gets the last answer, and is started anew. Its code cannot
   * be stopped, but nothing it says arrives.
   */
  crashAfter(requests: number): void;
  /** Why the operator did what it did for an object, in words. Of its present life. */
  why(kind: Kind, name: string, options?: { readonly namespace?: string }): string;
  /** Ends the operator and the server; on a real cluster, deletes what was made. Doing it twice does no harm. */
  close(): Promise<void>;
}

/** Resolves when the operator has started: its definitions are installed, its caches complete. Rejects with what keeps it from starting. */
export async function harness(app: HarnessApp, options: HarnessOptions = {}): Promise<Harness> {
  const { on, runsMax = 100 } = options;
  const cluster = on === "environment" ? clusterOfEnvironment() : on;
  const ground = cluster === undefined ? await embeddedGround(options) : await clusterGround(cluster, options);
  const made = new OperatorHarness(app, ground, runsMax);
  try {
    await ground.pace.started(() => made.life);
  } catch (error) {
    await made.close();
    // Whoever waits for a start wants to know why it failed, not that nothing settled.
    throw error instanceof NotSettledError && error.reason === "ended" ? error.cause : error;
  }
  return { ...made.hands(), ...harnessVerbs(made.client) };
}

function clusterOfEnvironment(): { readonly kubeconfig: string } | undefined {
  const kubeconfig = process.env["DROVER_TEST_CLUSTER"] ?? "";
  return kubeconfig === "" ? undefined : { kubeconfig };
}

class OperatorHarness {
  readonly client: Client;
  readonly #app: HarnessApp;
  readonly #ground: Ground;
  readonly #runsMax: number;
  readonly #faults = new FaultPlan();
  #life: OperatorLife;
  #lives = 0;
  /** How often the operator had run when everything was last run twice. */
  #checkedRuns = -1;
  #closed: Promise<void> | undefined;

  constructor(app: HarnessApp, ground: Ground, runsMax: number) {
    this.#app = app;
    this.#ground = ground;
    this.#runsMax = runsMax;
    const { transport, namespace, log } = ground;
    const { clock } = ground.runtime(0);
    const seen: typeof transport = (request) => {
      this.#life.newMoment();
      return transport(request);
    };
    this.client = createClient({ transport: seen, clock, log, namespace, fieldManager: "test" });
    this.#life = this.#begin();
  }

  get life(): OperatorLife {
    return this.#life;
  }

  hands(): Omit<Harness, keyof HarnessVerbs> {
    const { namespace, log } = this.#ground;
    const close = (): Promise<void> => (this.#closed ??= this.close());
    return {
      client: this.client,
      namespace,
      log,
      settled: (options) => this.#settled(options),
      advance: (duration) => this.#advance(parseDuration(duration)),
      restart: () => this.#restart(),
      cutWatches: () => this.#life.traffic.cutWatches(),
      fault: (fault) => this.#faults.add(fault),
      crashAfter: (requests) => this.#crashAfter(requests),
      why: (kind, name, options) => this.#why(kind, name, options),
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  async close(): Promise<void> {
    const { pace, kind } = this.#ground;
    try {
      if (kind === "cluster" && this.#life.failure === undefined) await this.#deleteAll();
    } finally {
      void this.#life.stop();
      await pace.ended(this.#life);
      this.#life.traffic.end();
      await this.#ground.close();
    }
  }

  #begin(): OperatorLife {
    const { kind, namespace, transport, log, turn } = this.#ground;
    const runtime = this.#ground.runtime(++this.#lives);
    const tape = createTape({ clock: runtime.clock, log });
    const traffic = new Traffic({ runtime, server: transport, faults: this.#faults, turn });
    const isCluster = kind === "cluster";
    const place = {
      runtime,
      namespace,
      tape,
      permissions: isCluster ? ("check" as const) : ("off" as const),
      install: true as const,
      ...(isCluster ? { watchNamespaces: [namespace] } : {}),
    };
    return new OperatorLife({ app: this.#app, place, traffic, runsMax: this.#runsMax });
  }

  async #settled({ twice = true }: SettledOptions = {}): Promise<void> {
    const { pace } = this.#ground;
    this.#life.newMoment();
    await pace.settle(() => this.#life);
    if (!twice || this.#life.runs === this.#checkedRuns) return;
    const life = this.#life;
    const audit = new WriteAudit();
    life.newMoment();
    life.traffic.audit = audit;
    life.runAllAgain();
    try {
      await pace.settle(() => this.#life);
    } finally {
      life.traffic.audit = undefined;
    }
    if (audit.found.length > 0) throw unstableError(life, audit.found);
    this.#checkedRuns = life.runs;
  }

  async #advance(byMs: number): Promise<void> {
    this.#life.newMoment();
    await this.#ground.pace.advance(() => this.#life, byMs);
  }

  async #restart(): Promise<void> {
    const { pace } = this.#ground;
    void this.#life.stop();
    await pace.ended(this.#life);
    this.#anew();
    await pace.started(() => this.#life);
  }

  #crashAfter(requests: number): void {
    const life = this.#life;
    life.traffic.crashAfter(requests, () => {
      life.kill();
      this.#anew();
    });
  }

  #anew(): void {
    this.#life.traffic.end();
    this.#checkedRuns = -1;
    this.#life = this.#begin();
  }

  #why(kind: Kind, name: string, { namespace = this.#ground.namespace }: { readonly namespace?: string } = {}): string {
    const key = kind.scope === "Cluster" ? objectKey(name) : objectKey(name, namespace);
    const inspector = { inspect: (asked: typeof key) => this.#life.reportOf(asked) };
    return explain(why(this.#life.tape, { key, kind, inspector })).join("\n");
  }

  /** While the operator is there to clean up after its objects. */
  async #deleteAll(): Promise<void> {
    for (const kind of this.#life.kinds) {
      if (kind.scope === "Namespaced" && kind.verbs.includes("deletecollection"))
        await this.client.deleteCollection(kind as Kind<never, "Namespaced">, { propagationPolicy: "Background" });
    }
    await this.#ground.pace
      .settle(() => this.#life)
      .catch((error: unknown) => this.#ground.log.warn("what was made on the cluster could not all be cleaned up", { error }));
  }
}
