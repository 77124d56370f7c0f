/** Readiness of caches: each informer that somebody holds has its first list, runs, and hears from the server. */
import type { Cluster, InformerState } from "@drover/cache";

export interface InformersCheckOptions {
  /** Asked anew each time. */
  readonly clusters: () => Iterable<Pick<Cluster, "name" | "informers">>;
  /** How long an informer may hear nothing from the server; bookmarks come every minute, so silence means a watch that is dead. */
  readonly silenceMs: number;
}

/** Throws an error that names every informer that is not well, and says what is wrong with it. */
export function checkInformers({ clusters, silenceMs }: InformersCheckOptions): void {
  const problems = [...clusters()].flatMap(({ name, informers }) =>
    informers.state().flatMap((state) => {
      const problem = problemOf(state, silenceMs);
      return problem === undefined ? [] : [`${name === "" ? "" : `${name}: `}${state.name} ${problem}`];
    }),
  );
  if (problems.length > 0) throw new Error(problems.join("; "));
}

function problemOf({ hasSynced, reflector: { phase, lagMs, lastError } }: InformerState, silenceMs: number): string | undefined {
  if (phase === "stopped") return "has stopped";
  if (!hasSynced)
    return `has not synced${lastError === undefined ? "" : `: ${lastError.error instanceof Error ? lastError.error.message : String(lastError.error)}`}`;
  if (lagMs !== undefined && lagMs > silenceMs) return `has heard nothing from the server for ${Math.round(lagMs)} ms`;
  return undefined;
}
