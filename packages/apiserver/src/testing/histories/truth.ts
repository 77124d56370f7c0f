/** What happened in the store: the state at every revision, and the events a scope must see. */
import type { JsonObject } from "@drover/machinery";
import type { History, Scope, Version, WatchedEvent, Write } from "./history.ts";

/** A write as a scope sees it. */
export interface Expected {
  readonly type: Exclude<WatchedEvent["type"], "BOOKMARK">;
  readonly id: string;
  readonly revision: number;
  readonly content: JsonObject;
}

/** Assumes writes sorted by revision. */
export class Truth {
  readonly #base: History["base"];
  readonly writes: readonly Write[];
  readonly #expected = new WeakMap<Scope, readonly Expected[]>();

  constructor({ base, writes }: Pick<History, "base" | "writes">) {
    this.#base = base;
    this.writes = writes;
  }

  /** The oldest known revision. */
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

  /** Returns the objects of a scope at a revision, sorted by key. */
  stateAt(revision: number, scope: Scope): ReadonlyMap<string, Version> {
    const all = new Map(this.#base.versions);
    for (const write of this.writes) {
      if (write.revision > revision) break;
      if (write.after === undefined) all.delete(write.id);
      else all.set(write.id, { revision: write.revision, content: write.after });
    }
    return new Map([...all].filter(([id, { content }]) => scope.matches(id, content)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns the events of a scope after a revision, up to and including another. */
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
