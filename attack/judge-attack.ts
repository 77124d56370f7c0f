/** Carries out one attack and says which limits were broken. */
import { setTimeout as pause } from "node:timers/promises";
import type { Arena } from "./arena.ts";
import { defaultLimits } from "./attack.ts";
import type { Attack } from "./attack.ts";
import { Canary } from "./canary.ts";

export interface Verdict {
  readonly name: string;
  readonly seconds: number;
  readonly silentMs: number;
  readonly busyMs: number;
  readonly megabytes: number;
  /** What went wrong; empty if the victims survived within the limits. */
  readonly problems: readonly string[];
}

/** Victims, attacker and the programs of others share few processors: a silence may last so many times the processor time. */
const patience = 5;

export async function judgeAttack(arena: Arena, { name, act, limits = {} }: Attack): Promise<Verdict> {
  const { seconds, silentMs, megabytes } = { ...defaultLimits, ...limits };
  const problems: string[] = [];
  const canary = new Canary(arena.target, arena.server.pid);
  const began = performance.now();
  const over = new AbortController();
  await Promise.race([
    act(arena).catch((error: unknown) => void problems.push(error instanceof Error ? error.message : String(error))),
    pause(seconds * 1000, undefined, { signal: over.signal }).then(
      () => void problems.push(`not over after ${seconds} s`),
      () => undefined,
    ),
  ]);
  over.abort();
  const took = (performance.now() - began) / 1000;
  // What the attack left behind must not block later either.
  await pause(100);
  const { silentMs: silent, busyMs: busy, failure } = canary;
  await canary.stop();
  if (failure !== undefined) problems.push(failure);
  if (busy > silentMs) problems.push(`silent for ${Math.round(busy)} ms of processor time, at most ${silentMs}`);
  else if (silent > silentMs * patience) problems.push(`silent for ${Math.round(silent)} ms, at most ${silentMs * patience}`);
  for (const victim of arena.victims) {
    if (victim.ended !== undefined) problems.push(victim.ended);
    else if (victim.megabytes > megabytes) problems.push(`${victim.name} has ${Math.round(victim.megabytes)} MB, at most ${megabytes}`);
  }
  const used = Math.max(...arena.victims.map((victim) => victim.megabytes));
  return { name, seconds: took, silentMs: silent, busyMs: busy, megabytes: used, problems };
}
