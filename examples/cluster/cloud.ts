/** The API of a cloud, as the operator needs it, and an implementation in memory whose delays a test controls. */

/** A cluster in the cloud. */
export interface Machines {
  readonly id: string;
  readonly state: "creating" | "ready" | "deleting";
  /** Empty until the state is ready. */
  readonly endpoint: string;
}

export interface Cloud {
  /** Requests machines under a token, or returns the state of those already requested under it. */
  ensure(
    token: string,
    wanted: { readonly region: string; readonly nodes: number },
    options: { readonly signal: AbortSignal },
  ): Promise<Machines>;
  /** Releases the machines of a token and returns their state; undefined when they are gone. */
  remove(token: string, options: { readonly signal: AbortSignal }): Promise<Machines | undefined>;
}

export interface MemoryCloud extends Cloud {
  /** Finishes every pending request. */
  finish(): void;
  /** All clusters and their states. */
  machines(): readonly string[];
  /** Fails this many of the next calls. */
  fail(calls: number): void;
}

export function memoryCloud(): MemoryCloud {
  const made = new Map<string, Machines>();
  let failures = 0;
  const called = (signal: AbortSignal): void => {
    signal.throwIfAborted();
    if (failures === 0) return;
    failures--;
    throw new Error("503 from the cloud: try again later");
  };
  return {
    ensure: async (token, { region }, { signal }) => {
      called(signal);
      const known = made.get(token) ?? { id: `${region}-${made.size + 1}`, state: "creating", endpoint: "" };
      made.set(token, known);
      return known;
    },
    remove: async (token, { signal }) => {
      called(signal);
      const known = made.get(token);
      if (known === undefined) return undefined;
      const going: Machines = { ...known, state: "deleting" };
      made.set(token, going);
      return going;
    },
    finish: () => {
      for (const [token, machines] of made) {
        if (machines.state === "deleting") made.delete(token);
        else made.set(token, { ...machines, state: "ready", endpoint: `https://${machines.id}.example.com` });
      }
    },
    machines: () => [...made.values()].map(({ id, state }) => `${id} ${state}`),
    fail: (calls) => {
      failures = calls;
    },
  };
}
