/**
 * The RESTMapper of a living server: it looks when it is first asked, and again when something is missing, so that a kind defined a moment
 * ago is found at once.
 *
 *     DiscoveryClient → DynamicMapper → paths of requests
 */
import { isNoMatchError, NoKindMatchError, parseResourceArg, printGroupKind } from "@drover/machinery";
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

/** How a mapper looks. */
export interface DynamicMapperOptions {
  readonly clock: Clock;
  /** Hears of short names that could mean something else as well, and of groups the server cannot describe. */
  readonly log: Log;
  /**
   * How many times in a row a miss may look at the server again without waiting.
   * @default 10
   */
  readonly refreshBurst?: number;
  /**
   * How many times a second after that.
   * @default 2
   */
  readonly refreshPerSecond?: number;
  /**
   * How long the server's "no such thing" is taken for granted while `refreshBurst` is used up, in milliseconds.
   * @default 10000
   */
  readonly missMs?: number;
}

/** Which version of a kind. */
export interface MappingOptions extends WaitOptions {
  /**
   * The versions to choose from, the best first.
   * @default every version, the server's preferred one first
   */
  readonly versions?: readonly string[];
}

/** What is looked at: one group, or (undefined) everything. */
type Scope = string | undefined;

interface Question<T> {
  readonly scope: Scope;
  /** For the memory of misses. */
  readonly text: string;
  /** Whether the question is about this group, so that a failure of it explains a miss. */
  readonly isAbout: (group: string) => boolean;
  /** Throws a no-match error when the table has no answer. */
  readonly answer: (table: MappingTable) => T;
}

interface Look {
  hasBegun: boolean;
  readonly call: SharedCall<MappingTable>;
}

/** Groups are looked at one by one up to this many; then it is cheaper to look at everything. */
const singleGroupsMax = 8;
const missesMax = 1000;

/**
 * Guarantees: a question that has no answer causes at most one look at the server, one that begins after the question was asked; such looks
 * are shared and limited, so that a storm of unknown names stays a trickle of requests; while a group cannot be
 * described, what was known of it
 * stays known, and what is missing from it is a `GroupDiscoveryFailedError` and not a "no match".
 *
 * Whoever names the group of a kind causes a look at that group alone; looser words need the whole picture.
 */
export class DynamicMapper {
  readonly #discovery: DiscoveryClient;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #budget: RefreshBudget;
  readonly #missMs: number;
  /** Question → when the server was seen to have no answer. */
  readonly #misses = new Map<string, number>();
  readonly #looks = new Map<Scope, Look>();
  readonly #tables = new Map<Scope, MappingTable>();
  #sequence = 0;
  /** A look that began before this is not kept. */
  #resetAt = 0;

  constructor(discovery: DiscoveryClient, { clock, log, refreshBurst = 10, refreshPerSecond = 2, missMs = 10_000 }: DynamicMapperOptions) {
    this.#discovery = discovery;
    this.#clock = clock;
    this.#log = log;
    this.#budget = new RefreshBudget(clock, { burst: refreshBurst, perSecond: refreshPerSecond });
    this.#missMs = missMs;
  }

  /** Forgets everything: the next question looks at the server. For what was deleted there, which no miss can tell. */
  reset(): void {
    this.#tables.clear();
    this.#looks.clear();
    this.#misses.clear();
    this.#resetAt = ++this.#sequence;
  }

