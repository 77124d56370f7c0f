/**
 * A random script: what happens to a server and to a program that watches it. It is data, so that every configuration plays the same.
 *
 *     seed → randomScript → Script → playScript
 *
 * A window is what happens between two moments at which the program has caught up. The controller of the program writes when a Gadget
 * changes, so a window has at most one write of a Gadget, and nothing beside it while the program runs: the order of all writes, and with
 * it every resource version, is then the same in every configuration.
 */
import { createRandom, pick } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { scriptKinds } from "./script-kinds.ts";

export interface Write {
  readonly verb: "create" | "update" | "stale update" | "merge" | "json" | "apply" | "status" | "hold" | "delete" | "invalid";
  readonly kind: string;
  readonly name: string;
  /** Of the body. */
  readonly seed: number;
}

export type Step =
  | { readonly type: "writes"; readonly writes: readonly Write[] }
  /** The program loses its watches and reconnects only after the writes; with `compacts` it gets a 410. */
  | { readonly type: "gap"; readonly writes: readonly Write[]; readonly compacts: boolean; readonly ending: "end" | "error" }
  /** The program ends, with or without the time to keep a last snapshot, and starts again after the writes. */
  | { readonly type: "restart"; readonly writes: readonly Write[]; readonly compacts: boolean; readonly ending: "stop" | "kill" }
  /** Calls of the client. */
  | { readonly type: "ask"; readonly kind: string; readonly name: string; readonly selector: string }
  /** Reads of the caches. */
  | { readonly type: "look"; readonly kind: string; readonly name: string; readonly selector: string };

export interface Script {
  /** Whether informers ask for the current state as a stream or in pages of one object. */
  readonly watchList: boolean;
  readonly steps: readonly Step[];
}

const kinds = Object.keys(scriptKinds);
const plain = kinds.filter((kind) => scriptKinds[kind]?.isControlled === false);
const names = ["a", "b", "c"] as const;
const selectors = ["", "app=web", "app!=web", "tier in (x,y)", "!app"] as const;
const verbs: readonly Write["verb"][] = [
  ...(["create", "create", "create", "create", "create", "update", "update", "update", "merge", "merge", "apply", "apply"] as const),
  ...(["status", "status", "json", "stale update", "hold", "delete", "delete", "invalid"] as const),
];

export function randomScript(seed: number | string): Script {
  const random = createRandom(seed);
  const watchList = random.next() < 0.7;
  const steps: Step[] = [{ type: "writes", writes: writesWhileRunning(random) }];
  const length = 4 + random.int(5);
  while (steps.length < length) steps.push(randomStep(random));
  return { watchList, steps };
}

function randomStep(random: Random): Step {
  const roll = random.next();
  if (roll < 0.5) return { type: "writes", writes: writesWhileRunning(random) };
  if (roll < 0.65)
    return { type: "gap", writes: writesWhileAway(random), compacts: random.next() < 0.4, ending: pick(random, ["end", "error"]) };
  if (roll < 0.8)
    return {
      type: "restart",
      writes: writesWhileAway(random),
      compacts: random.next() < 0.2,
      ending: pick(random, ["stop", "stop", "kill"]),
    };
  return { type: roll < 0.87 ? "ask" : "look", kind: pick(random, kinds), name: pick(random, names), selector: pick(random, selectors) };
}

function writesWhileRunning(random: Random): readonly Write[] {
  const first = randomWrite(random, kinds);
  if (scriptKinds[first.kind]?.isControlled === true) return [first];
  return [first, ...Array.from({ length: random.int(3) }, () => randomWrite(random, plain))];
}

function writesWhileAway(random: Random): readonly Write[] {
  const writes = Array.from({ length: random.int(4) }, () => randomWrite(random, plain));
  return random.next() < 0.5 ? writes : [...writes, randomWrite(random, ["Gadget"])];
}

const randomWrite = (random: Random, among: readonly string[]): Write => ({
  verb: pick(random, verbs),
  kind: pick(random, among),
  name: pick(random, names),
  seed: random.int(2 ** 31),
});
