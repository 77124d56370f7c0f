/**
 * Loads what applies the objects of an operator when the first object needs it: with the schemas of the built-in kinds, it
 * is a fifth of `import "drover"`.
 *
 *     loadApplying() → apply, ApplyMemory
 */
import type { apply } from "../apply/apply.ts";
import type { runApply } from "../apply/apply-run.ts";
import type { ApplyMemory } from "../apply/apply-memory.ts";

/** The functions that apply, and what they remember between calls. */
export interface Applying {
  readonly apply: typeof apply;
  /** With `isDryRun`, sends dry runs only. */
  readonly runApply: typeof runApply;
  readonly memory: ApplyMemory;
}

/** Returns a function that loads the code once. All its callers share one memory. */
export function loadApplying(): () => Promise<Applying> {
  return once(async () => {
    const [applied, run, remembered] = await code();
    return { apply: applied.apply, runApply: run.runApply, memory: remembered.createApplyMemory() };
  });
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => (loading ??= load());
}

/** The modules. Only the first import of a process takes real time, which a simulation cannot control. */
const code = once(() => Promise.all([import("../apply/apply.ts"), import("../apply/apply-run.ts"), import("../apply/apply-memory.ts")]));
