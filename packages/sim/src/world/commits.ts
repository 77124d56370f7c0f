/** Every write that the server carried out, and who asked for it. */
import type { Store, StoreEvent } from "@drover/apiserver";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import type { Life } from "./life.ts";

export interface Commit extends StoreEvent {
  /** Who asked for it; undefined for the scene, the server and controllers of the cluster. */
  readonly by: Life | undefined;
  readonly atMs: number;
  /** "PATCH /api/v1/…", without the query; undefined if the server wrote by itself. */
  readonly request: Pick<HttpRequest, "method" | "path"> | undefined;
}

/** Guarantees: has every write since `follow`, in order. */
export class Commits {
  readonly all: Commit[] = [];
  readonly #store: Store;
  readonly #elapsedMs: () => number;
  readonly #onCommit: (commit: Commit) => void;
  readonly #stop = new AbortController();
  #by: Life | undefined;
  #request: Pick<HttpRequest, "method" | "path"> | undefined;
  #baseRevision = 0;

  /** @param onCommit - called in the task of the write */
  constructor(store: Store, elapsedMs: () => number, onCommit: (commit: Commit) => void) {
    this.#store = store;
    this.#elapsedMs = elapsedMs;
    this.#onCommit = onCommit;
  }

  /** Revision before the first of these writes. */
  get baseRevision(): number {
    return this.#baseRevision;
  }

  async follow(): Promise<void> {
    this.#baseRevision = await this.#store.revision();
    const watch = this.#store.watch("", { from: this.#baseRevision + 1, signal: this.#stop.signal });
    void (async () => {
      for await (const { events } of watch)
        for (const event of events) {
          const commit: Commit = { ...event, by: this.#by, atMs: this.#elapsedMs(), request: this.#request };
          this.all.push(commit);
          this.#onCommit(commit);
        }
    })().catch(() => undefined);
  }

  /** Attributes what is written until the end of this task to a life. */
  async serve(life: Life | undefined, request: HttpRequest, server: Transport): Promise<HttpResponse> {
    const { method, path } = request;
    const mark = path.indexOf("?");
    this.#by = life;
    this.#request = { method, path: mark === -1 ? path : path.slice(0, mark) };
    return await server(request);
  }

  stop(): void {
    this.#stop.abort();
  }
}
