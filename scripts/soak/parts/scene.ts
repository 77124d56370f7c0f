/** What the server and the operator of a soak say to each other's parent. */

/** Namespaces of the watched ConfigMaps; each has a controller of its own. */
export const namespaces = ["soak-a", "soak-b", "soak-c"] as const;
/** Not watched: reconciles write here. */
export const marksNamespace = "soak-marks";
export const marksCount = 100;
/** One reconcile in this many sends a request. */
export const requestEvery = 16;

export interface OpenServer {
  /** Of each namespace. */
  readonly objects: number;
  /** Of each object, in characters as JSON. */
  readonly bytes: number;
  readonly host?: string;
}

export interface LoadOrder {
  readonly eventsPerSecond: number;
  readonly forMs: number;
  readonly seed: number;
}

export interface LoadReport {
  readonly events: number;
  readonly deletions: number;
  readonly elapsedMs: number;
}

/** Requests that the server received. */
export interface RequestReport {
  readonly total: number;
  readonly lists: number;
  /** Most requests within one second. */
  readonly peakPerSecond: number;
}

/** The newest revision of each object by namespace and number; 0 for one that does not exist. */
export type Revisions = Readonly<Record<string, Float64Array>>;

export interface OperatorSample {
  readonly heapMegabytes: number;
  /** What keeps the process alive, by kind: sockets, timers, handles. */
  readonly resources: Readonly<Record<string, number>>;
  readonly listeners: number;
  readonly reconciles: number;
}

export interface InformerPhase {
  readonly phase: string;
  readonly lists: number;
  readonly watches: number;
}

export interface LoopDelay {
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
  readonly samples: number;
}
