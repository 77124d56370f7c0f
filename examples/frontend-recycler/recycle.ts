/**
 * Deletes the frontend pods that run when a configuration changes, each once. Their Deployment recreates them.
 *
 * The uids of these pods are recorded before the first pod is deleted. A process that stops midway and restarts
 * continues with that list and deletes no newer pod. Timestamps would not do: they have a resolution of one second, and
 * pods come and go within one.
 */
import { isAlreadyExists, isConflict, isNotFound, semanticEqual } from "drover";
import type { Client, DeepReadonly } from "drover";
import { ConfigMap, Pod } from "drover/kinds";
import type { ExamplePlace } from "../example-place.ts";

/** Name of the watched ConfigMap, in every namespace that has one. */
export const configName = "frontend-config";
/** Name of the ConfigMap that stores the list, in the same namespace. */
export const recordName = "frontend-recycler";

/** The last processed configuration, and the pods still to delete: name → uid. */
interface Record {
  readonly seen: { readonly [key: string]: string };
  readonly pods: { readonly [name: string]: string };
}

/** Deletes the pods that are older than the configuration. Rejects when a request fails; another call continues from there. */
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
    // A configuration seen for the first time is not a change.
    const pods = record === undefined ? {} : await frontendPods(client, namespace);
    record = { seen: { ...data }, pods };
    if (!(await writeRecord(record, { client, namespace, resourceVersion: kept?.metadata.resourceVersion })))
      return await recycle({ metadata, data }, { client, say });
    if (kept !== undefined) say(`ConfigMap ${namespace}/${configName} has changed: deleting ${Object.keys(pods).length} pods`);
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
    // The pod is gone, or a new pod has its name.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

function readRecord(map: DeepReadonly<ConfigMap> | undefined): Record | undefined {
  const { seen, pods } = map?.data ?? {};
  return seen === undefined ? undefined : { seen: JSON.parse(seen) as Record["seen"], pods: JSON.parse(pods ?? "{}") as Record["pods"] };
}

/** Returns false when another process has written the record in the meantime. */
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
