/**
 * What happened in a schedule, in order: for its hash, its checks, and the story of a failure.
 */
import { budget } from "@drover/machinery";
import type { HttpRequest, HttpResponse, RequestInfo } from "@drover/machinery";
import { hash32 } from "../plan/decisions.ts";
import type { Fault } from "../plan/fault.ts";
import type { Life } from "./life.ts";

/** A request of a process and what became of it. */
export interface RequestEntry {
  readonly kind: "request";
  readonly atMs: number;
  readonly life: Life;
  readonly info: RequestInfo;
  /** Name of the decision about its fault. */
  readonly id: string;
  readonly fault: Fault;
  readonly body: HttpRequest["body"];
  /** Status code or error; undefined while it is open, and if the process died before the answer came. */
  outcome: number | Error | undefined;
}

/** An event of a watch that reached a process. */
export interface EventEntry {
  readonly kind: "event";
  readonly atMs: number;
  readonly life: Life;
  readonly info: RequestInfo;
  /** Name of the decision about its delay. */
  readonly id: string;
  readonly piece: string | Uint8Array;
}

/** Anything else, as a sentence. */
export interface NoteEntry {
  readonly kind: "note";
  readonly atMs: number;
  readonly life: Life | undefined;
  readonly text: string;
}

export type TraceEntry = RequestEntry | EventEntry | NoteEntry;

const entriesMax = budget({
  name: "sim/trace-entries",
  limit: 50_000,
  unit: "items",
  atLimit: "later entries count in the hash of a schedule, and are missing in its story",
  uncounted: "A schedule of a scene has some hundred; one that does not end is reported as such.",
});

/** Guarantees: two runs with equal hashes did the same, in the same order, at the same virtual times. */
export class Trace {
  readonly entries: TraceEntry[] = [];
  readonly #elapsedMs: () => number;
  #low = 0x811c9dc5;
  #high = 0x9e3779b9;

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** Of everything so far: 16 hexadecimal digits. */
  get hash(): string {
    return hex(this.#high) + hex(this.#low);
  }

  /** Records a request; call the returned function with what became of it. */
  request({
    life,
    request,
    info,
    id,
    fault,
  }: Pick<RequestEntry, "life" | "info" | "id" | "fault"> & { readonly request: HttpRequest }): (outcome: HttpResponse | Error) => void {
    const entry: RequestEntry = { kind: "request", atMs: this.#elapsedMs(), life, info, id, fault, body: request.body, outcome: undefined };
    this.#mix(`${id} ${fault} ${typeof request.body === "string" ? request.body.length : 0}`);
    this.#add(entry);
    return (outcome) => {
      entry.outcome = outcome instanceof Error ? outcome : outcome.status;
      this.#mix(`${id} ${outcome instanceof Error ? outcome.message : outcome.status}`);
    };
  }

  event({ life, info, id, piece }: Pick<EventEntry, "life" | "info" | "id" | "piece">): void {
    this.#mix(`${id} ${piece.length}`);
    this.#add({ kind: "event", atMs: this.#elapsedMs(), life, info, id, piece });
  }

  note(life: Life | undefined, text: string): void {
    this.#mix(text);
    this.#add({ kind: "note", atMs: this.#elapsedMs(), life, text });
  }

  #add(entry: TraceEntry): void {
    if (this.entries.length < entriesMax.limit) this.entries.push(entry);
  }

  #mix(text: string): void {
    const line = `${this.#elapsedMs()} ${text}`;
    this.#low = hash32(line, this.#low);
    this.#high = hash32(line, this.#high ^ 0x5bd1e995);
  }
}

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, "0");
