/**
 * One watch, as a scripted API serves it: a selection of commits as lines, bookmarks, an end in time, and whatever goes wrong.
 *
 *     Commit → selected → line → (faults) → ScriptedStream
 */
import { TransportError } from "@drover/client";
import { ScriptedStream } from "@drover/client/testing";
import { encodeJson, encodeWatchEvent, initialEventsEndAnnotation } from "@drover/machinery";
import type { Clock, HttpResponse, Random, WatchEventType } from "@drover/machinery";
import type { ScriptedChances } from "./scripted-chances.ts";
import { atVersion } from "./scripted-history.ts";
import type { Commit, ScriptedObject } from "./scripted-history.ts";

export interface ScriptedWatchOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly chances: () => ScriptedChances;
  readonly matches: (object: ScriptedObject) => boolean;
  readonly apiVersion: string;
  readonly kind: string;
  /** Where it stands: the commits after this revision are for it. */
  readonly revision: number;
  /** @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Guarantees: lines leave in order; once it is over nothing more is sent and no timer is left. */
export class ScriptedWatch {
  readonly #stream = new ScriptedStream();
  readonly #options: ScriptedWatchOptions;
  readonly #timers = new Set<() => void>();
  #outbox: string[] | undefined;
  #isOpen = true;
  #isDead = false;
  #revision: number;

  constructor(options: ScriptedWatchOptions) {
    this.#options = options;
    this.#revision = options.revision;
    options.signal?.addEventListener("abort", () => this.#over(), { once: true });
  }

  get response(): HttpResponse {
    return this.#stream.response;
  }

  /** Whether the client still has it open, as far as the server knows. */
  get isOpen(): boolean {
    return this.#isOpen && this.#options.signal?.aborted !== true;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Ends it in good order after a while. */
  endAfter(delayMs: number): void {
    this.#timer(delayMs, () => this.close());
  }

  /** A bookmark at the revision that `current` gives, again and again; none while the client is ahead of that. */
  bookmarkEvery(periodMs: number, current: () => number): void {
    this.#timer(periodMs, () => {
      if (current() >= this.#revision) this.bookmark(String(current()));
      this.bookmarkEvery(periodMs, current);
    });
  }

  /** Sends what a commit means for this watch; a change of labels may make an object appear or vanish. */
  deliver(commit: Commit): void {
    if (commit.revision <= this.#revision) return;
    this.#revision = commit.revision;
    this.replay(commit);
  }

  /** Goes on behind a revision without a word of what came before it. */
  skipTo(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
  }

  /** Sends a commit, whether it is its turn or not. */
  replay({ type, object, before, revision }: Commit): void {
    const was = before !== undefined && this.#options.matches(before);
    const is = type !== "DELETED" && this.#options.matches(object);
    if (is) this.send(was ? "MODIFIED" : "ADDED", object);
    else if (was) this.send("DELETED", type === "DELETED" ? object : atVersion(before, String(revision)));
  }

  bookmark(resourceVersion: string, { endsInitialEvents = false }: { readonly endsInitialEvents?: boolean } = {}): void {
    const annotations = endsInitialEvents ? { annotations: { [initialEventsEndAnnotation]: "true" } } : {};
    this.send("BOOKMARK", { metadata: { resourceVersion, ...annotations } });
  }

  send(type: WatchEventType, object: object): void {
    const { apiVersion, kind } = this.#options;
    this.#line(encodeWatchEvent(type, encodeJson({ apiVersion, kind, ...object })));
  }

  /** Bytes as they are, whatever they say. */
  raw(chunk: string | Uint8Array): void {
    if (this.isOpen && !this.#isDead) this.#stream.push(chunk);
  }

  /** The server closes in good order. */
  close(): void {
    if (!this.isOpen || this.#isDead) return;
    this.#stream.end();
    this.#over();
  }

  /** The connection breaks. */
  cut(): void {
    if (!this.isOpen || this.#isDead) return;
    this.#stream.fail(new TransportError("the server reset the connection", { reason: "reset", sent: "maybe" }));
    this.#over();
  }

  /** From now on nothing comes, and nobody is told. */
  halfOpen(): void {
    this.#isDead = true;
  }

  #line(line: string): void {
    if (!this.isOpen || this.#isDead) return;
    if (this.#outbox !== undefined) this.#outbox.push(line);
    else this.#write(line);
  }

  #write(line: string): void {
    const { cut = 0, duplicate = 0, delay = 0, halfOpen = 0, junk = 0, close = 0 } = this.#options.chances();
    if (this.#happens(cut)) {
      const bytes = new TextEncoder().encode(line);
      this.raw(bytes.subarray(0, this.#options.random.int(bytes.length)));
      return this.cut();
    }
    if (this.#happens(halfOpen)) return this.halfOpen();
    if (this.#happens(close)) return this.close();
    if (this.#happens(delay)) return this.#hold(line, 1 + this.#options.random.int(10_000));
    if (this.#happens(junk)) this.raw("\u0000 no event\n");
    this.raw(line);
    if (this.#happens(duplicate)) this.raw(line);
  }

  #hold(line: string, delayMs: number): void {
    this.#outbox = [line];
    this.#timer(delayMs, () => {
      const held = this.#outbox ?? [];
      this.#outbox = undefined;
      for (const [index, next] of held.entries()) {
        if (index === 0) this.raw(next);
        else this.#line(next);
      }
    });
  }

  #happens(chance: number): boolean {
    return chance > 0 && this.#options.random.next() < chance;
  }

  #timer(delayMs: number, callback: () => void): void {
    if (!this.isOpen) return;
    const cancel = this.#options.clock.timer(delayMs, () => {
      this.#timers.delete(cancel);
      if (this.isOpen) callback();
    });
    this.#timers.add(cancel);
  }

  #over(): void {
    this.#isOpen = false;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }
}
