/**
 * Where snapshots of caches are kept between two runs of a program, and the options of keeping them.
 *
 *     informer → SnapshotWriter → SnapshotStore → SnapshotReader → informer of the next process
 *
 * `drover` has a store for a folder. A store need not understand or verify the bytes: the informer does.
 */

/** Keeps snapshots by name. Names have letters, digits, "-" and "." only, and at most 200 characters. */
export interface SnapshotStore {
  /** Opens the last committed snapshot of a name; undefined if there is none. */
  read(name: string, call: { readonly signal: AbortSignal }): Promise<SnapshotReader | undefined>;
  /** Starts a new snapshot of a name. It replaces the old one with its commit, atomically; writers of several processes may overlap. */
  write(name: string, call: { readonly signal: AbortSignal }): Promise<SnapshotWriter>;
}

/** Reads one snapshot from its start. */
export interface SnapshotReader {
  /** Returns the next bytes, in memory of their own; fewer than `length` only at the end. */
  read(length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Writes one snapshot. */
export interface SnapshotWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** Makes the snapshot durable and visible to readers. */
  commit(): Promise<void>;
  /** Drops the snapshot; the old one stays. */
  discard(): Promise<void>;
}

/** Options of keeping snapshots of caches. */
export interface SnapshotOptions {
  /** Where to keep them: `snapshotFolder` of `drover`, or your own. */
  readonly store: SnapshotStore;
  /**
   * Identifies the server where the uid of its namespace kube-system cannot be read. A snapshot of another server is not used.
   * @default "", and with `connect` the URL and the certificate authority
   */
  readonly server?: string;
  /**
   * Resources that are not kept: "secrets", "deployments.apps". A snapshot contains objects as the server sent them.
   * @default ["secrets"]
   */
  readonly exclude?: readonly string[];
  /** Milliseconds between two snapshots of a cache that changes; each is up to a tenth longer, at random. @default 300000, five minutes */
  readonly intervalMs?: number;
  /** Maximum size of one snapshot in bytes; a larger cache is not kept. @default 2 GiB */
  readonly bytesMax?: number;
  /** Maximum rate of writing in bytes per second, except when the informer stops. @default 64 MiB */
  readonly bytesPerSecond?: number;
  /** How long an informer that stops may take for its last snapshot, in milliseconds; 0 for none. @default 5000 */
  readonly stopMs?: number;
}
