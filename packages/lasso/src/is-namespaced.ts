/** Scope of a resource according to the server. */
import type { DynamicMapper } from "@drover/client";
import type { GroupVersionResource, WaitOptions } from "@drover/machinery";

/** Reports whether a resource is namespaced, from a mapper. Rejects like the mapper. */
export async function isNamespaced(
  resource: GroupVersionResource,
  mapper: Pick<DynamicMapper, "kindFor" | "restMapping">,
  options: WaitOptions = {},
): Promise<boolean> {
  const { group, kind, version } = await mapper.kindFor(resource, options);
  return (await mapper.restMapping({ group, kind }, { ...options, versions: [version] })).scope === "Namespaced";
}
