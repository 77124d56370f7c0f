/** Readiness of caches: every informer in use has synced, runs, and has heard from the server recently. */
import { errorText } from "@drover/machinery";
import type { Cluster, InformerState } from "@drover/cache";

export interface InformersCheckOptions {
  /** Called on every check. */
  readonly clusters: () => Iterable<Pick<Cluster, "name" | "informers">>;
  /** Maximum silence of the server, in milliseconds. Bookmarks arrive every minute, so longer silence means a dead watch. */
  readonly silenceMs: number;
}

/** Throws an error that names every unhealthy informer and its problem. */
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
  if (!hasSynced) return `has not synced${lastError === undefined ? "" : `: ${errorText(lastError.error)}`}`;
  if (lagMs !== undefined && lagMs > silenceMs) return `has heard nothing from the server for ${Math.round(lagMs)} ms`;
  return undefined;
}
