/** Reads a log: the lines so far and, with `follow`, new ones until the container ends. */
import type { Pod } from "@drover/api/core/v1";
import type { PodLogOptions } from "@drover/apiserver";
import { definedOnly, sleep } from "@drover/machinery";
import type { Clock, DeepReadonly } from "@drover/machinery";
import type { PodConduct } from "./pod-conduct.ts";
import { logOf, printLine, selectedLines } from "./pod-log.ts";

export interface ReadLogOptions extends PodLogOptions {
  readonly clock: Clock;
  /** Returns the current pod; undefined when the pod or its kubelet is gone. */
  readonly podOf: () => DeepReadonly<Pod> | undefined;
  readonly conductOf: (pod: DeepReadonly<Pod>) => PodConduct;
  readonly signal?: AbortSignal;
}

/** How often a followed log is polled, in milliseconds. */
const lookMs = 250;

/** Returns the log, or why it is not available; undefined without the pod. */
export function readLog(container: string, options: ReadLogOptions): AsyncIterable<string> | { readonly refusal: string } | undefined {
  const look = (): ReturnType<typeof logOf> | undefined => {
    const pod = options.podOf();
    return pod === undefined ? undefined : logOf(pod, container, options, { now: options.clock.now(), conduct: options.conductOf(pod) });
  };
  const log = look();
  if (log === undefined || "refusal" in log) return log;
  const lines = following(log, look, options);
  return options.limitBytes === undefined ? lines : limited(lines, options.limitBytes);
}

async function* following(
  first: Extract<ReturnType<typeof logOf>, { readonly run: string }>,
  look: () => ReturnType<typeof logOf> | undefined,
  options: ReadLogOptions,
): AsyncIterable<string> {
  yield* selectedLines(first.lines, options);
  let {
    lines: { length: count },
    isOver,
  } = first;
  let lastAt = first.lines.at(-1)?.at ?? -Infinity;
  while (options.follow && !isOver && options.signal?.aborted !== true) {
    await sleep(options.clock, lookMs, definedOnly({ signal: options.signal })).catch(() => undefined);
    const log = look();
    if (log === undefined || "refusal" in log) return;
    // The container restarted between two polls: this run is no longer the current one.
    if (log.run !== first.run) return;
    const isRotated = log.lines.length <= count;
    for (const line of isRotated ? log.lines.filter(({ at }) => at > lastAt) : log.lines.slice(count))
      yield printLine(line, options.timestamps);
    [count, isOver, lastAt] = [log.lines.length, log.isOver, log.lines.at(-1)?.at ?? lastAt];
  }
}

async function* limited(lines: AsyncIterable<string>, bytesMax: number): AsyncIterable<string> {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  let left = bytesMax;
  for await (const line of lines) {
    const bytes = encoder.encode(line);
    yield bytes.length <= left ? line : decoder.decode(bytes.subarray(0, left));
    left -= bytes.length;
    if (left <= 0) return;
  }
}
