/**
 * What is done when a configuration has changed: the frontend pods that run at that moment are deleted, each once;
 * their Deployment brings them back.
 *
 * Which ones they are is written down, by uid, before the first is deleted. Whoever is stopped midway and started again
 * goes on with that list and takes no pod that has come since. Times would not do: they count seconds, and pods come
 * and go within one.
 */
import { isAlreadyExists, isConflict, isNotFound, semanticEqual } from "drover";
import type { Client, DeepReadonly } from "drover";
import { ConfigMap, Pod } from "drover/kinds";
import type { ExamplePlace } from "../example-place.ts";

/** The ConfigMap whose changes count, in every namespace that has one. */
export const configName = "frontend-config";
/** Where the list is kept, beside it. */
export const recordName = "frontend-recycler";

/** What was last acted on, and the pods that are still to be deleted: name → uid. */
interface Record {
  readonly seen: { readonly [key: string]: string };
  readonly pods: { readonly [name: string]: string };
}

/** Rejects when the server does not answer as it should; doing it again goes on where it ended. */
export async function recycle(
  { metadata, data = {} }: DeepReadonly<ConfigMap>,
  { client, say }: Pick<ExamplePlace, "client" | "say">,
): Promise<void> {
  const { namespace = "" } = metadata;
  const kept = await client
    .get(ConfigMap, recordName, { namespace })
    .catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error as Error)));
  let record = readRecord(kept);
  if (record === undefined || !semanticEqual(record.seen, data)) {
    // Seen for the first time it is no change.
    const pods = record === undefined ? {} : await frontendPods(client, namespace);
    record = { seen: { ...data }, pods };
    if (!(await writeRecord(record, { client, namespace, resourceVersion: kept?.metadata.resourceVersion })))
      return await recycle({ metadata, data }, { client, say });
    if (kept !== undefined) say(`ConfigMap ${namespace}/${configName} has changed: ${Object.keys(pods).length} pods are older than that`);
  }
  for (const [name, uid] of Object.entries(record.pods)) await deletePod(name, uid, { client, namespace, say });
  if (Object.keys(record.pods).length > 0)
    await client.patch(ConfigMap, recordName, { type: "merge", body: { data: { pods: "{}" } } }, { namespace });
}

async function frontendPods(client: Client, namespace: string): Promise<Record["pods"]> {
  const { items } = await client.list(Pod, { namespace, labelSelector: "app=frontend" });
  return Object.fromEntries(
    items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata: { name = "", uid = "" } }) => [name, uid]),
  );
}

async function deletePod(
  name: string,
  uid: string,
  { client, namespace, say }: Pick<ExamplePlace, "client" | "say"> & { readonly namespace: string },
): Promise<void> {
  try {
    await client.delete(Pod, name, { namespace, preconditions: { uid } });
    say(`pod ${namespace}/${name} is deleted`);
  } catch (error) {
    // It is gone, or another one has its name.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

function readRecord(map: DeepReadonly<ConfigMap> | undefined): Record | undefined {
  const { seen, pods } = map?.data ?? {};
  return seen === undefined ? undefined : { seen: JSON.parse(seen) as Record["seen"], pods: JSON.parse(pods ?? "{}") as Record["pods"] };
}

/** False when somebody else has written it meanwhile. */
async function writeRecord(
  { seen, pods }: Record,
  {
    client,
    namespace,
    resourceVersion,
  }: { readonly client: Client; readonly namespace: string; readonly resourceVersion: string | undefined },
): Promise<boolean> {
  const data = { seen: JSON.stringify(seen), pods: JSON.stringify(pods) };
  try {
    if (resourceVersion === undefined) await client.create(ConfigMap, { metadata: { name: recordName, namespace }, data });
    else await client.update(ConfigMap, { metadata: { name: recordName, namespace, resourceVersion }, data });
    return true;
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) return false;
    throw error;
  }
}
