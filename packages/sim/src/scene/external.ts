/**
 * A system outside the cluster that a controller calls: DNS, a cloud, a database. It takes time, fails, loses answers, and outlives the
 * processes that call it.
 *
 *     external("dns", { state, methods }) → an object with the methods, as promises
 */
import type { Life } from "../world/life.ts";

/** What happens to one call. */
export type ExternalFault = "none" | "fails" | "lost" | "slow" | "crash-before" | "crash-after";

/** Choices of a call; 0 is none. */
export const externalFaults: readonly ExternalFault[] = ["fails", "lost", "slow", "crash-before", "crash-after"];

/** The state of the system and what it does. `S` must be something that JSON can express, a Map or a Set. */
export interface ExternalOptions<S, M extends Methods<S>> {
  /** Returns the state at the start of a schedule. */
  readonly state: () => S;
  /** What a call does to the state. It happens at once, when the call arrives. Throw to refuse. */
  readonly methods: M;
  /** What counts as held, for leaks: what remains here and not after a run without faults is a leak. @default the whole state */
  readonly held?: (state: S) => readonly string[];
}

export type Methods<S> = Readonly<Record<string, (state: S, ...args: never[]) => unknown>>;

/** The system as a controller sees it. */
export type External<S, M extends Methods<S>> = {
  readonly [K in keyof M]: M[K] extends (state: S, ...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;
} & { readonly state: S };

/** How a call travels. */
export interface ExternalCarrier {
  /** The process that calls; undefined for the scene. */
  readonly caller: () => Life | undefined;
  readonly fault: (call: string) => ExternalFault;
  readonly after: (ms: number, life: Life | undefined, run: () => void) => void;
  readonly crash: (life: Life) => void;
  readonly note: (life: Life | undefined, text: string) => void;
}

const callMs = 5;
const slowMs = 20_000;

/** Thrown into a controller when a call to an external system fails. */
export class ExternalError extends Error {
  override readonly name = "ExternalError";
}

/** Creates the system for one schedule. */
export function createExternal<S, M extends Methods<S>>(
  name: string,
  { state: initial, methods }: ExternalOptions<S, M>,
  carrier: ExternalCarrier,
): External<S, M> {
  const state = initial();
  const calls = Object.fromEntries(
    Object.entries(methods).map(([method, serve]) => [
      method,
      (...args: never[]) => call({ name: `${name}.${method}`, serve: () => serve(state, ...args), carrier }),
    ]),
  );
  return { ...calls, state } as unknown as External<S, M>;
}

function call({
  name,
  serve,
  carrier,
}: {
  readonly name: string;
  readonly serve: () => unknown;
  readonly carrier: ExternalCarrier;
}): Promise<unknown> {
  const life = carrier.caller();
  if (life?.isDead === true) return new Promise(() => undefined);
  const fault = carrier.fault(name);
  if (fault !== "none") carrier.note(life, `calls ${name}: ${fault}`);
  return new Promise((resolve, reject) => {
    if (fault === "crash-before" && life !== undefined) return carrier.crash(life);
    carrier.after(callMs, undefined, () => {
      if (fault === "fails") return carrier.after(callMs, life, () => reject(new ExternalError(`${name}: unavailable`)));
      let outcome: { readonly value: unknown } | { readonly error: unknown };
      try {
        outcome = { value: serve() };
      } catch (error) {
        outcome = { error };
      }
      if (fault === "crash-after" && life !== undefined) return carrier.crash(life);
      carrier.after(fault === "slow" ? slowMs : callMs, life, () => {
        if (fault === "lost") reject(new ExternalError(`${name}: connection reset`));
        else if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.value);
      });
    });
  });
}
