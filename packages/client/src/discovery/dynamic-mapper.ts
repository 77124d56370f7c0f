/**
 * A RESTMapper that discovers lazily: it reads the server on first use, and again when something is missing, so that it
 * finds a kind that was just defined.
 *
 *     DiscoveryClient → DynamicMapper → paths of requests
 */
import { NoKindMatchError, errorCause, isNoMatchError, parseResourceArg, printGroupKind } from "@drover/machinery";
import type {
  Clock,
  GroupKind,
  GroupResource,
  GroupVersionKind,
  GroupVersionResource,
  Kind,
  Log,
  PartialResource,
  RestMapping,
  WaitOptions,
} from "@drover/machinery";
import { kindFromResource } from "./discovered-kind.ts";
import type { DiscoveryClient } from "./discovery-client.ts";
import { GroupDiscoveryFailedError } from "./discovery-error.ts";
import { failuresIn, mappingTable, resourceOfKind } from "./mapping-table.ts";
import type { MappingTable } from "./mapping-table.ts";
import { RefreshBudget } from "./refresh-budget.ts";
import { SharedCall } from "./shared-call.ts";

/** Options of a mapper. */
export interface DynamicMapperOptions {
  readonly clock: Clock;
  /** Receives warnings about ambiguous short names and about groups the server cannot describe. */
  readonly log: Log;
  /** How many refreshes in a row may happen without a delay. @default 10 */
  readonly refreshBurst?: number;
  /** Refreshes per second after that. @default 2 */
  readonly refreshPerSecond?: number;
  /** How long a miss is cached while `refreshBurst` is used up, in milliseconds. @default 10000 */
  readonly missMs?: number;
}

/** Which version of a kind to map. */
export interface MappingOptions extends WaitOptions {
  /** Versions to choose from, best first. @default every version, the server's preferred one first */
  readonly versions?: readonly string[];
}

/** What to read: one group, or (undefined) everything. */
type Scope = string | undefined;

interface Question<T> {
  readonly scope: Scope;
  /** Key in the cache of misses. */
  readonly text: string;
  /** Whether the question is about this group, so that a failure of the group explains a miss. */
  readonly isAbout: (group: string) => boolean;
  /** Throws a no-match error if the table has no answer. */
  readonly answer: (table: MappingTable) => T;
}

interface Look {
  hasBegun: boolean;
  readonly call: SharedCall<MappingTable>;
}

/** Up to this many groups are read one by one; beyond that, reading everything is cheaper. */
const singleGroupsMax = 8;
const missesMax = 1000;

/**
 * Guarantees: a miss causes at most one refresh, which begins after the call. Refreshes are shared and rate limited, so that
 * many unknown names cause few requests. While the server cannot describe a group, its known resources stay known, and a
 * miss in it is a `GroupDiscoveryFailedError`, not a "no match".
 *
 * A call that names the group of a kind reads only that group; other calls read everything.
 */
export class DynamicMapper {
  readonly #discovery: DiscoveryClient;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #budget: RefreshBudget;
  readonly #missMs: number;
  /** Question → when the server had no answer. */
  readonly #misses = new Map<string, number>();
  readonly #looks = new Map<Scope, Look>();
  readonly #tables = new Map<Scope, MappingTable>();
  #sequence = 0;
  /** Results of requests that began before this are discarded. */
  #resetAt = 0;

  constructor(discovery: DiscoveryClient, { clock, log, refreshBurst = 10, refreshPerSecond = 2, missMs = 10_000 }: DynamicMapperOptions) {
    this.#discovery = discovery;
    this.#clock = clock;
    this.#log = log;
    this.#budget = new RefreshBudget(clock, { burst: refreshBurst, perSecond: refreshPerSecond });
    this.#missMs = missMs;
  }

  /** Clears the cache: the next call reads from the server. Needed for kinds that were deleted, which no miss reveals. */
  reset(): void {
    this.#tables.clear();
    this.#looks.clear();
    this.#misses.clear();
    this.#resetAt = ++this.#sequence;
  }

