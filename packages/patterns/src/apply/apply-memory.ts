/**
 * What one apply learns and the next one needs: how the server stores what we sent, which changes it rejects, which
 * kinds a set has.
 *
 *     apply → ApplyMemory → apply;   lost with the process, then learned again at one request per object
 */
import { compareResourceVersions } from "@drover/machinery";
import type { Kind } from "@drover/machinery";
import { kindShape } from "./kind-shape.ts";
import type { KindShape } from "./kind-shape.ts";

/** How the server stored the fields of one object. */
export interface Rendering {
  /** Hash of the applied object. */
  readonly hash: string;
  /** Values that the server stored differently from what we sent, as JSON by path; "" where it stored nothing. */
  readonly values: ReadonlyMap<string, string>;
}

/** The inventory of a set as last written. */
export interface KnownInventory {
  readonly text: string;
  readonly resourceVersion: string;
  /** Monotonic time of the write. */
  readonly atMs: number;
}

/**
 * How long a cache may lag behind a write, in milliseconds. After that the cache is right: the server was restored from a backup, and the
 * write is lost.
 */
const lagMaxMs = 60_000;

/** Options of an `ApplyMemory`. */
export interface ApplyMemoryOptions {
  /** Maximum number of objects to remember; evicts the least recently used. @default 10000 */
  readonly objectsMax?: number;
}

/** Bounded memory for the lifetime of a program. All sets of a process can share one. */
export class ApplyMemory {
  readonly #objectsMax: number;
  readonly #renderings = new Map<string, Rendering>();
  readonly #refusals = new Map<string, string>();
  readonly #inventories = new Map<string, KnownInventory>();
  readonly #shapes = new WeakMap<Kind, KindShape>();

  constructor({ objectsMax = 10_000 }: ApplyMemoryOptions = {}) {
    this.#objectsMax = objectsMax;
  }

  /** Returns the cached shape of the kind. */
  shape(kind: Kind): KindShape {
    const known = this.#shapes.get(kind);
    if (known !== undefined) return known;
    const shape = kindShape(kind);
    this.#shapes.set(kind, shape);
    return shape;
  }

  rendering(uid: string, hash: string): Rendering | undefined {
    const known = touch(this.#renderings, uid);
    return known?.hash === hash ? known : undefined;
  }

  /** Stores nothing for an object whose fields came back as they were sent. */
  remember(uid: string, rendering: Rendering): void {
    if (rendering.values.size === 0) this.#renderings.delete(uid);
    else put(this.#renderings, uid, rendering, this.#objectsMax);
  }

  /** Reports whether the server rejected this change (the hash of the desired object, and what differs) to this version of the object. */
  wasRefused(uid: string, hash: string, resourceVersion: string, differences: string): boolean {
    return touch(this.#refusals, uid) === `${hash} ${resourceVersion} ${differences}`;
  }

  rememberRefusal(uid: string, hash: string, resourceVersion: string, differences: string): void {
    put(this.#refusals, uid, `${hash} ${resourceVersion} ${differences}`, this.#objectsMax);
  }

  /** Returns the inventory written after `resourceVersion`; undefined if that version already contains it. @param nowMs - monotonic */
  inventory(key: string, resourceVersion: string, nowMs: number): string | undefined {
    const known = touch(this.#inventories, key);
    if (known === undefined || nowMs - known.atMs > lagMaxMs) return undefined;
    const order = compareResourceVersions(known.resourceVersion, resourceVersion);
    return order === undefined || order > 0 ? known.text : undefined;
  }

  rememberInventory(key: string, inventory: KnownInventory): void {
    put(this.#inventories, key, inventory, this.#objectsMax);
  }
}

/** Creates a memory. Keep it for the lifetime of the program. */
export const createApplyMemory = (options: ApplyMemoryOptions = {}): ApplyMemory => new ApplyMemory(options);

// A Map iterates in insertion order, so reinserting an entry makes it the most recently used.
function touch<T>(map: Map<string, T>, key: string): T | undefined {
  const value = map.get(key);
  if (value === undefined) return undefined;
  map.delete(key);
  map.set(key, value);
  return value;
}

function put<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}
