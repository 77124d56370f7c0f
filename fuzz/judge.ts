/** Runs one input and says what was wrong: an error, a changed prototype, or too much time. */
import { processorMs } from "./processor-time.ts";
import type { FuzzTarget } from "./target.ts";

export interface Failure {
  /** Equal for inputs that fail in the same way. */
  readonly signature: string;
  readonly text: string;
}

export interface Verdict {
  readonly failure: Failure | undefined;
  readonly milliseconds: number;
}

/**
 * No input may take longer. The machine may be busy and code not yet compiled, so a slow input gets more chances, in which only the
 * time of its own thread counts.
 */
const defaultLimitMs = 100;
const chances = 5;

export async function judge(target: FuzzTarget, input: Uint8Array, limitMs: number = target.limitMs ?? defaultLimitMs): Promise<Verdict> {
  const isSlow = ({ failure, milliseconds }: Verdict): boolean => failure === undefined && milliseconds > limitMs;
  let verdict = await once(target, input);
  for (let chance = 0; chance < chances && isSlow(verdict); chance++) verdict = faster(verdict, await once(target, input, processorMs));
  if (!isSlow(verdict)) return verdict;
  const text = `takes ${Math.round(verdict.milliseconds)} ms, more than ${limitMs}`;
  return { ...verdict, failure: { signature: "slow", text } };
}

const faster = (a: Verdict, b: Verdict): Verdict => (b.failure !== undefined || b.milliseconds < a.milliseconds ? b : a);

async function once(target: FuzzTarget, input: Uint8Array, nowMs = (): number => performance.now()): Promise<Verdict> {
  const began = nowMs();
  try {
    const running = target.run(input);
    // Awaiting only what is asynchronous keeps the others at full speed.
    if (running !== undefined) await running;
  } catch (error) {
    return { failure: failureOf(error), milliseconds: nowMs() - began };
  }
  const milliseconds = nowMs() - began;
  const polluted = changedPrototype();
  return { failure: polluted === undefined ? undefined : { signature: `changes ${polluted}`, text: `changes ${polluted}` }, milliseconds };
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { signature: "throws a value", text: `throws ${String(error)}, which is not an Error` };
  const place = /\((?:file:\/\/)?[^()]*\/(packages|fuzz)\/([^()]*)\)/.exec(error.stack ?? "");
  const name = error.name === "BrokenInvariant" ? (error.message.split(":")[0] ?? "") : `${error.name} at ${place?.[2] ?? "?"}`;
  return { signature: name, text: error.name === "BrokenInvariant" ? error.message : (error.stack ?? String(error)) };
}

const watched: readonly [string, object][] = [
  ["Object.prototype", Object.prototype],
  ["Array.prototype", Array.prototype],
  ["Function.prototype", Function.prototype],
  ["String.prototype", String.prototype],
  ["Map.prototype", Map.prototype],
];
const membersAtStart = watched.map(([, prototype]) => Reflect.ownKeys(prototype));

/** Names the prototype that has got another member; removes it, so that the next input is judged alone. */
function changedPrototype(): string | undefined {
  let changed: string | undefined;
  for (const [index, [name, prototype]] of watched.entries()) {
    const members = membersAtStart[index] ?? [];
    const now = Reflect.ownKeys(prototype);
    if (now.length === members.length) continue;
    changed = name;
    for (const member of now) if (!members.includes(member)) Reflect.deleteProperty(prototype, member);
  }
  return changed;
}
