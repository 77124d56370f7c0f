/**
 * What one apply learns and the next one needs: how the server writes what we wrote, what it refuses, which kinds a set has.
 *
 *     apply → ApplyMemory → apply;   lost with the process, and then learnt again at one request for each object
 */
import { compareResourceVersions } from "@drover/machinery";
import type { Kind } from "@drover/machinery";
import { kindShape } from "./kind-shape.ts";
import type { KindShape } from "./kind-shape.ts";

/** What became of our fields at the server, for one object. */
export interface Rendering {
  /** The hash of what was applied. */
  readonly hash: string;
  /** What the server has where it has something else than we wanted, by path, as JSON; "" where it has nothing. */
  readonly values: ReadonlyMap<string, string>;
}

/** What a set's inventory was when we last wrote it. */
export interface KnownInventory {
  readonly text: string;
  readonly resourceVersion: string;
}

export interface ApplyMemoryOptions {
  /** How many objects are remembered; those that were not asked for the longest are forgotten first. @default 10000 */
  readonly objectsMax?: number;
}

/** Bounded; belongs to the program and not to one apply. May be shared by all sets of a process. */
export class ApplyMemory {
  readonly #objectsMax: number;
  readonly #renderings = new Map<string, Rendering>();
  readonly #refusals = new Map<string, string>();
  readonly #inventories = new Map<string, KnownInventory>();
  readonly #shapes = new WeakMap<Kind, KindShape>();

  constructor({ objectsMax = 10_000 }: ApplyMemoryOptions = {}) {
    this.#objectsMax = objectsMax;
  }

  /** The same one each time. */
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

  /** An object whose fields came back as they were sent needs no place. */
  remember(uid: string, rendering: Rendering): void {
    if (rendering.values.size === 0) this.#renderings.delete(uid);
    else put(this.#renderings, uid, rendering, this.#objectsMax);
  }

  /** Whether the server has refused to change this very state of the object to what has this hash. */
  wasRefused(uid: string, hash: string, resourceVersion: string): boolean {
    return touch(this.#refusals, uid) === `${hash} ${resourceVersion}`;
  }

  rememberRefusal(uid: string, hash: string, resourceVersion: string): void {
    put(this.#refusals, uid, `${hash} ${resourceVersion}`, this.#objectsMax);
  }

  /** What was written after `resourceVersion`; undefined when that version has it already. */
  inventory(key: string, resourceVersion: string): string | undefined {
    const known = touch(this.#inventories, key);
    if (known === undefined) return undefined;
    const order = compareResourceVersions(known.resourceVersion, resourceVersion);
    return order === undefined || order > 0 ? known.text : undefined;
  }

  rememberInventory(key: string, inventory: KnownInventory): void {
    put(this.#inventories, key, inventory, this.#objectsMax);
  }
}

/** A memory for the life of a program. */
export const createApplyMemory = (options: ApplyMemoryOptions = {}): ApplyMemory => new ApplyMemory(options);

// A map keeps the order of insertion, so what is put in anew is the youngest.
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
