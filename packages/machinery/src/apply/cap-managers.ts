/** Limits the number of update managers: the oldest are merged into one. */
import { compareBytes } from "../go/byte-text.ts";
import { unionFieldSets } from "./field-set.ts";
import { compareManagerTimes, managerIdentity } from "./managed-fields.ts";
import type { Manager } from "./managed-fields.ts";

/** Maximum update managers of an object. */
const updateManagersMax = 10;
const ancientChanges = "ancient-changes";

/** Merges the oldest update managers, version by version, until there are at most ten. Never merges apply managers. */
export function capManagers(managers: Map<string, Manager>): Map<string, Manager> {
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  if (updaters.length <= updateManagersMax) return managers;
  updaters.sort(
    ([identity, manager], [otherIdentity, other]) => compareManagerTimes(manager, other) || compareBytes(identity, otherIdentity),
  );
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [identity, manager] of updaters) {
    if (count <= updateManagersMax) break;
    const { apiVersion } = manager;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, identity);
      continue;
    }
    const joined: Manager = { ...manager, manager: ancientChanges, subresource: "" };
    const bucket = managerIdentity(joined);
    const known = capped.get(bucket) ?? capped.get(first);
    if (!capped.has(bucket)) capped.delete(first);
    // The time is that of the last merged change, the youngest so far.
    capped.set(bucket, { ...joined, fields: known === undefined ? manager.fields : unionFieldSets(manager.fields, known.fields) });
    capped.delete(identity);
    count--;
  }
  return capped;
}
