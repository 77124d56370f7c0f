/**
 * The load for replicas of the mirror controller (examples/mirror), and their progress.
 *
 *     MirrorLoad → ConfigMaps labelled mirror=yes → replicas → ConfigMaps "<name>-mirror" → mirrorsBehind
 */
import { ConfigMap } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import { isAlreadyExists, sleep } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

export interface MirrorLoadOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The prefix of names, followed by "-" and a number. */
  readonly prefix: string;
  /** Number of ConfigMaps. */
  readonly count: number;
  /** The pause between two changes. */
  readonly everyMs: number;
}

/** Number of ConfigMaps created at a time. */
const lanes = 16;

/** Creates ConfigMaps as fast as it can, then changes one after the other until it is stopped. */
export class MirrorLoad {
  readonly #options: MirrorLoadOptions;
  readonly #names: readonly string[];
  readonly #stop = new AbortController();
  readonly #over: Promise<void>;

  constructor(options: MirrorLoadOptions) {
    this.#options = options;
    this.#names = Array.from({ length: options.count }, (_, n) => `${options.prefix}-${n}`);
    this.#over = this.#run();
    // The caller of `stop` sees a failure.
    this.#over.catch(() => undefined);
  }

  /** Resolves with the names when all exist and the last change was answered. Rejects when a write failed for a minute. */
  async stop(): Promise<readonly string[]> {
    this.#stop.abort();
    await this.#over;
    return this.#names;
  }

  async #run(): Promise<void> {
    const { client, clock, everyMs } = this.#options;
    const left = this.#names.values();
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (const name of left)
          await this.#insist(() =>
            client.create(ConfigMap, { metadata: { name, labels: { mirror: "yes" } }, data: { step: "0" } }).catch(unlessThere),
          );
      }),
    );
    for (let step = 1; !this.#stop.signal.aborted; step++) {
      const name = this.#names[step % this.#names.length] ?? "";
      await this.#insist(() => client.patch(ConfigMap, name, { type: "merge", body: { data: { step: String(step) } } }));
      await sleep(clock, everyMs);
    }
  }

  /** The server may be unavailable for a while, so retry. */
  async #insist(write: () => Promise<unknown>): Promise<void> {
    const { clock } = this.#options;
    for (const deadline = clock.monotonic() + 60_000; ;) {
      try {
        await write();
        return;
      } catch (error) {
        if (clock.monotonic() > deadline) throw error;
        await sleep(clock, 100);
      }
    }
  }
}

/** It exists already when the answer to an earlier attempt was lost. */
function unlessThere(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}

/** The names that are not mirrored correctly: of all ConfigMaps with the label, and of those known to have been written. */
export async function mirrorsBehind(client: Client, written: readonly string[]): Promise<string[]> {
  const { items } = await client.list(ConfigMap);
  const byName = new Map(items.map((item) => [item.metadata.name, item]));
  const labelled = items.filter(({ metadata }) => metadata.labels?.["mirror"] === "yes").map(({ metadata: { name = "" } }) => name);
  const names = new Set([...labelled, ...written]);
  return [...names].filter((name) => {
    const [source, mirror] = [byName.get(name), byName.get(`${name}-mirror`)];
    return source === undefined || mirror === undefined || JSON.stringify(source.data) !== JSON.stringify(mirror.data);
  });
}
