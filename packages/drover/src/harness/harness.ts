/**
 * Tests an operator on an API server in this process, with virtual time, and one call that waits until it is idle.
 *
 *     await using t = await harness(app);
 *     await t.create(WebApp, { metadata: { name: "shop" }, spec: { image: "shop:1" } });
 *     await t.settled();
 *     expect(await t.get(Deployment, "shop")).toMatchObject({ spec: { replicas: 1 } });
 */
import {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { createTape, explain, why } from "@drover/controller";
import { checkOptions, isNotFound, objectKey, parseDuration } from "@drover/machinery";
import type { Kind, KubeObject, Transport } from "@drover/machinery";
import type { Resource } from "@drover/patterns";
import type { RecordingLog } from "@drover/machinery/testing";
import { checkConversions } from "../conversions/check-conversions.ts";
import { clusterGround } from "./cluster-ground.ts";
import { embeddedGround } from "./embedded-ground.ts";
import type { Ground } from "./ground.ts";
import type { HarnessApp } from "./harness-app.ts";
import { FaultPlan } from "./harness-fault.ts";
import type { HarnessFault } from "./harness-fault.ts";
import { harnessOptionNames } from "./harness-options.ts";
import type { HarnessOptions } from "./harness-options.ts";
import { harnessVerbs } from "./harness-verbs.ts";
import type { HarnessVerbs } from "./harness-verbs.ts";
import { laterDate } from "./later-date.ts";
import { isNotSettledError } from "./not-settled-error.ts";
import { OperatorLife } from "./operator-life.ts";
import { unstableError } from "./settle-report.ts";
import { Traffic } from "./traffic.ts";
import { WriteAudit } from "./write-audit.ts";

/** Options of `settled`. */
export interface SettledOptions {
  /** Whether to run every key once more when idle, which must write nothing. @default true */
  readonly twice?: boolean;
}

/**
 * A running operator and its server, controlled by a test.
 *
 * Guarantees: harnesses share nothing; on the embedded server the same seed gives the same run, as far as the
 * operator's code is deterministic.
 */
export interface Harness extends HarnessVerbs, AsyncDisposable {
  /** The test's client: an administrator with the field manager "test". */
  readonly client: Client;
  /** Namespace of objects that specify none. */
  readonly namespace: string;
  /** Log of the operator, across all lives. */
  readonly log: RecordingLog;
  /**
   * Resolves when the operator is idle: every cache is up to date, no key is ready or running, no request is open, and
   * no failed key waits for a retry. Time advances only as far as such retries need; a key that was requeued for later
   * does not count. Then every key runs once more, if any has run since the last check, and must not write; keys that
   * were requeued for later are requeued again.
   *
   * Rejects with a `NotSettledError` that names the keys and their last errors, the fields and controllers that
   * conflict, or the field that keeps changing.
   */
  settled(options?: SettledOptions): Promise<void>;
  /** Advances time, for example by "10m", and processes everything that becomes due, in order. Rejects on a real cluster. */
  advance(duration: string): Promise<void>;
  /** Stops the operator gracefully and starts it again on the same server, without its memory. */
  restart(): Promise<void>;
  /** Closes every watch of the operator. */
  cutWatches(): void;
  /** Injects a fault into the operator's next requests. */
  fault(fault: HarnessFault): void;
  /**
   * Kills the operator after this many more requests, before it receives the last answer, and starts it again. Its code
   * keeps running, but its requests no longer reach the server.
   */
  crashAfter(requests: number): void;
  /** Explains what the operator did for an object, and why. Covers the current life. */
  why(kind: Kind, name: string, options?: { readonly namespace?: string }): string;
  /** Stops the operator and the server; on a real cluster, deletes what was created. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Starts an operator; resolves when its CRDs are installed and its caches have synced. Rejects with the error that
 * prevents the start.
 */
export async function harness(app: HarnessApp, options: HarnessOptions = {}): Promise<Harness> {
  checkOptions("harness", options, harnessOptionNames);
  const { on, runsMax = 100, conversionRuns = 25, seed = 1 } = options;
  const cluster = on === "environment" ? clusterOfEnvironment() : on;
  const ground = cluster === undefined ? await embeddedGround(options) : await clusterGround(cluster, options);
  const made = new OperatorHarness(app, ground, runsMax);
  try {
    if (conversionRuns > 0) checkAllConversions(made.life.kinds, conversionRuns, seed);
    await ground.pace.started(() => made.life);
  } catch (error) {
    await made.close();
    // Report why the start failed, not that nothing settled.
    throw isNotSettledError(error) && error.reason === "ended" ? error.cause : error;
  }
  return { ...made.hands(), ...harnessVerbs(made.client) };
}

/** Conversions that lose something would also lose it in the cluster, and no other test of an operator notices. */
function checkAllConversions(kinds: readonly Kind[], runs: number, seed: number | string): void {
  const converted = kinds.filter((kind) => (kind as Partial<Resource>).needsConversion === true);
  for (const resource of converted) checkConversions(resource as Resource, { runs, seed });
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
  /** Number of runs at the last check. */
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
      if (kind === "cluster") await this.#deleteRegistrations();
      await this.#ground.close();
    }
  }

  /** Dead webhooks would refuse the writes of others. */
  async #deleteRegistrations(): Promise<void> {
    const { name, webhooks } = this.#life;
    if (name === undefined || webhooks === undefined) return;
    const { admission, policies } = webhooks;
    const kinds: readonly Kind<KubeObject, "Cluster">[] = [ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicy];
    const objects: readonly (readonly [Kind<KubeObject, "Cluster">, string])[] = [
      ...(admission.some(({ type }) => type === "mutating") ? [[MutatingWebhookConfiguration, name] as const] : []),
      ...(admission.some(({ type }) => type === "validating") ? [[ValidatingWebhookConfiguration, name] as const] : []),
      ...kinds.flatMap((kind) => policies.map((policy) => [kind, policy.name] as const)),
    ];
    for (const [kind, object] of objects) {
      await this.client.delete(kind, object).catch((error: unknown) => {
        if (!isNotFound(error)) this.#ground.log.warn("cannot delete a webhook registration on the cluster", { object, error });
      });
    }
  }

  #begin(): OperatorLife {
    const { kind, namespace, transport, log, turn, webhookCalls } = this.#ground;
    const runtime = this.#ground.runtime(++this.#lives);
    const tape = createTape({ clock: runtime.clock, log });
    const onWrite = (request: string): void => webhookCalls?.noteWrite(request);
    const traffic = new Traffic({ runtime, server: transport, faults: this.#faults, turn, onWrite });
    const isCluster = kind === "cluster";
    // Called when the life runs, so it exists.
    const answer = (handler: Transport): (() => void) =>
      webhookCalls?.answerFor({ isOver: () => traffic.isOver, webhooks: () => life.webhooks }, handler) ?? (() => undefined);
    const place = {
      runtime,
      namespace,
      tape,
      permissions: isCluster ? ("check" as const) : ("off" as const),
      install: true as const,
      evaluateAgain: laterDate,
      ...(isCluster ? { watchNamespaces: [namespace] } : {}),
      webhooks: webhookCalls === undefined ? (this.#ground.webhooks ?? false) : { url: webhookCalls.url, answer },
    };
    const life = new OperatorLife({ app: this.#app, place, traffic, runsMax: this.#runsMax });
    return life;
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

  /** Called while the operator still runs, so that it can clean up its objects. */
  async #deleteAll(): Promise<void> {
    for (const kind of this.#life.kinds) {
      if (kind.scope === "Namespaced" && kind.verbs.includes("deletecollection"))
        await this.client.deleteCollection(kind as Kind<never, "Namespaced">, { propagationPolicy: "Background" });
    }
    await this.#ground.pace
      .settle(() => this.#life)
      .catch((error: unknown) => this.#ground.log.warn("cannot clean up all objects on the cluster", { error }));
  }
}