  /** Every resource that matches. Rejects with a `NoResourceMatchError`. */
  resourcesFor(partial: PartialResource, options: WaitOptions = {}): Promise<readonly GroupVersionResource[]> {
    return this.#ask(
      loose("resources", partial, ({ mapper }) => mapper.resourcesFor(partial)),
      options,
    );
  }

  /** The preferred resource that matches. Rejects with a `NoResourceMatchError` or an `AmbiguousResourceError`. */
  resourceFor(partial: PartialResource, options: WaitOptions = {}): Promise<GroupVersionResource> {
    return this.#ask(
      loose("resource", partial, ({ mapper }) => mapper.resourceFor(partial)),
      options,
    );
  }

  /** Every kind whose resource matches. Rejects with a `NoResourceMatchError`. */
  kindsFor(partial: PartialResource, options: WaitOptions = {}): Promise<readonly GroupVersionKind[]> {
    return this.#ask(
      loose("kinds", partial, ({ mapper }) => mapper.kindsFor(partial)),
      options,
    );
  }

  /** The kind of the preferred resource that matches. Rejects with a `NoResourceMatchError` or an `AmbiguousResourceError`. */
  kindFor(partial: PartialResource, options: WaitOptions = {}): Promise<GroupVersionKind> {
    return this.#ask(
      loose("kind", partial, ({ mapper }) => mapper.kindFor(partial)),
      options,
    );
  }

  /** Where to reach a kind, in every version or in those named. Rejects with a `NoKindMatchError`. */
  restMappings(groupKind: GroupKind, { versions = [], ...options }: MappingOptions = {}): Promise<readonly RestMapping[]> {
    return this.#ask(
      exact(groupKind, versions, ({ mapper }) => mapper.restMappings(groupKind, ...versions)),
      options,
    );
  }

  /** Where to reach a kind, in the best version. Rejects with a `NoKindMatchError` or an `AmbiguousKindError`. */
  restMapping(groupKind: GroupKind, { versions = [], ...options }: MappingOptions = {}): Promise<RestMapping> {
    return this.#ask(
      exact(groupKind, versions, ({ mapper }) => mapper.restMapping(groupKind, ...versions)),
      options,
    );
  }

  /** The descriptor of a kind, for a client. Rejects with a `NoKindMatchError`. */
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

  /** What a word on a command line means: a resource, a short name, or a kind; with or without version and group. */
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

  /** The resources of a category ("all"), each once; none when nobody is in it. */
  async expandCategory(category: string, options: WaitOptions = {}): Promise<readonly GroupResource[]> {
    const answer = ({ mapper }: MappingTable): readonly GroupResource[] => {
      const members = mapper.expandCategory(category);
      if (members.length === 0) throw nobody;
      return members;
    };
    try {
      return await this.#ask({ scope: undefined, text: `category ${category}`, isAbout: () => false, answer }, options);
    } catch (error) {
      if (error === nobody) return [];
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

  /** The answer after the last look, which may still be none. */
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

  /** The first look at something is not limited: there are only so many first looks. */
  #firstLook(scope: Scope, options: WaitOptions): Promise<MappingTable> {
    const begun = [...this.#looks.keys(), ...this.#tables.keys()].filter((key) => key !== undefined && key !== scope);
    return this.#look(begun.length < singleGroupsMax ? scope : undefined, { isLimited: false, options });
  }

  /** Undefined when the memory of an earlier look has to do. */
  async #lookAgain({ scope, text }: Question<unknown>, options: WaitOptions): Promise<MappingTable | undefined> {
    const missedAt = this.#misses.get(text);
    if (missedAt !== undefined && !this.#budget.isAvailable && this.#clock.monotonic() - missedAt < this.#missMs) return undefined;
    return this.#look(scope, { isLimited: true, options });
  }

  /** Joins a look that has not begun yet, or begins one. */
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
    // Of a group that is nowhere there is nothing to keep: anybody may ask for any number of those.
    if (
      scope !== undefined &&
      discovered.groups.length === 0 &&
      all !== undefined &&
      !all.discovered.groups.some(({ name }) => name === scope)
    )
      return table;
    this.#tables.set(scope, table);
    // What is known of everything replaces what was known of single groups before.
    if (scope === undefined) for (const [key, older] of this.#tables) if (older.sequence < sequence) this.#tables.delete(key);
    return table;
  }

  #remember(text: string): void {
    this.#misses.delete(text);
    this.#misses.set(text, this.#clock.monotonic());
    if (this.#misses.size > missesMax) for (const oldest of this.#misses.keys()) return void this.#misses.delete(oldest);
  }
}

/** No resource of a category; never leaves this file. */
const nobody: Error = new Error("nobody is in the category");

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

/**
 * A group may be cut short. Whoever names none is not told about groups that fail: there is always one, and it is
 * hardly ever the reason.
 */
const begins = (group: string, named = ""): boolean => named !== "" && group.startsWith(named);

/** Also where the mapper says it in kubectl's words. */
const isMiss = (error: unknown): boolean =>
  error === nobody || isNoMatchError(error) || (error instanceof Error && isNoMatchError(error.cause));
