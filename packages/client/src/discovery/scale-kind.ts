/**
 * Finds the kind of a resource's scale: `autoscaling/v1` today, others on old servers. Discovery contains it.
 */
import { apiVersionOf, getOwn, printGroupVersionResource, errorText } from "@drover/machinery";
import type { GroupVersionKind, GroupVersionResource, WaitOptions } from "@drover/machinery";
import type { DiscoveryInterface } from "./discovery-interface.ts";

/** Finds the kinds of scales and caches them: they never change while a server runs. */
export class ScaleKindResolver {
  readonly #discovery: Pick<DiscoveryInterface, "serverResourcesForGroupVersion">;
  readonly #kinds = new Map<string, GroupVersionKind>();

  constructor(discovery: Pick<DiscoveryInterface, "serverResourcesForGroupVersion">) {
    this.#discovery = discovery;
  }

  /** Returns the kind of `…/{name}/scale`. Rejects if the group version cannot be described or the resource has no scale. */
  async scaleForResource(resource: GroupVersionResource, options: WaitOptions = {}): Promise<GroupVersionKind> {
    const text = printGroupVersionResource(resource);
    const known = this.#kinds.get(text);
    if (known !== undefined) return known;
    const { resources } = await this.#resourcesOf(resource, text, options);
    const scale = getOwn(resources.find(({ plural }) => plural === resource.resource)?.subresources ?? {}, "scale");
    if (scale === undefined) throw new Error(`could not find scale subresource for ${text} in discovery information`);
    const kind = { group: scale.group, version: scale.version, kind: scale.kind };
    this.#kinds.set(text, kind);
    return kind;
  }

  async #resourcesOf(
    resource: GroupVersionResource,
    text: string,
    options: WaitOptions,
  ): ReturnType<DiscoveryInterface["serverResourcesForGroupVersion"]> {
    try {
      return await this.#discovery.serverResourcesForGroupVersion(apiVersionOf(resource), options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw new Error(`unable to fetch discovery information for ${text}: ${errorText(error)}`, {
        cause: error,
      });
    }
  }
}
