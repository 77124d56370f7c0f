/**
 * A cluster and an operator on it, each a process with a small heap, for the attacks of one class.
 *
 *     openArena → drover up, operator.mjs → Arena → ask, tell, herd … → close
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask, tell } from "./exchange.ts";
import type { Answer, Question, Target } from "./exchange.ts";
import { Victim } from "./victim.ts";
import type { VictimOptions } from "./victim.ts";

const root = join(import.meta.dirname, "..");
const command = join(root, "packages", "cli", "dist", "bin", "drover.js");
const warmUps = 200;
const sheepPath = "/apis/attack.drover.dev/v1/namespaces/default/sheep";

/** What attacks work with. */
export class Arena {
  readonly server: Victim;
  readonly operator: Victim;
  readonly target: Target;
  readonly #folder: string;
  readonly #agent: Agent;

  constructor(parts: { readonly server: Victim; readonly operator: Victim; readonly target: Target; readonly folder: string }) {
    this.server = parts.server;
    this.operator = parts.operator;
    this.target = parts.target;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 100 });
    this.#folder = parts.folder;
  }

  ask(question: Question): Promise<Answer> {
    return ask({ ...this.target, agent: this.#agent }, question);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.ask({ path, headers });
  }

  post(path: string, body: string | Uint8Array | object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.ask({ method: "POST", path, body, headers });
  }

  /** Raw bytes over TLS; returns what came back. */
  tell(bytes: string | Uint8Array, waitMs?: number): Promise<string> {
    return tell(this.target, bytes, waitMs);
  }

  /** Creates or replaces a Sheep, the kind of the operator. */
  async sheep(name: string, spec: Readonly<Record<string, unknown>>): Promise<Answer> {
    return await this.ask({
      method: "PATCH",
      path: `${sheepPath}/${name}?fieldManager=attacker&force=true`,
      headers: { "content-type": "application/apply-patch+yaml" },
      body: { apiVersion: "attack.drover.dev/v1", kind: "Sheep", metadata: { name }, spec },
    });
  }

  /** Resolves when the operator has written this text to the status of a Sheep; rejects after `seconds`. */
  async fed(name: string, text: string, seconds: number = 20): Promise<void> {
    const until = performance.now() + seconds * 1000;
    for (;;) {
      const { status, text: body } = await this.get(`${sheepPath}/${name}`);
      if (status === 200 && (JSON.parse(body) as { status?: { text?: string } }).status?.text === text) return;
      if (performance.now() > until)
        throw new Error(`the operator did not reconcile ${name} in ${seconds} s; it printed: ${this.operator.words.slice(-400)}`);
      await pause(50);
    }
  }

  get victims(): readonly Victim[] {
    return [this.server, this.operator];
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    for (const victim of this.victims) await victim.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Starts both victims and waits until the operator has reconciled an object. */
export async function openArena(): Promise<Arena> {
  const folder = mkdtempSync(join(tmpdir(), "drover-attack-"));
  const { server, target, kubeconfig } = await startServer(folder, { heapMegabytes: 256 });
  const operator = new Victim({
    name: "the operator",
    args: [join(import.meta.dirname, "operator.mjs")],
    env: { KUBECONFIG: kubeconfig },
    heapMegabytes: 96,
  });
  const arena = new Arena({ server, operator, target, folder });
  await ready("the CRD of the operator", operator, async () => ((await arena.get(sheepPath)).status === 200 ? true : undefined));
  await arena.sheep("canary", { text: "start" });
  await arena.fed("canary", "start");
  // The first requests of a process run uncompiled code, several times slower: what is measured is a server in use.
  for (let round = 0; round < warmUps; round++) await arena.sheep("canary", { text: `warm-up ${round}` });
  await arena.fed("canary", `warm-up ${warmUps - 1}`);
  return arena;
}

/** Starts `drover up` with its kubeconfig in a folder and waits until it is ready. */
export async function startServer(
  folder: string,
  options: Pick<VictimOptions, "heapMegabytes" | "nodeArgs" | "env">,
): Promise<{ readonly server: Victim; readonly target: Target; readonly kubeconfig: string }> {
  const kubeconfig = join(folder, "kubeconfig");
  const server = new Victim({
    name: "drover up",
    args: [command, "up", "--quiet", "--instant", "--nodes", "2", "--kubeconfig", kubeconfig],
    ...options,
  });
  const target = await ready("drover up", server, () => readTarget(kubeconfig));
  await ready("the API server", server, async () => ((await ask(target, { path: "/readyz" })).status === 200 ? true : undefined));
  return { server, target, kubeconfig };
}

async function ready<T>(what: string, victim: Victim, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 30_000;
  for (;;) {
    if (victim.ended !== undefined) throw new Error(victim.ended);
    const found = await Promise.resolve()
      .then(look)
      .catch(() => undefined);
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`${what} is not ready after 30 s; it printed: ${victim.words.slice(-400)}`);
    await pause(50);
  }
}

/** Reads address and credentials from the kubeconfig that `drover up` writes. */
function readTarget(kubeconfig: string): Target {
  const text = readFileSync(kubeconfig, "utf8");
  const [, host = "", port = ""] = /server: https:\/\/([^:\s]+):(\d+)/.exec(text) ?? [];
  const pem = (name: string): string => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(text)?.[1] ?? "", "base64").toString("utf8");
  const target = {
    host,
    port: Number(port),
    ca: pem("certificate-authority-data"),
    cert: pem("client-certificate-data"),
    key: pem("client-key-data"),
  };
  if (target.ca === "" || target.key === "") throw new Error("the kubeconfig is not complete yet");
  return target;
}
