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
  let loading: Promise<Applying> | undefined;
  return () => (loading ??= load());
}

async function load(): Promise<Applying> {
  const [applied, run, remembered] = await Promise.all([
    import("../apply/apply.ts"),
    import("../apply/apply-run.ts"),
    import("../apply/apply-memory.ts"),
  ]);
  return { apply: applied.apply, runApply: run.runApply, memory: remembered.createApplyMemory() };
}
