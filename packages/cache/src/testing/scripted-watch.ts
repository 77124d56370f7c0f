/**
 * One watch of a scripted API: selected commits as lines, bookmarks, a timeout, and faults.
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
  /** Revision after which it receives commits. */
  readonly revision: number;
  /** @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Guarantees: lines are sent in order; after the end nothing is sent and no timer is left. */
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

  /** Whether the client has it open, as far as the server knows. */
  get isOpen(): boolean {
    return this.#isOpen && this.#options.signal?.aborted !== true;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Closes it normally after a while. */
  endAfter(delayMs: number): void {
    this.#timer(delayMs, () => this.close());
  }

  /** Sends a bookmark at the revision of `current` periodically, unless the client is ahead of it. */
  bookmarkEvery(periodMs: number, current: () => number): void {
    this.#timer(periodMs, () => {
      if (current() >= this.#revision) this.bookmark(String(current()));
      this.bookmarkEvery(periodMs, current);
    });
  }

  /** Sends one bookmark after a delay. */
  bookmarkOnce(delayMs: number, current: () => number): void {
    this.#timer(delayMs, () => {
      if (current() >= this.#revision) this.bookmark(String(current()));
    });
  }

  /** Sends the event of a commit for this watch; a change of labels may add or remove an object. */
  deliver(commit: Commit): void {
    if (commit.revision <= this.#revision) return;
    this.#revision = commit.revision;
    this.replay(commit);
  }

  /** Skips all commits up to a revision. */
  skipTo(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
  }

  /** Sends a commit without checking the order. */
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

  /** Sends bytes unchanged. */
  raw(chunk: string | Uint8Array): void {
    if (this.isOpen && !this.#isDead) this.#stream.push(chunk);
  }

  /** Closes the watch normally. */
  close(): void {
    if (!this.isOpen || this.#isDead) return;
    this.#stream.end();
    this.#over();
  }

  /** Breaks the connection. */
  cut(): void {
    if (!this.isOpen || this.#isDead) return;
    this.#stream.fail(new TransportError("the server reset the connection", { reason: "reset", sent: "maybe" }));
    this.#over();
  }

  /** Makes the connection half-open: nothing is sent, and neither side is notified. */
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
