/**
 * Checks the result of `desired` and converts it for an apply: reports mistakes with slot and fix before any request.
 *
 *     desired(context) → desiredPlan → objects to apply, slots to hold
 */
import { definedOnly, getOwn, isThenable } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { DesiredObject } from "../apply/apply-set.ts";
import type { DeclaredController } from "./declared-controller.ts";
import { asyncMistake } from "./declared-controller.ts";
import { isHold } from "./hold.ts";
import { MistakeError } from "./mistake-error.ts";
import type { HeldSlot } from "./operator-context.ts";
import { notJson } from "./not-json.ts";
import { slotAnnotation } from "./read-owned.ts";
import type { Members } from "./read-owned.ts";
import type { NamedSlot } from "./slot.ts";
import { withoutUndefined } from "./without-undefined.ts";

/** One object to apply, and its slot. */
export interface PlannedObject {
  readonly slot: NamedSlot;
  readonly desired: DesiredObject;
}

/** The result of `desired` in the form of an apply. */
export interface DesiredPlan {
  readonly objects: readonly PlannedObject[];
  readonly holds: readonly HeldSlot[];
}

/** What a plan is made for. */
export interface PlanSubject {
  /** The owner. */
  readonly object: DeepReadonly<KubeObject>;
  /** The existing objects by slot. */
  readonly members: Members;
  /** Calls the function of a `once` slot. */
  readonly make: (slot: NamedSlot) => unknown;
}

/** Converts the result of `desired`. Throws `MistakeError`. */
export function desiredPlan(
  answer: unknown,
  { title, slots, kind }: DeclaredController,
  { object, members, make }: PlanSubject,
): DesiredPlan {
  const where = `${title}, desired`;
  if (isThenable(answer)) throw asyncMistake(where, "desired");
  checkSlots(answer, slots, where);
  const holds: HeldSlot[] = [];
  const objects: PlannedObject[] = [];
  for (const slot of slots) {
    const [kept] = slot.make === undefined ? [] : (members.get(slot.name) ?? []);
    if (kept !== undefined) {
      const { name = "", namespace } = kept.metadata;
      objects.push({ slot, desired: { kind: slot.kind, object: { metadata: { name, ...definedOnly({ namespace }) } }, isOnce: true } });
      continue;
    }
    const value = slot.make === undefined ? getOwn(answer, slot.name) : make(slot);
    if (isHold(value)) holds.push({ slot: slot.name, why: value.why });
    else
      for (const child of childrenOf(value, slot, where))
        objects.push({ slot, desired: plannedObject(child, slot, { where, kind, object }) });
  }
  checkDuplicates(objects, where);
  return { objects, holds };
}

function checkSlots(answer: unknown, slots: readonly NamedSlot[], where: string): asserts answer is Readonly<Record<string, unknown>> {
  const names = slots.filter(({ make }) => make === undefined).map(({ name }) => name);
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
    throw new MistakeError({
      where,
      what: `it returns ${answer === null ? "null" : Array.isArray(answer) ? "a list" : typeof answer} instead of an object with a value for every slot`,
      fix: `desired: () => ({ ${names.map((name) => `${name}: …`).join(", ")} })`,
    });
  }
  const missing = names.filter((name) => !Object.hasOwn(answer, name));
  if (missing.length > 0) {
    throw new MistakeError({
      where,
      what: `it returns no value for ${missing.join(" and ")}`,
      code: "DRV0416",
      fix: missing
        .map((name) => `${name}: undefined       must not exist, is deleted\n${name}: hold("why")     is left unchanged`)
        .join("\n"),
    });
  }
  const made = slots.find(({ name, make }) => make !== undefined && Object.hasOwn(answer, name));
  if (made !== undefined)
    throw new MistakeError({
      where,
      what: `it returns ${made.name}, which owns declares with once`,
      fix: `leave it out: its function in owns makes it`,
    });
  const unknown = Object.keys(answer).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new MistakeError({
      where,
      what: `it returns ${unknown.join(" and ")}, which is not in owns`,
      code: "DRV0419",
      fix: `owns: { ${[...names, ...unknown.map((name) => `${name}: …the kind`)].join(", ")} }`,
    });
}

function childrenOf(value: unknown, { name, count, kind }: NamedSlot, where: string): readonly unknown[] {
  if (value === undefined) return [];
  if (count === "many" && Array.isArray(value)) return value;
  if (count === "one" && typeof value === "object" && value !== null && !Array.isArray(value)) return [value];
  const found =
    value === null
      ? "null"
      : Array.isArray(value)
        ? "a list"
        : isThenable(value)
          ? "a promise"
          : typeof value === "object"
            ? "one object"
            : typeof value;
  throw new MistakeError({
    where: `${where}, slot ${name}`,
    what: `it is ${found} but must be ${count === "one" ? "one object" : "a list of objects"}`,
    fix:
      count === "one"
        ? `${name}: undefined if there should be none; owns: { ${name}: many(${kind.kind}) } for a list`
        : `${name}: [ … ], or owns: { ${name}: ${kind.kind} } for one object`,
  });
}

