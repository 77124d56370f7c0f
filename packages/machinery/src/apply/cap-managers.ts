/** Keeps the number of managers that update small: the oldest are counted as one. */
import { compareBytes } from "../go/byte-text.ts";
import { unionFieldSets } from "./field-set.ts";
import { compareManagerTimes, managerIdentity } from "./managed-fields.ts";
import type { Manager } from "./managed-fields.ts";

/** How many managers that update an object keeps. */
const updateManagersMax = 10;
const ancientChanges = "ancient-changes";

/** Joins the oldest managers that update, version by version, until there are at most ten. Managers that apply are never joined. */
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
    // The time is that of the change joined last, the youngest so far.
    capped.set(bucket, { ...joined, fields: known === undefined ? manager.fields : unionFieldSets(manager.fields, known.fields) });
    capped.delete(identity);
    count--;
  }
  return capped;
}
