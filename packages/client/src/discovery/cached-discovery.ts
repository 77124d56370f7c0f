/**
 * Cached discovery: reads the server once and answers from memory until it is invalidated.
 *
 *     DiscoveryClient → CachedDiscovery → frequent readers
 */
import { apiVersionOf, findApiError, isTooManyRequests, parseGroupVersion } from "@drover/machinery";
import type { JsonObject, WaitOptions } from "@drover/machinery";
import type { ApiGroup, ApiResourceList, Discovered } from "./api-group.ts";
import { boundedMap } from "./bounded-map.ts";
import { isDiscoveryDocumentError } from "./discovery-error.ts";
import type { DiscoveryInterface, PreferredResources } from "./discovery-interface.ts";
import type { OpenApiClient } from "./openapi-client.ts";
import { filterResources, preferredResources } from "./preferred-resources.ts";
import type { ServerVersion } from "./server-version.ts";
import { SharedCall } from "./shared-call.ts";

/** State since the last `invalidate`. A request that began earlier fills an old state, which is no longer read. */
interface Memory {
  discovered: Discovered | undefined;
  look: SharedCall<Discovered> | undefined;
  readonly retries: Map<string, SharedCall<ApiResourceList>>;
}

const retriesAtOnce = 10;

/**
 * Guarantees: concurrent calls share one request. A transient failure (429, 5xx, lost connection, timeout, stale group
 * version) is cached only for its group version, which the next call about it requests again. A request that fails as a
 * whole, or that all callers aborted, leaves nothing in the cache.
 */
export class CachedDiscovery implements DiscoveryInterface {
  readonly #delegate: DiscoveryInterface;
  #memory: Memory = emptyMemory();

  constructor(delegate: DiscoveryInterface) {
    this.#delegate = delegate;
  }

  /** Whether the cache was filled after the last `invalidate`. */
  get isFresh(): boolean {
    return this.#memory.discovered !== undefined;
  }

  /** Clears the cache: the next call reads from the server. */
  invalidate(): void {
    this.#memory = emptyMemory();
  }

  async serverGroups(options: WaitOptions = {}): Promise<readonly ApiGroup[]> {
    return (await this.#look(this.#memory, options)).groups;
  }

  async serverGroup(name: string, options: WaitOptions = {}): Promise<Discovered> {
    const isWanted = ({ groupVersion }: { readonly groupVersion: string }): boolean => parseGroupVersion(groupVersion).group === name;
    const { groups, resources, failures } = await this.#complete(isWanted, options);
    return {
      groups: groups.filter((group) => group.name === name),
      resources: resources.filter(isWanted),
      failures: failures.filter(isWanted),
    };
  }

  /** Requests a group version directly if it is not in the cache, so that one added since is found. */
  async serverResourcesForGroupVersion(groupVersion: string, options: WaitOptions = {}): Promise<ApiResourceList> {
    const memory = this.#memory;
    const { resources, failures } = await this.#look(memory, options);
    const known = resources.find((list) => list.groupVersion === groupVersion);
    if (known !== undefined) return known;
    const failure = failures.find((failed) => failed.groupVersion === groupVersion);
    if (failure !== undefined && !isTransient(failure.error)) throw failure.error;
    return this.#retry(memory, groupVersion, options);
  }

  serverGroupsAndResources(options: WaitOptions = {}): Promise<Discovered> {
    return this.#complete(() => true, options);
  }

  async serverPreferredResources(options: WaitOptions = {}): Promise<PreferredResources> {
    const discovered = await this.serverGroupsAndResources(options);
    return { resources: preferredResources(discovered), failures: discovered.failures };
  }

  async serverPreferredNamespacedResources(options: WaitOptions = {}): Promise<PreferredResources> {
    const { resources, failures } = await this.serverPreferredResources(options);
    return { resources: filterResources(resources, ({ scope }) => scope === "Namespaced"), failures };
  }

  serverVersion(options: WaitOptions = {}): Promise<ServerVersion> {
    return this.#delegate.serverVersion(options);
  }

  openApiSchema(options: WaitOptions = {}): Promise<JsonObject> {
    return this.#delegate.openApiSchema(options);
  }

  openApiV3(): OpenApiClient {
    return this.#delegate.openApiV3();
  }

  async #look(memory: Memory, options: WaitOptions): Promise<Discovered> {
    if (memory.discovered !== undefined) return memory.discovered;
    memory.look ??= new SharedCall(
      async (signal) => {
        memory.discovered = await this.#delegate.serverGroupsAndResources({ signal });
        return memory.discovered;
      },
      () => {
        memory.look = undefined;
      },
    );
    return memory.look.join(options);
  }

