import { connect, watchEventError } from "drover";
import { ConfigMap } from "drover/kinds";

const cluster = await connect(); // the cluster of the current kubeconfig
const { items, metadata } = await cluster.client.list(ConfigMap);
for (const {
  metadata: { name },
  data,
} of items)
  console.log("exists", name, data);
console.log("watching", cluster.namespace, "from version", metadata.resourceVersion);

for await (const event of cluster.client.watch(ConfigMap, { resourceVersion: metadata.resourceVersion ?? "" })) {
  if (event.type === "BOOKMARK") continue;
  if (event.type === "ERROR") throw watchEventError(event, { attempt: "watch configmaps", method: "GET" });
  console.log(event.type, event.object.metadata.name, event.object.data);
}
