/**
 * Plays a script to a server and to a program in one configuration, and returns what the program has seen.
 *
 *     Script + Stage + Configuration → playScript → Line[]
 */
import { createClient } from "@drover/client";
import type { Client, DynamicClient } from "@drover/client";
import { createRandom, encodeJson, isApiError, pick } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { MemorySnapshots } from "../../packages/cache/src/testing/memory-snapshots.ts";
import type { Configuration } from "./configuration.ts";
import { Program } from "./program.ts";
import type { SourceChange } from "./program.ts";
import type { Script, Step, Write } from "./random-script.ts";
import type { Line } from "./record.ts";
import { scriptKinds } from "./script-kinds.ts";
import type { ScriptKind } from "./script-kinds.ts";
import type { Stage } from "./stage.ts";

/** Attempts to catch up before the program counts as stuck; each of a call lets 100 ms pass, of sockets every fifth. */
const turnsMax = { calls: 600, sockets: 20_000 };

export async function playScript(
  script: Script,
  stage: Stage,
  configuration: Configuration,
  change?: SourceChange,
): Promise<readonly Line[]> {
  await stage.reset();
  const play = new Play(stage, configuration, script, change);
  try {
    for (const [index, step] of script.steps.entries()) await play.step(String(index), step);
    return play.lines;
  } finally {
    await play.end();
  }
}

class Play {
  readonly lines: Line[] = [];
  readonly #stage: Stage;
  readonly #configuration: Configuration;
  readonly #script: Script;
  readonly #change: SourceChange | undefined;
  readonly #client: Client;
  readonly #snapshots = new MemorySnapshots();
  #program: Program;

  constructor(stage: Stage, configuration: Configuration, script: Script, change: SourceChange | undefined) {
    this.#stage = stage;
    this.#configuration = configuration;
    this.#script = script;
    this.#change = change;
    const { clock, log } = stage.runtime();
    this.#client = createClient({
      transport: stage.transport,
      clock,
      log,
      namespace: "default",
      fieldManager: "script",
      onWarning: () => undefined,
    });
    this.#program = this.#start();
  }

  async step(at: string, step: Step): Promise<void> {
    const stage = this.#stage;
    stage.tick();
    switch (step.type) {
      case "writes":
        await this.#write(at, step.writes);
        break;
      case "gap":
        stage.cut(step.ending);
        await this.#write(at, step.writes);
        if (step.compacts) await stage.compact();
        stage.connect();
        break;
      case "restart":
        if (step.ending === "kill") this.#snapshots.capacity = 0;
        await this.#program.end(() => this.#pass());
        this.#snapshots.capacity = Infinity;
        await this.#write(at, step.writes);
        if (step.compacts) await stage.compact();
        this.#program = this.#start();
        break;
      case "ask":
        await this.#ask(at, step);
        break;
      case "look":
        this.lines.push(...this.#program.look(at, step.kind, step.name, step.selector));
        break;
      default:
        step satisfies never;
    }
    await this.#caughtUp(at);
    this.lines.push(...this.#program.seen(at), ...this.#program.views(at));
  }

  async end(): Promise<void> {
    this.#stage.connect();
    await this.#program.end(() => this.#pass());
  }

  #start(): Program {
    return new Program(this.#stage, this.#configuration, {
      watchList: this.#script.watchList,
      snapshots: this.#snapshots,
      change: this.#change,
    });
  }

  /** Lets a little time pass. Sockets need real time, in which the program must not run into its deadlines. */
  async #pass(): Promise<void> {
    await this.#stage.turn();
    if (!this.#stage.isCalling) await this.#stage.clock.advance(100);
  }

  async #caughtUp(at: string): Promise<void> {
    const stage = this.#stage;
    let [truth, revision] = [await this.#truth(), stage.revision];
    for (let turn = 0; turn < turnsMax[stage.hasSockets ? "sockets" : "calls"]; turn++) {
      await stage.turn();
      if (stage.revision !== revision) [truth, revision] = [await this.#truth(), stage.revision];
      if (this.#program.hasSeen(truth)) {
        await stage.turn();
        if (stage.revision === revision && this.#program.hasSeen(truth)) return;
      } else if (!stage.isCalling && turn % (stage.hasSockets ? 5 : 1) === 0) await stage.clock.advance(100);
    }
    throw new Error(`${this.#configuration.name}, step ${at}: the program does not catch up with the server`);
  }

  async #truth(): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
    const all = new Map<string, ReadonlyMap<string, string>>();
    for (const [name, { prefix }] of Object.entries(scriptKinds)) all.set(name, await this.#stage.truth(`${prefix}default/`));
    return all;
  }

  async #write(at: string, writes: readonly Write[]): Promise<void> {
    for (const write of writes) await this.#note(`${at} ${write.verb} ${write.kind} ${write.name}`, writeObject(this.#client, write));
  }

  async #ask(
    at: string,
    { kind, name, selector }: { readonly kind: string; readonly name: string; readonly selector: string },
  ): Promise<void> {
    const client = clientOf(this.#client, kindOf(kind));
    await this.#note(`${at} get ${kind} ${name}`, client.get(name));
    await this.#note(`${at} list ${kind} ${selector}`, client.list({ labelSelector: selector }));
  }

  /** Records the answer of a call, or its refusal. */
  async #note(what: string, call: Promise<unknown>): Promise<void> {
    try {
      const answer = await call;
      this.lines.push({ what, objects: [encodeJson(answer)] });
    } catch (error) {
      if (!isApiError(error)) throw error;
      this.lines.push({ what: `${what} was refused`, objects: [encodeJson(error.status ?? null)] });
    }
  }
}