  /** Returns the cached result after retrying the wanted transient failures; does not retry failures of this same call. */
  async #complete(isWanted: (failure: { readonly groupVersion: string }) => boolean, options: WaitOptions): Promise<Discovered> {
    const memory = this.#memory;
    const known = memory.discovered;
    if (known === undefined) return this.#look(memory, options);
    const again = known.failures.filter((failure) => isWanted(failure) && isTransient(failure.error));
    await boundedMap(again, retriesAtOnce, async ({ groupVersion }) => {
      try {
        await this.#retry(memory, groupVersion, options);
      } catch {
        // The failure is in the cache; only our own abort ends the whole call.
        options.signal?.throwIfAborted();
      }
    });
    return memory.discovered ?? known;
  }

  #retry(memory: Memory, groupVersion: string, options: WaitOptions): Promise<ApiResourceList> {
    const call =
      memory.retries.get(groupVersion) ??
      new SharedCall(
        async (signal) => {
          try {
            const list = await this.#delegate.serverResourcesForGroupVersion(groupVersion, { signal });
            if (memory.discovered !== undefined) memory.discovered = withList(memory.discovered, list);
            return list;
          } catch (error) {
            if (memory.discovered !== undefined) memory.discovered = withFailure(memory.discovered, groupVersion, error);
            throw error;
          }
        },
        () => memory.retries.delete(groupVersion),
      );
    memory.retries.set(groupVersion, call);
    return call.join(options);
  }
}

const emptyMemory = (): Memory => ({ discovered: undefined, look: undefined, retries: new Map() });

/** Reports whether a retry may succeed. Refusals and malformed documents stay until the cache is invalidated. */
function isTransient(error: unknown): boolean {
  const refused = findApiError(error);
  if (refused !== undefined) return refused.code >= 500 || isTooManyRequests(refused);
  return !isDiscoveryDocumentError(error);
}

function withList({ groups, resources, failures }: Discovered, list: ApiResourceList): Discovered {
  const { group, version } = parseGroupVersion(list.groupVersion);
  const home = groups.find(({ name }) => name === group) ?? { name: group, versions: [], preferredVersion: version };
  const grown = home.versions.includes(version)
    ? home
    : { ...home, versions: [...home.versions, version], preferredVersion: home.preferredVersion || version };
  const allGroups = groups.includes(home) ? groups.map((candidate) => (candidate === home ? grown : candidate)) : [...groups, grown];
  const lists = new Map([...resources, list].map((entry) => [entry.groupVersion, entry]));
  return {
    groups: allGroups,
    resources: allGroups.flatMap(({ name, versions }) =>
      versions.flatMap((each) => lists.get(apiVersionOf({ group: name, version: each })) ?? []),
    ),
    failures: failures.filter(({ groupVersion }) => groupVersion !== list.groupVersion),
  };
}

/** Only a listed group version can fail; a missing one is not cached. */
function withFailure(discovered: Discovered, groupVersion: string, error: unknown): Discovered {
  return {
    ...discovered,
    failures: discovered.failures.map((failure) => (failure.groupVersion === groupVersion ? { groupVersion, error } : failure)),
  };
}
