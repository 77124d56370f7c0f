/**
 * Discovery that remembers: one look at the server answers every question until somebody says that it is out of date.
 *
 *     DiscoveryClient → CachedDiscovery → whoever asks often
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

/** What is known since the last `invalidate`. A look that began before it fills an old memory, which nobody reads any more. */
interface Memory {
  discovered: Discovered | undefined;
  look: SharedCall<Discovered> | undefined;
  readonly retries: Map<string, SharedCall<ApiResourceList>>;
}

const retriesAtOnce = 10;

/**
 * Guarantees: questions asked at the same time are one request; a failure that may pass (429, 5xx, a lost connection, a timeout, a stale
 * group version) is remembered for its group version alone, and that group version is asked for again at the next question about it; a
 * look at the server that fails as a whole, or that nobody waits for any more, leaves nothing behind.
 */
export class CachedDiscovery implements DiscoveryInterface {
  readonly #delegate: DiscoveryInterface;
  #memory: Memory = emptyMemory();

  constructor(delegate: DiscoveryInterface) {
    this.#delegate = delegate;
  }

  /** Whether the answers come from a look at the server since the last `invalidate`. */
  get isFresh(): boolean {
    return this.#memory.discovered !== undefined;
  }

  /** Forgets everything: the next question looks at the server again. */
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

  /** One that was not there at the last look is asked for directly, so that a group version added since is found. */
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

  /**
   * What is known, after another try for the failures that are wanted and may have passed; those found just now are not
   * tried again at once.
   */
  async #complete(isWanted: (failure: { readonly groupVersion: string }) => boolean, options: WaitOptions): Promise<Discovered> {
    const memory = this.#memory;
    const known = memory.discovered;
    if (known === undefined) return this.#look(memory, options);
    const again = known.failures.filter((failure) => isWanted(failure) && isTransient(failure.error));
    await boundedMap(again, retriesAtOnce, async ({ groupVersion }) => {
      try {
        await this.#retry(memory, groupVersion, options);
      } catch {
        // It is in the memory's failures; only our own giving up ends the whole question.
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

/**
 * Whether the same question may have another answer soon. What the server refuses, or writes wrongly, stays so until it
 * is looked at anew.
 */
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

/** Only what the server lists can fail; that there is no such group version is nothing to remember. */
function withFailure(discovered: Discovered, groupVersion: string, error: unknown): Discovered {
  return {
    ...discovered,
    failures: discovered.failures.map((failure) => (failure.groupVersion === groupVersion ? { groupVersion, error } : failure)),
  };
}
