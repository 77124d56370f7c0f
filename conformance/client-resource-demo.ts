/** `kubectl get configmaps --watch`, written with the client: what the README shows, run against a real server by client-resource-demo.test.ts. */
import { ConfigMap } from "@drover/api/core/v1";
import { watchEventError } from "@drover/client";
import type { Client } from "@drover/client";

/** Prints every ConfigMap of the namespace, then every change, until the signal. */
export async function printConfigMaps(client: Client, print: (line: string) => void, signal: AbortSignal): Promise<void> {
  const { items, metadata: { resourceVersion = "" } } = await client.list(ConfigMap, { signal });
  for (const { metadata, data } of items) print(`is there ${metadata.name} ${JSON.stringify(data ?? {})}`);
  print(`watching from version ${resourceVersion}`);

  for await (const event of client.watch(ConfigMap, { resourceVersion, signal })) {
    if (event.type === "BOOKMARK") continue;
    if (event.type === "ERROR") throw watchEventError(event, { attempt: "watch configmaps", method: "GET" });
    print(`${event.type} ${event.object.metadata.name} ${JSON.stringify(event.object.data ?? {})}`);
  }
}
