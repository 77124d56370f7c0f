/** Who wrote what at the server, and how it went: the story that is told of a scene that ends badly. */
import type { Clock, HttpRequest } from "@drover/machinery";

export interface WriteRecord {
  readonly atMs: number;
  /** "controllers 2: kube-controller-manager/deployment-controller": which life of which process, and who in it. */
  readonly who: string;
  readonly method: string;
  readonly path: string;
  /** The code of the answer, or what happened instead. */
  outcome: string;
}

/** Guarantees: writes are kept in the order in which they were sent. Heartbeats and events are beside the point, and not kept. */
export class RequestLog {
  readonly #clock: Clock;
  readonly #beganMs: number;
  readonly #records: WriteRecord[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#beganMs = clock.now();
  }

  /** A record to write the outcome into; undefined for reads and for what is beside the point. */
  begin({ method, path, headers }: HttpRequest, process: string): WriteRecord | undefined {
    if (method === "GET" || isBesideThePoint(path)) return undefined;
    const agent = headers["user-agent"];
    const record: WriteRecord = {
      atMs: this.#clock.now() - this.#beganMs,
      who: typeof agent === "string" ? `${process}: ${agent}` : process,
      method,
      path,
      outcome: "no answer",
    };
    this.#records.push(record);
    return record;
  }

  /** A line that is no request: a step of the plan, a death. */
  tell(what: string): void {
    this.#records.push({ atMs: this.#clock.now() - this.#beganMs, who: "scene", method: what, path: "", outcome: "" });
  }

  get records(): readonly WriteRecord[] {
    return this.#records;
  }
}

/** The last of them, one line each. */
export function printRecords(records: readonly WriteRecord[], max: number): string {
  return records
    .slice(-max)
    .map(({ atMs, who, method, path, outcome }) => `${(atMs / 1000).toFixed(3)} s  ${who}: ${method} ${path} ${outcome}`)
    .join("\n");
}

/** Nobody acts on events, and heartbeats never end. */
export function isBesideThePoint(path: string): boolean {
  return path.includes("/events") || path.includes("/leases");
}
