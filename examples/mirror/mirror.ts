import { hostname } from "node:os";
import { parseArgs } from "node:util";
import {
  connect,
  createCluster,
  createManager,
  done,
  kindSource,
  needOf,
  newControllerRef,
  nodeRuntime,
  objectKey,
  ownedSource,
  parseDuration,
  semanticEqual,
  splitObjectKey,
  stopSignal,
} from "drover";
import { ConfigMap } from "drover/kinds";

const { values } = parseArgs({
  options: {
    /** Identifies the replica in the lease and in the server's audit log. */
    name: { type: "string", default: hostname() },
    "lease-duration": { type: "string", default: "15s" },
    "renew-deadline": { type: "string", default: "10s" },
    "retry-period": { type: "string", default: "2s" },
    /** Stands for election again after losing the lease, instead of exiting with an error. */
    "stand-again": { type: "boolean", default: false },
  },
});

const runtime = nodeRuntime();
const connection = await connect({ runtime, userAgent: values.name });
const { namespace, transport } = connection;
const cluster = createCluster({ runtime, transport, namespace, fieldManager: "mirror" });

const manager = createManager({
  runtime,
  cluster,
  leaderElection: {
    namespace,
    name: "mirror",
    identity: `${values.name}_${runtime.uid()}`,
    leaseDurationMs: parseDuration(values["lease-duration"]),
    renewDeadlineMs: parseDuration(values["renew-deadline"]),
    retryPeriodMs: parseDuration(values["retry-period"]),
    onLostLease: values["stand-again"] ? "standAgain" : "end",
  },
});

const sources = kindSource(ConfigMap, { cluster, request: { namespace, labelSelector: "mirror=yes" } });
const mirrors = ownedSource(ConfigMap, { cluster, request: { namespace, labelSelector: "mirror-of" }, owner: ConfigMap });

const controller = manager.controller({
  name: "mirror",
  workers: 4,
  writes: [needOf(ConfigMap, ["create", "update"], { namespace })],
  reconcile: async ({ key, client }) => {
    const source = sources.informer?.get(key);
    if (source === undefined) return done; // the garbage collector deletes the mirror
    const { name } = splitObjectKey(key);
    const mirror = mirrors.informer?.get(objectKey(`${name}-mirror`, namespace));
    const data = { ...source.data };
    if (mirror === undefined)
      await client.create(ConfigMap, {
        metadata: { name: `${name}-mirror`, labels: { "mirror-of": name }, ownerReferences: [newControllerRef(source, ConfigMap)] },
        data,
      });
    else if (!semanticEqual(mirror.data, data)) await client.update(ConfigMap, { ...mirror, data });
    return done;
  },
});
controller.watch(sources);
controller.watch(mirrors);

await manager.run(stopSignal());
await connection.close();
