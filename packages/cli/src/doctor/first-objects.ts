/** The first objects of a kind: enough for a check, in bounded memory. */
import type { Client } from "@drover/client";
import type { Kind, KubeObject } from "@drover/machinery";

const pageSize = 250;
/** A check of more would take too long; what is wrong is usually wrong in many. */
const objectsMax = 2000;

/** Lists the objects of all namespaces, or of one. Rejects with the error of a request. */
export async function firstObjects<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  signal: AbortSignal,
  namespace = "*",
): Promise<readonly T[]> {
  const found: T[] = [];
  const where = kind.scope === "Cluster" ? {} : { namespace };
  for await (const object of client.listAll(kind, { signal, pageSize, ...where })) {
    found.push(object);
    if (found.length >= objectsMax) break;
  }
  return found;
}