interface About {
  readonly where: string;
  readonly kind: Kind;
  /** The owner. */
  readonly object: DeepReadonly<KubeObject>;
}

function plannedObject(child: unknown, slot: NamedSlot, { where: place, kind: owner, object }: About): DesiredObject {
  const where = `${place}, slot ${slot.name}`;
  const { kind, options } = slot;
  if (typeof child !== "object" || child === null)
    throw new MistakeError({
      where,
      what: `an item of the list is ${child === null ? "null" : typeof child}`,
      fix: `leave it out: […].filter((item) => item !== undefined)`,
    });
  const odd = notJson(child);
  if (odd !== undefined)
    throw new MistakeError({
      where,
      what: `${odd.field === "" ? "the object" : odd.field} is ${odd.what}, which JSON cannot express`,
      fix: odd.fix,
    });
  const { apiVersion, kind: said, metadata } = child as DeepReadonly<Partial<KubeObject>>;
  const isOther =
    (said !== undefined && said !== kind.kind) ||
    (apiVersion !== undefined && (apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "") !== kind.group);
  if (isOther)
    throw new MistakeError({
      where,
      what: `the object has kind ${said ?? "?"} and apiVersion ${apiVersion ?? "?"}, but the slot is for ${kind.kind} of ${kind.group === "" ? "v1" : kind.group}`,
      fix: `owns: { ${slot.name}: ${said ?? kind.kind} }, or an object without apiVersion and kind, which follow from the slot`,
    });
  const { name, namespace, annotations } = metadata ?? {};
  if (name !== undefined && typeof name !== "string")
    throw new MistakeError({ where, what: `metadata.name is ${typeof name}, but must be a text`, fix: "metadata: { name: String(…) }" });
  if (name === undefined || name === "") {
    throw new MistakeError({
      where,
      what: "the object has no metadata.name",
      fix: `metadata: { name: object.metadata.name, … }       generateName does not work: the next run could not find the object`,
    });
  }
  if (owner.scope === "Namespaced" && kind.scope === "Namespaced" && namespace !== undefined && namespace !== object.metadata.namespace) {
    throw new MistakeError({
      where,
      what: `${name} is in namespace ${namespace}, its owner in ${object.metadata.namespace ?? "none"}: an owner reference cannot cross namespaces, so it would never be deleted`,
      code: "DRV0421",
      fix: 'leave out metadata.namespace; for objects elsewhere call apply(set, owner, objects, context) in reconcile with reference: "label", and again without objects in cleanup',
    });
  }
  if (owner.scope === "Cluster" && kind.scope === "Namespaced" && (namespace ?? "") === "") {
    throw new MistakeError({
      where,
      what: `${name} has no namespace, and its owner, a ${owner.kind}, is cluster-scoped`,
      fix: `metadata: { name, namespace: object.spec.namespace, … }`,
    });
  }
  if (kind.scope === "Cluster" && namespace !== undefined && namespace !== "")
    throw new MistakeError({
      where,
      what: `${name} has the namespace ${namespace}, but ${kind.kind} is cluster-scoped`,
      fix: "leave out metadata.namespace",
    });
  const marked = slot.isShared
    ? { ...child, metadata: { ...metadata, annotations: { ...annotations, [slotAnnotation]: slot.name } } }
    : child;
  const isOnce = slot.make === undefined ? {} : { isOnce: true };
  return { ...options, ...isOnce, kind, object: withoutUndefined(marked) as DeepReadonly<KubeObject> };
}

function checkDuplicates(objects: readonly PlannedObject[], where: string): void {
  const seen = new Map<string, NamedSlot>();
  for (const {
    slot,
    desired: {
      kind,
      object: {
        metadata: { name = "", namespace = "" },
      },
    },
  } of objects) {
    const key = JSON.stringify([kind.group, kind.kind, namespace, name]);
    const before = seen.get(key);
    if (before !== undefined) {
      throw new MistakeError({
        where,
        what:
          before.name === slot.name
            ? `slot ${slot.name} contains ${kind.kind} ${name} twice`
            : `slots ${before.name} and ${slot.name} both contain ${kind.kind} ${name} and would overwrite each other`,
        code: "DRV0417",
        fix:
          before.name === slot.name
            ? `a different name for each: metadata: { name: \`\${object.metadata.name}-\${index}\` }`
            : `different names: metadata: { name: \`\${object.metadata.name}-${slot.name}\` }`,
      });
    }
    seen.set(key, slot);
  }
}
