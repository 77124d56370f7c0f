/**
 * What a controller owns, slot by slot, and the types that follow from it: what is there (`owned`) and what should be (`desired`).
 *
 *     owns: { deployment: Deployment, pods: many(Pod) } → Owned, Desired
 */
import type { DeepReadonly, Kind, KubeObject, ObjectMeta, ObjectOf } from "@drover/machinery";
import type { DesiredObject } from "../apply/apply-set.ts";
import type { Hold } from "./hold.ts";

/** How the objects of one slot differ from what the set says of all. */
export type SlotOptions<T extends KubeObject = KubeObject> = Pick<DesiredObject<T>, "isReady" | "onImmutable">;

/** A slot that says more than its kind. */
export interface Slot<T extends KubeObject = KubeObject, Count extends "one" | "many" = "one" | "many"> {
  readonly count: Count;
  readonly of: Kind<T>;
  /** What `one` and `many` were given; of which kind of object is known to `of`. */
  readonly options: SlotOptions<never>;
}

/** One object, with options: `job: one(Job, { onImmutable: "recreate" })`. A bare kind is the same without. */
export function one<T extends KubeObject>(kind: Kind<T>, options: SlotOptions<NoInfer<T>> = {}): Slot<T, "one"> {
  return { count: "one", of: kind, options };
}

/** Any number of objects of a kind, told apart by their names: `pods: many(Pod)`. */
export function many<T extends KubeObject>(kind: Kind<T>, options: SlotOptions<NoInfer<T>> = {}): Slot<T, "many"> {
  return { count: "many", of: kind, options };
}

/** What a controller owns: a word of its own for each, and its kind. */
export type Owns = Readonly<Record<string, Kind | Slot>>;

/** A controller that owns nothing. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- an object without slots is what is meant
export type OwnsNothing = Readonly<Record<never, never>>;

/** The object behind a slot. */
export type SlotObject<D> = D extends Slot<infer T> ? T : ObjectOf<D>;

/** The names of slots with any number of objects. */
type ManySlots<O extends Owns> = { [S in keyof O]: O[S] extends Slot<KubeObject, "many"> ? S : never }[keyof O];

/** An object as a cache has it: to be looked at, and never without a name. */
export type Cached<T extends KubeObject> = DeepReadonly<T> & { readonly metadata: { readonly name: string } };

/** What is there: an object or none for each slot, a list for those that hold many. */
export type Owned<O extends Owns> = { readonly [S in Exclude<keyof O, ManySlots<O>>]?: Cached<SlotObject<O[S]>> } & {
  readonly [S in ManySlots<O>]: readonly Cached<SlotObject<O[S]>>[];
};

/** Any part of a value; what is `undefined` is not there. */
type Part<T> = T extends string | number | bigint | boolean | symbol | null | undefined
  ? T
  : T extends readonly (infer E)[]
    ? readonly Part<E>[]
    : T extends object
      ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
      : T;

/**
 * An object as it should be: the fields that are ours, and a name. Without a namespace it is in the owner's; fields
 * that are `undefined` are not there.
 */
export type DesiredChild<T extends KubeObject> = Part<Omit<T, "metadata">> & { readonly metadata: Part<ObjectMeta> };

/** What should be there: something for every slot. `undefined` must not exist, `hold(why)` stays as it is. */
export type Desired<O extends Owns> = {
  readonly [S in keyof O]:
    | Hold
    | undefined
    | (O[S] extends Slot<KubeObject, "many"> ? readonly DesiredChild<SlotObject<O[S]>>[] : DesiredChild<SlotObject<O[S]>>);
};

/** A slot as the run of a controller uses it. */
export interface NamedSlot {
  readonly name: string;
  readonly kind: Kind;
  readonly count: "one" | "many";
  readonly options: SlotOptions;
  /** Whether another slot has the same kind, so that objects must say which they are of. */
  readonly isShared: boolean;
}

/** The slots in the order they were declared. */
export function namedSlots(owns: Owns): readonly NamedSlot[] {
  const slots = Object.entries(owns).map(([name, declared]) => ({ name, ...slotOf(declared) }));
  const isSame = (left: Kind, right: Kind): boolean => left.group === right.group && left.plural === right.plural;
  return slots.map((slot) => ({ ...slot, isShared: slots.some((other) => other.name !== slot.name && isSame(other.kind, slot.kind)) }));
}

function slotOf(declared: Kind | Slot): Pick<NamedSlot, "kind" | "count" | "options"> {
  return "of" in declared
    ? { kind: declared.of, count: declared.count, options: declared.options }
    : { kind: declared, count: "one", options: {} };
}
