/** Whether a resource is in namespaces, as the server says. */
import type { DynamicMapper } from "@drover/client";
import type { GroupVersionResource, WaitOptions } from "@drover/machinery";

/** Asks a mapper for the kind of a resource and for its scope. Rejects as the mapper does. */
export async function isNamespaced(
  resource: GroupVersionResource,
  mapper: Pick<DynamicMapper, "kindFor" | "restMapping">,
  options: WaitOptions = {},
): Promise<boolean> {
  const { group, kind, version } = await mapper.kindFor(resource, options);
  return (await mapper.restMapping({ group, kind }, { ...options, versions: [version] })).scope === "Namespaced";
}
