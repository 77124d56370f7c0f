/** A source that requests what a test tells it to. */
import type { ObjectKey } from "@drover/machinery";
import type { Source, SourceRequest, SourceSink } from "../../sources/source.ts";

/** The source with its controls, which apply to all of its runs at once. */
export interface HandSource extends Source {
  /** Number of starts. */
  readonly starts: number;
  /** Number of active runs. */
  readonly running: number;
  request(key: string, request?: Partial<SourceRequest>): void;
  synced(): void;
  waitingFor(why: string | (() => string | undefined)): void;
  /** Rejects, like a source that cannot continue. */
  fail(error: unknown): void;
}

/** @param options - `synced`: whether it has synced at its start; `deaf`: whether it ignores its signal */
export function handSource(
  name = "by hand",
  { synced = true, deaf = false }: { readonly synced?: boolean; readonly deaf?: boolean } = {},
): HandSource {
  const lives = new Set<{ readonly sink: SourceSink; readonly reject: (error: unknown) => void }>();
  let starts = 0;
  const each = (work: (sink: SourceSink) => void): void => {
    for (const { sink } of lives) work(sink);
  };
  return {
    name,
    get starts() {
      return starts;
    },
    get running() {
      return lives.size;
    },
    request: (key, request = {}) =>
      each((sink) => sink.request(key as ObjectKey, { cause: { type: "external", source: name }, ...request })),
    synced: () => each((sink) => sink.synced()),
    waitingFor: (why) => each((sink) => sink.waitingFor(why)),
    fail: (error) => {
      for (const { reject } of lives) reject(error);
    },
    run: async (sink, signal) => {
      starts++;
      let life;
      try {
        await new Promise<void>((resolve, reject) => {
          life = { sink, reject };
          lives.add(life);
          if (synced) sink.synced();
          if (!deaf) signal.addEventListener("abort", () => resolve(), { once: true });
        });
      } finally {
        if (life !== undefined) lives.delete(life);
      }
    },
  };
}
