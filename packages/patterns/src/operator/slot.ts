/**
 * The slots of a controller, and the types derived from them: existing objects (`owned`) and desired ones (`desired`).
 *
 *     owns: { deployment: Deployment, pods: many(Pod) } → Owned, Desired
 */
import type { DeepReadonly, Kind, KubeObject, ObjectMeta, ObjectOf } from "@drover/machinery";
import type { DesiredObject } from "../apply/apply-set.ts";
import type { Hold } from "./hold.ts";

/** Options of one slot that override those of the set. */
export type SlotOptions<T extends KubeObject = KubeObject> = Pick<DesiredObject<T>, "isReady" | "onImmutable">;

/** A slot with a count and options. */
export interface Slot<T extends KubeObject = KubeObject, Count extends "one" | "many" = "one" | "many"> {
  readonly count: Count;
  readonly of: Kind<T>;
  /** The options of `one` or `many`; `of` has the object type. */
  readonly options: SlotOptions<never>;
}

/**
 * Declares a slot for one object with options: `job: one(Job, { onImmutable: "recreate" })`. A bare kind is the same
 * without options.
 */
export function one<T extends KubeObject>(kind: Kind<T>, options: SlotOptions<NoInfer<T>> = {}): Slot<T, "one"> {
  return { count: "one", of: kind, options };
}

/** Declares a slot for any number of objects, identified by name: `pods: many(Pod)`. */
export function many<T extends KubeObject>(kind: Kind<T>, options: SlotOptions<NoInfer<T>> = {}): Slot<T, "many"> {
  return { count: "many", of: kind, options };
}

/** A slot whose object is created once and then left alone; see `once`. */
export interface OnceSlot<T extends KubeObject = KubeObject> extends Slot<T, "one"> {
  /** Called only while there is no object. The context is that of `once`. */
  make(this: void, context: never): DesiredChild<T> | Hold | undefined;
}

/** Owned kinds by slot name. */
export type Owns = Readonly<Record<string, Kind | Slot>>;

/** A controller that owns nothing. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- an object without slots is intended
export type OwnsNothing = Readonly<Record<never, never>>;

/** Object type of a slot. */
export type SlotObject<D> = D extends Slot<infer T> ? T : ObjectOf<D>;

/** Names of `many` slots. */
type ManySlots<O extends Owns> = { [S in keyof O]: O[S] extends Slot<KubeObject, "many"> ? S : never }[keyof O];

/** Names of `once` slots. */
type OnceSlots<O extends Owns> = { [S in keyof O]: O[S] extends OnceSlot ? S : never }[keyof O];

/** A cached object: read-only and always with a name. */
export type Cached<T extends KubeObject> = DeepReadonly<T> & { readonly metadata: { readonly name: string } };

/** Existing objects: one or none per slot, a list for `many` slots. */
export type Owned<O extends Owns> = { readonly [S in Exclude<keyof O, ManySlots<O>>]?: Cached<SlotObject<O[S]>> } & {
  readonly [S in ManySlots<O>]: readonly Cached<SlotObject<O[S]>>[];
};

/** Any part of a value; `undefined` fields are treated as absent. */
type Part<T> = T extends string | number | bigint | boolean | symbol | null | undefined
  ? T
  : T extends readonly (infer E)[]
    ? readonly Part<E>[]
    : T extends object
      ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
      : T;

/**
 * A desired object: a name, and the fields that the operator manages. Without a namespace it is in the owner's;
 * `undefined` fields are absent.
 */
export type DesiredChild<T extends KubeObject> = Part<Omit<T, "metadata">> & { readonly metadata: Part<ObjectMeta> };

/** The result of `desired`: a value for every slot but those of `once`. `undefined` must not exist, `hold(why)` is left unchanged. */
export type Desired<O extends Owns> = {
  readonly [S in Exclude<keyof O, OnceSlots<O>>]:
    | Hold
    | undefined
    | (O[S] extends Slot<KubeObject, "many"> ? readonly DesiredChild<SlotObject<O[S]>>[] : DesiredChild<SlotObject<O[S]>>);
};

/** A slot with its name. */
export interface NamedSlot {
  readonly name: string;
  readonly kind: Kind;
  readonly count: "one" | "many";
  readonly options: SlotOptions;
  /** Of a slot whose object is created once. */
  readonly make?: OnceSlot["make"];
  /** Whether another slot has the same kind, so that objects need a slot annotation. */
  readonly isShared: boolean;
}

/** Returns the slots in order of declaration. */
export function namedSlots(owns: Owns): readonly NamedSlot[] {
  const slots = Object.entries(owns).map(([name, declared]) => ({ name, ...slotOf(declared) }));
  const isSame = (left: Kind, right: Kind): boolean => left.group === right.group && left.plural === right.plural;
  return slots.map((slot) => ({ ...slot, isShared: slots.some((other) => other.name !== slot.name && isSame(other.kind, slot.kind)) }));
}

/** Reports whether a slot has a count and options. */
export const isSlot = (declared: unknown): declared is Slot => typeof declared === "object" && declared !== null && "of" in declared;

function slotOf(declared: Kind | Slot | OnceSlot): Pick<NamedSlot, "kind" | "count" | "options" | "make"> {
  if (!isSlot(declared)) return { kind: declared, count: "one", options: {} };
  const { of: kind, count, options } = declared;
  return { kind, count, options, ...("make" in declared ? { make: declared.make } : {}) };
}
