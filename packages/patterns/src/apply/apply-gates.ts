/** Decides which objects of a set must wait for earlier ones. */
import { sameGroupKind } from "@drover/machinery";
import type { DeepReadonly, GroupKind, KubeObject } from "@drover/machinery";
import type { MemberStep } from "./apply-member.ts";
import { isReady } from "./is-ready.ts";
import type { WantedObject } from "./wanted-object.ts";

interface Gate {
  readonly why: string;
  readonly blocks: (wanted: WantedObject) => boolean;
}

const namespaceKind: GroupKind = { group: "", kind: "Namespace" };
const definitionKind: GroupKind = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };

/** Collects the objects that later ones wait for. Call it in the order of application. */
export class Gates {
  readonly #gates: Gate[] = [];
  readonly #waits: boolean;
  #isOpen = true;
  #areReady = true;

  /** @param waits - whether each rank waits until the previous one is ready */
  constructor(waits: boolean) {
    this.#waits = waits;
  }

  /** Whether no object has had to wait so far. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether every object whose readiness was checked is ready. */
  get areReady(): boolean {
    return this.#areReady;
  }

  /** Returns what the object waits for; undefined if it can be applied now. */
  blocks(wanted: WantedObject): string | undefined {
    const gate = this.#gates.find(({ blocks }) => blocks(wanted));
    if (gate === undefined) return undefined;
    this.#isOpen = false;
    return gate.why;
  }

  /** Records an object that was applied, or that waits for its own deletion. */
  passed(wanted: WantedObject, { type, why = "", after }: MemberStep): void {
    if (type === "waiting") this.#isOpen = false;
    const readiness = after === undefined ? why : this.#readiness(wanted, after);
    if (readiness !== undefined) this.#close(wanted, `waits for ${wanted.words}, which ${readiness}`);
  }

  /** Records an object that failed to apply. */
  failed(wanted: WantedObject): void {
    this.#close(wanted, `waits for ${wanted.words}, which failed`);
  }

  #readiness({ kind, isReady: own }: WantedObject, live: DeepReadonly<KubeObject>): string | undefined {
    if (own === undefined && !this.#waits && !sameGroupKind(kind, definitionKind)) return undefined;
    const answer = own === undefined ? isReady(kind, live) : own(live);
    return answer === true ? undefined : answer === false ? "is not ready" : answer;
  }

  #close({ kind, rank, position, name, body, isReady: own }: WantedObject, why: string): void {
    if (this.#waits || own !== undefined) this.#areReady = false;
    if (sameGroupKind(kind, namespaceKind)) this.#gates.push({ why, blocks: ({ namespace }) => namespace === name });
    this.#gates.push({ why, blocks: (wanted) => isDefinitionOf(kind, body, wanted.kind) });
    if (own !== undefined)
      this.#gates.push({ why, blocks: (later) => later.rank > rank || (later.rank === rank && later.position > position) });
    if (this.#waits) this.#gates.push({ why, blocks: (later) => later.rank > rank });
  }
}

/** Reports whether the object is the CustomResourceDefinition of a kind. */
export function isDefinitionOf(
  kind: GroupKind,
  object: DeepReadonly<KubeObject> & { readonly spec?: unknown },
  defined: GroupKind,
): boolean {
  if (!sameGroupKind(kind, definitionKind)) return false;
  const spec = object.spec as { readonly group?: unknown; readonly names?: { readonly kind?: unknown } } | undefined;
  return spec?.group === defined.group && spec.names?.kind === defined.kind;
}
