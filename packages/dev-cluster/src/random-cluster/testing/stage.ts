/**
 * A cluster whose processes can die: an API server that stays, with controllers in one process and scheduler, volumes
 * and kubelets in another, all in virtual time.
 */
import { createApiServer } from "@drover/apiserver";
import type { ApiServer, User } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createClient, impersonate, userAgent } from "@drover/client";
import type { Client, TransportWrapper } from "@drover/client";
import type { ManagerRuntime } from "@drover/controller";
import { createControllerManager } from "@drover/controller-manager";
import { controllerManagerUser, controllerUser, kubeletUser, schedulerUser } from "../../cluster-users.ts";
import { addKubelets, addScheduler, addVolumeBinder } from "../../index.ts";
import type { Kubelets } from "../../index.ts";
import type { Runtime, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { mistakeLog } from "./mistake-log.ts";
import type { MistakeLog } from "./mistake-log.ts";
import type { Plan, Victim } from "./plan.ts";
import { Process } from "./process-life.ts";
import type { Program } from "./process-life.ts";
import { RequestLog } from "./request-log.ts";
import { World } from "./world.ts";

interface NodeProgram extends Program {
  readonly kubelets: Kubelets;
}

/** The server and the user's client. */
interface StageRuntime extends Runtime {
  readonly clock: ManualClock;
  readonly log: MistakeLog;
}

/** Guarantees: a dead process is restarted as time passes, with the nodes that were running. */
export class Stage {
  readonly clock: ManualClock;
  readonly server: ApiServer;
  readonly log: RequestLog;
  readonly world = new World();
  /** The user of the plan. */
  readonly user: Client;
  readonly controllers: Process<Program>;
  readonly nodes: Process<NodeProgram>;
  /** Nodes that are on. */
  readonly #powered = new Set<string>();
  readonly #following = new AbortController();
  readonly #log: MistakeLog;
  #isNodesLive = false;

  /** Use {@link openStage}. `sabotage` wraps the requests of all processes. */
  constructor(
    server: ApiServer,
    runtime: StageRuntime,
    { seed, faults: rates }: Pick<Plan, "seed" | "faults">,
    sabotage: (next: Transport) => Transport,
  ) {
    this.clock = runtime.clock;
    this.#log = runtime.log;
    this.server = server;
    this.log = new RequestLog(this.clock);
    const { clock, log } = this;
    this.user = createClient({
      ...runtime,
      namespace: "default",
      transport: userAgent("user")(logged(server.handle, log)),
      onWarning: () => undefined,
    });
    const common = { clock, seed, rates, log, server: sabotage(server.handle) };
    this.controllers = new Process({
      ...common,
      name: "controllers",
      build: (transport, life) => ({
        controllers: createControllerManager({
          runtime: life,
          transport: acting(controllerManagerUser)(transport),
          credentials,
          ...settings,
        }),
      }),
    });
    this.nodes = new Process({ ...common, name: "nodes", build: nodeProgram });
    this.world.follow(server.store, clock, this.#following.signal).catch((error: unknown) => {
      if (!this.#following.signal.aborted) log.tell(`the world is no longer followed: ${String(error)}`);
    });
  }

  /** Our own bugs, from the logs of the server and of all processes. */
  get mistakes(): readonly string[] {
    return [...this.#log.mistakes, ...this.controllers.mistakes, ...this.nodes.mistakes];
  }

  processes(victim: Victim): readonly Process<Program>[] {
    return victim === "both" ? [this.controllers, this.nodes] : [this[victim]];
  }

  /** Lets time pass; processes that died meanwhile are restarted within some seconds. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left >= 0; left -= sliceMs) {
      await this.clock.advance(Math.min(left, sliceMs));
      await this.revive();
    }
  }

  /** Starts dead processes. */
  async revive(): Promise<void> {
    if (this.controllers.isDead) await this.#restart(this.controllers);
    if (this.nodes.isDead) {
      this.#isNodesLive = false;
      await this.#restart(this.nodes);
    }
    if (!this.#isNodesLive) await this.#raiseNodes();
  }

  /** Dead or not. */
  async restart(victim: Victim): Promise<void> {
    for (const process of this.processes(victim)) await this.#restart(process);
    if (victim !== "controllers") await this.#raiseNodes();
  }

  async powerOn(name: string): Promise<void> {
    this.#powered.add(name);
    await this.#raise(name);
  }

  powerOff(name: string): void {
    this.#powered.delete(name);
    const { kubelets } = this.nodes.program;
    if (kubelets.nodes.includes(name)) kubelets.stopNode(name);
  }

  /** Ends everything; timers that are left afterwards were leaked. */
  async close(): Promise<void> {
    await this.controllers.end();
    await this.nodes.end();
    this.#following.abort(new DOMException("the scene is over", "AbortError"));
    this.server.close();
    // A queue's metrics run once more, half a second after its last run.
    await this.clock.advance(500);
  }

  async #restart(process: Process<Program>): Promise<void> {
    await process.restart();
    await this.clock.advance(0);
  }

  async #raiseNodes(): Promise<void> {
    this.#isNodesLive = true;
    for (const name of this.#powered) await this.#raise(name);
  }

  /** A node that fails to register is started again with the others. */
  async #raise(name: string): Promise<void> {
    const index = Number(name.slice("node-".length));
    try {
      await this.nodes.program.kubelets.addNode({ name, podCidr: `10.244.${index}.0/24`, address: `172.18.0.${index + 1}` });
    } catch {
      this.#isNodesLive = false;
    }
  }
}

const sliceMs = 2000;
/** Without the audit nothing repairs a cache that has missed an event: it must be right by itself. */
const settings = { permissions: "off", informers: { audit: false } } as const;

/** The requests of all processes go through one faulty connection, so their users are impersonated. */
const acting = ({ name, groups }: User): TransportWrapper => impersonate({ user: name, groups: [...groups] });
const credentials = (account: string): TransportWrapper => acting(controllerUser(account));

function nodeProgram(transport: Transport, runtime: ManagerRuntime): NodeProgram {
  const controllers = createControllerManager({
    runtime,
    transport: acting(controllerManagerUser)(transport),
    ...settings,
    controllers: [],
    userAgent: "node-side",
  });
  const { manager, events } = controllers;
  addScheduler({ manager, events, credentials: acting(schedulerUser) });
  addVolumeBinder({ manager, credentials });
  return { controllers, kubelets: addKubelets({ manager, credentials: (node) => acting(kubeletUser(node)) }) };
}

function logged(next: Transport, log: RequestLog): Transport {
  return async (request) => {
    const record = log.begin(request, "user");
    const response = await next(request);
    if (record !== undefined) record.outcome = String(response.status);
    return response;
  };
}

/** Node calls it when no promise is pending: one such turn is as reliable as hundreds of turns of the microtask queue. */
const emptyQueue = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** Everything runs, and the nodes are ready. */
export async function openStage(plan: Plan, sabotage: (next: Transport) => Transport = (next) => next): Promise<Stage> {
  const runtime = { ...testRuntime({ seed: plan.seed, clock: new ManualClock({ turn: emptyQueue, quietTurns: 2 }) }), log: mistakeLog() };
  const server = await createApiServer({ runtime, host: nodeHost });
  const stage = new Stage(server, runtime, plan, sabotage);
  await stage.pass(100);
  for (let index = 1; index <= plan.nodes; index++) await stage.powerOn(`node-${index}`);
  await stage.pass(100);
  return stage;
}
