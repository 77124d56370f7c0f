/** Who wrote what at the server, and with which result: printed for a scene that fails. */
import type { Clock, HttpRequest } from "@drover/machinery";

export interface WriteRecord {
  readonly atMs: number;
  /** "controllers 2: kube-controller-manager/deployment-controller": life, process and controller. */
  readonly who: string;
  readonly method: string;
  readonly path: string;
  /** The code of the answer, or what happened instead. */
  outcome: string;
}

/** Guarantees: writes are kept in the order of sending. Heartbeats and Events are left out. */
export class RequestLog {
  readonly #clock: Clock;
  readonly #beganMs: number;
  readonly #records: WriteRecord[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#beganMs = clock.now();
  }

  /** A record for the result; undefined for reads, heartbeats and Events. */
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

  /** A line that is not a request: a step of the plan, a death. */
  tell(what: string): void {
    this.#records.push({ atMs: this.#clock.now() - this.#beganMs, who: "scene", method: what, path: "", outcome: "" });
  }

  get records(): readonly WriteRecord[] {
    return this.#records;
  }
}

/** The last records, one line each. */
export function printRecords(records: readonly WriteRecord[], max: number): string {
  return records
    .slice(-max)
    .map(({ atMs, who, method, path, outcome }) => `${(atMs / 1000).toFixed(3)} s  ${who}: ${method} ${path} ${outcome}`)
    .join("\n");
}

/** No controller reads Events, and heartbeats never end. */
export function isBesideThePoint(path: string): boolean {
  return path.includes("/events") || path.includes("/leases");
}