  /** Returns every matching resource. Rejects with a `NoResourceMatchError`. */
  resourcesFor(partial: PartialResource, options: WaitOptions = {}): Promise<readonly GroupVersionResource[]> {
    return this.#ask(
      loose("resources", partial, ({ mapper }) => mapper.resourcesFor(partial)),
      options,
    );
  }

  /** Returns the preferred matching resource. Rejects with a `NoResourceMatchError` or an `AmbiguousResourceError`. */
  resourceFor(partial: PartialResource, options: WaitOptions = {}): Promise<GroupVersionResource> {
    return this.#ask(
      loose("resource", partial, ({ mapper }) => mapper.resourceFor(partial)),
      options,
    );
  }

  /** Returns the kind of every matching resource. Rejects with a `NoResourceMatchError`. */
  kindsFor(partial: PartialResource, options: WaitOptions = {}): Promise<readonly GroupVersionKind[]> {
    return this.#ask(
      loose("kinds", partial, ({ mapper }) => mapper.kindsFor(partial)),
      options,
    );
  }

  /** Returns the kind of the preferred matching resource. Rejects with a `NoResourceMatchError` or an `AmbiguousResourceError`. */
  kindFor(partial: PartialResource, options: WaitOptions = {}): Promise<GroupVersionKind> {
    return this.#ask(
      loose("kind", partial, ({ mapper }) => mapper.kindFor(partial)),
      options,
    );
  }

  /** Returns the mappings of a kind, in every version or in the given ones. Rejects with a `NoKindMatchError`. */
  restMappings(groupKind: GroupKind, { versions = [], ...options }: MappingOptions = {}): Promise<readonly RestMapping[]> {
    return this.#ask(
      exact(groupKind, versions, ({ mapper }) => mapper.restMappings(groupKind, ...versions)),
      options,
    );
  }

  /** Returns the mapping of a kind in the best version. Rejects with a `NoKindMatchError` or an `AmbiguousKindError`. */
  restMapping(groupKind: GroupKind, { versions = [], ...options }: MappingOptions = {}): Promise<RestMapping> {
    return this.#ask(
      exact(groupKind, versions, ({ mapper }) => mapper.restMapping(groupKind, ...versions)),
      options,
    );
  }

  /** Returns the descriptor of a kind, for a client. Rejects with a `NoKindMatchError`. */
  describe(kind: GroupVersionKind, options: WaitOptions = {}): Promise<Kind> {
    return this.#ask(
      exact(kind, [kind.version], (table) => {
        const resource = resourceOfKind(table, kind);
        if (resource === undefined) throw new NoKindMatchError(kind, [kind.version]);
        return kindFromResource(resource);
      }),
      options,
    );
  }

  /** Resolves an argument of a command line: a resource, a short name, or a kind, with or without version and group. */
  mappingFor(word: string, options: WaitOptions = {}): Promise<RestMapping> {
    const { versioned, unversioned } = parseResourceArg(word);
    const isAbout = (group: string): boolean => begins(group, versioned?.group) || begins(group, unversioned.group);
    return this.#ask({ scope: undefined, text: `word ${word}`, isAbout, answer: ({ mapper }) => mapper.mappingFor(word) }, options);
  }

  /** "pods" → "pod". Rejects with a `NoResourceMatchError`. */
  singularFor(resource: string, options: WaitOptions = {}): Promise<string> {
    return this.#ask(
      loose("singular", { resource }, ({ mapper }) => mapper.singularFor(resource)),
      options,
    );
  }

  /** Returns the resources of a category ("all"), each once; empty for an unknown category. */
  async expandCategory(category: string, options: WaitOptions = {}): Promise<readonly GroupResource[]> {
    const answer = ({ mapper }: MappingTable): readonly GroupResource[] => {
      const members = mapper.expandCategory(category);
      if (members.length === 0) throw emptyCategory;
      return members;
    };
    try {
      return await this.#ask({ scope: undefined, text: `category ${category}`, isAbout: () => false, answer }, options);
    } catch (error) {
      if (error === emptyCategory) return [];
      throw error;
    }
  }

  async #ask<T>(question: Question<T>, options: WaitOptions): Promise<T> {
    const asked = this.#sequence;
    const first = this.#known(question.scope) ?? (await this.#firstLook(question.scope, options));
    try {
      return question.answer(first);
    } catch (error) {
      if (!isMiss(error)) throw error;
      const table = first.sequence > asked ? first : await this.#lookAgain(question, options);
      return this.#settle(question, table, error);
    }
  }

  /** Answers after the last refresh, possibly with an error. */
  #settle<T>(question: Question<T>, table: MappingTable | undefined, miss: unknown): T {
    if (table === undefined) throw miss;
    try {
      const answer = question.answer(table);
      this.#misses.delete(question.text);
      return answer;
    } catch (error) {
      if (!isMiss(error)) throw error;
      this.#remember(question.text);
      const failures = failuresIn(table, question.isAbout);
      if (failures.length > 0) throw new GroupDiscoveryFailedError({ ...table.discovered, failures });
      throw error;
    }
  }

  #known(scope: Scope): MappingTable | undefined {
    return this.#tables.get(scope) ?? this.#tables.get(undefined);
  }

  /** The first read of a scope is not rate limited: there are few scopes. */
  #firstLook(scope: Scope, options: WaitOptions): Promise<MappingTable> {
    const begun = [...this.#looks.keys(), ...this.#tables.keys()].filter((key) => key !== undefined && key !== scope);
    return this.#look(begun.length < singleGroupsMax ? scope : undefined, { isLimited: false, options });
  }

  /** Returns undefined if a cached miss has to do. */
  async #lookAgain({ scope, text }: Question<unknown>, options: WaitOptions): Promise<MappingTable | undefined> {
    const missedAt = this.#misses.get(text);
    if (missedAt !== undefined && !this.#budget.isAvailable && this.#clock.monotonic() - missedAt < this.#missMs) return undefined;
    return this.#look(scope, { isLimited: true, options });
  }

  /** Joins a refresh that has not begun yet, or starts one. */
  #look(scope: Scope, { isLimited, options }: { readonly isLimited: boolean; readonly options: WaitOptions }): Promise<MappingTable> {
    const coming = this.#looks.get(scope);
    if (coming !== undefined && (!coming.hasBegun || !isLimited)) return coming.call.join(options);
    const look: Look = {
      hasBegun: false,
      call: new SharedCall(
        async (signal) => {
          if (isLimited) await this.#budget.take({ signal });
          look.hasBegun = true;
          return this.#fetch(scope, signal);
        },
        () => {
          if (this.#looks.get(scope) === look) this.#looks.delete(scope);
        },
      ),
    };
    this.#looks.set(scope, look);
    return look.call.join(options);
  }

  async #fetch(scope: Scope, signal: AbortSignal): Promise<MappingTable> {
    const sequence = ++this.#sequence;
    const discovered = await (scope === undefined
      ? this.#discovery.serverGroupsAndResources({ signal })
      : this.#discovery.serverGroup(scope, { signal }));
    for (const { groupVersion, error } of discovered.failures)
      this.#log.warn("the server cannot describe a group version", { groupVersion, error });
    const table = mappingTable(discovered, { sequence, previous: this.#known(scope), warn: (message) => this.#log.warn(message) });
    if ((this.#tables.get(scope)?.sequence ?? this.#resetAt) > sequence) return table;
    const all = this.#tables.get(undefined);
    // Do not cache groups that do not exist: callers may ask for any number of them.
    if (
      scope !== undefined &&
      discovered.groups.length === 0 &&
      all !== undefined &&
      !all.discovered.groups.some(({ name }) => name === scope)
    )
      return table;
    this.#tables.set(scope, table);
    // A full read replaces older reads of single groups.
    if (scope === undefined) for (const [key, older] of this.#tables) if (older.sequence < sequence) this.#tables.delete(key);
    return table;
  }

  #remember(text: string): void {
    this.#misses.delete(text);
    this.#misses.set(text, this.#clock.monotonic());
    if (this.#misses.size > missesMax) for (const oldest of this.#misses.keys()) return void this.#misses.delete(oldest);
  }
}

/** No resource is in the category; never leaves this file. */
const emptyCategory: Error = new Error("no resource is in the category");

function exact<T>(kind: GroupKind, versions: readonly string[], answer: (table: MappingTable) => T): Question<T> {
  return {
    scope: kind.group,
    text: `kind ${printGroupKind(kind)} ${versions.join(" ")}`,
    isAbout: (group) => group === kind.group,
    answer,
  };
}

function loose<T>(
  what: string,
  { group: named = "", version = "", resource }: PartialResource,
  answer: (table: MappingTable) => T,
): Question<T> {
  return { scope: undefined, text: `${what} ${resource} ${version} ${named}`, isAbout: (group) => begins(group, named), answer };
}

/** A group may be abbreviated. A call that names no group ignores failed groups: there is often one, and it is rarely the reason. */
const begins = (group: string, named = ""): boolean => named !== "" && group.startsWith(named);

/** Also matches the errors in kubectl's words. */
const isMiss = (error: unknown): boolean => error === emptyCategory || isNoMatchError(error) || isNoMatchError(errorCause(error));
