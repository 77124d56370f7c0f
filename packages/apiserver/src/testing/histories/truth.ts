/** What really happened: the state at every revision, and what of it somebody with a scope must see. */
import type { JsonObject } from "@drover/machinery";
import type { History, Scope, Version, WatchedEvent, Write } from "./history.ts";

/** What a write is to somebody with a scope. */
export interface Expected {
  readonly type: Exclude<WatchedEvent["type"], "BOOKMARK">;
  readonly id: string;
  readonly revision: number;
  readonly content: JsonObject;
}

/** Assumes writes in the order of revisions. */
export class Truth {
  readonly #base: History["base"];
  readonly writes: readonly Write[];
  readonly #expected = new WeakMap<Scope, readonly Expected[]>();

  constructor({ base, writes }: Pick<History, "base" | "writes">) {
    this.#base = base;
    this.writes = writes;
  }

  /** From where on it knows what happened. */
  get oldest(): number {
    return this.#base.revision;
  }

  at(revision: number): Write | undefined {
    const write = this.writes[revision - this.oldest - 1];
    return write?.revision === revision ? write : undefined;
  }

  initial(id: string): Version | undefined {
    return this.#base.versions.get(id);
  }

  /** What there was in a scope at a revision, in the order of keys. */
  stateAt(revision: number, scope: Scope): ReadonlyMap<string, Version> {
    const all = new Map(this.#base.versions);
    for (const write of this.writes) {
      if (write.revision > revision) break;
      if (write.after === undefined) all.delete(write.id);
      else all.set(write.id, { revision: write.revision, content: write.after });
    }
    return new Map([...all].filter(([id, { content }]) => scope.matches(id, content)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** What a watch of a scope tells of the writes after a revision, up to and with another. */
  expected(scope: Scope, after: number, through: number): readonly Expected[] {
    let all = this.#expected.get(scope);
    if (all === undefined) this.#expected.set(scope, (all = this.writes.flatMap((write) => expectedOf(write, scope) ?? [])));
    return all.filter(({ revision }) => revision > after && revision <= through);
  }
}

function expectedOf({ id, revision, before, after }: Write, scope: Scope): Expected | undefined {
  const wasIn = before !== undefined && scope.matches(id, before);
  const isIn = after !== undefined && scope.matches(id, after);
  if (isIn) return { type: wasIn ? "MODIFIED" : "ADDED", id, revision, content: after };
  return wasIn ? { type: "DELETED", id, revision, content: before } : undefined;
}