function kindOf(name: string): ScriptKind {
  const kind = scriptKinds[name];
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}

const clientOf = (client: Client, { kind }: ScriptKind): DynamicClient => client.dynamic(kind);

/** Writes as a user would: updates change what the server has. */
async function writeObject(client: Client, { verb, kind: kindName, name, seed }: Write): Promise<unknown> {
  const kind = kindOf(kindName);
  const random = createRandom(seed);
  const calls = clientOf(client, kind);
  const labels = { app: pick(random, ["web", "db"]), tier: pick(random, ["x", "y", "z"]), gadget: pick(random, ["a", "b"]) };
  const { group, version } = kind.kind;
  const body = {
    apiVersion: group === "" ? version : `${group}/${version}`,
    kind: kindName,
    metadata: { name, namespace: "default", labels, annotations: { note: pick(random, ["", "é", "x".repeat(100)]) } },
    ...kind.spec(random),
  };
  switch (verb) {
    case "create":
      return calls.create(body);
    case "invalid":
      return calls.create({ ...body, metadata: { ...body.metadata, name: "Not_A_Name" } });
    case "update":
    case "stale update": {
      const current = (await calls.get(name)) as unknown as JsonObject;
      const metadata = { ...(current["metadata"] as JsonObject), labels, ...(verb === "update" ? {} : { resourceVersion: "1" }) };
      return calls.update({ ...current, ...kind.spec(random), metadata });
    }
    case "merge":
      return calls.patch(name, { type: "merge", body: { metadata: { labels: { app: pick(random, ["web", null]) } } } });
    case "json":
      return calls.patch(name, { type: "json", body: [{ op: "add", path: "/metadata/labels/tier", value: pick(random, ["x", "y"]) }] });
    case "apply":
      return calls.apply(body, { force: random.next() < 0.5, fieldManager: pick(random, ["one", "two"]) });
    case "status":
      return kind.hasStatus
        ? calls.patch(name, { type: "merge", body: { status: kind.status(random) } }, { subresource: "status" })
        : calls.patch(name, { type: "merge", body: kind.spec(random) });
    case "hold":
      return calls.patch(name, { type: "merge", body: { metadata: { finalizers: pick(random, [["example.com/hold"], null]) } } });
    case "delete":
      return calls.delete(name, { gracePeriodSeconds: 0 });
    default:
      return verb satisfies never;
  }
}
