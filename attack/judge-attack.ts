/** Carries out one attack and says which limits were broken. */
import { setTimeout as pause } from "node:timers/promises";
import type { Arena } from "./arena.ts";
import { defaultLimits } from "./attack.ts";
import type { Attack } from "./attack.ts";
import { Canary } from "./canary.ts";
import { slowness } from "./yardstick.ts";

export interface Verdict {
  readonly name: string;
  readonly seconds: number;
  readonly silentMs: number;
  readonly busyMs: number;
  readonly megabytes: number;
  /** How many times longer than on the machine of the limits everything took; the limits of time were longer by this. */
  readonly slowness: number;
  /** What went wrong; empty if the victims survived within the limits. */
  readonly problems: readonly string[];
  /** Whether only time was exceeded, which other programs and machines can cause too. */
  readonly isOnlyLate: boolean;
}

/** Victims, attacker and the programs of others share few processors: a silence may last so many times the processor time. */
const patience = 5;

export async function judgeAttack(arena: Arena, { name, act, limits = {} }: Attack): Promise<Verdict> {
  const { seconds, silentMs, megabytes } = { ...defaultLimits, ...limits };
  const [problems, late]: [string[], string[]] = [[], []];
  const before = slowness();
  const canary = new Canary(arena.target, arena.server.pid);
  const began = performance.now();
  const over = new AbortController();
  await Promise.race([
    act(arena).catch((error: unknown) => void problems.push(error instanceof Error ? error.message : String(error))),
    pastLimit(seconds * 1000, before, over.signal).then(
      (allowedMs) => void late.push(`not over after ${Math.round(allowedMs / 1000)} s`),
      () => undefined,
    ),
  ]);
  over.abort();
  const took = (performance.now() - began) / 1000;
  // What the attack left behind must not block later either.
  await pause(100);
  const { silentMs: silent, busyMs: busy, failure } = canary;
  await canary.stop();
  const slow = Math.max(before, slowness());
  if (failure !== undefined) problems.push(failure);
  const busyMax = Math.round(silentMs * slow);
  if (busy > busyMax) late.push(`silent for ${Math.round(busy)} ms of processor time, at most ${busyMax}`);
  else if (silent > busyMax * patience) late.push(`silent for ${Math.round(silent)} ms, at most ${busyMax * patience}`);
  for (const victim of arena.victims) {
    if (victim.ended !== undefined) problems.push(victim.ended);
    else if (victim.megabytes > megabytes) problems.push(`${victim.name} has ${Math.round(victim.megabytes)} MB, at most ${megabytes}`);
  }
  const used = Math.max(...arena.victims.map((victim) => victim.megabytes));
  return {
    name,
    seconds: took,
    silentMs: silent,
    busyMs: busy,
    megabytes: used,
    slowness: slow,
    problems: [...late, ...problems],
    isOnlyLate: late.length > 0 && problems.length === 0,
  };
}

/** Resolves with the time allowed when it has passed: the limit, longer by the slowness before it or, when that is over, then. */
async function pastLimit(limitMs: number, slow: number, signal: AbortSignal): Promise<number> {
  const allowedMs = limitMs * slow;
  await pause(allowedMs, undefined, { signal });
  const restMs = limitMs * slowness() - allowedMs;
  if (restMs > 0) await pause(restMs, undefined, { signal });
  return allowedMs + Math.max(0, restMs);
}
