import type { ProblemArea } from "../problem.ts";

export const caches: ProblemArea = {
  title: "Caches",
  problems: [
    {
      code: "DRV0501",
      title: "Caches have not synced in time",
      means:
        "A controller starts only when its caches are complete, else it would delete what it does not see. Some could not list their objects, so the program ends.",
      causes: [
        "The permission to list or watch a kind is missing.",
        "The CustomResourceDefinition is not installed.",
        "The list is too large for the time, or the server is slow.",
        "The server cannot be reached.",
      ],
      find: ["The message names each cache and why. `kubectl get KIND -A --v=6` sends the same list."],
      fixes: [
        "Grant what `app.roles()` prints; install the definition, or declare the kind as `optional`.",
        "Watch less: `app.run({ watchNamespaces })`, or `withFields` for the fields that you read.",
      ],
    },
    {
      code: "DRV0502",
      title: "An object cannot be decoded",
      means:
        "An object in a list or watch is broken. The cache leaves it out and goes on with all others; it is as if the object did not exist.",
      causes: ["An aggregated API server or a conversion webhook returns invalid objects.", "Metadata lacks a name."],
      find: [
        "The line names kind, key and problem. `kubectl get KIND NAME -o json`",
        "`drover status` shows how many there are per cache.",
      ],
      fixes: ["Repair the webhook or API server; correct or delete the object."],
    },
    {
      code: "DRV0503",
      title: "A handler is slow",
      means:
        "A handler of cache changes has not returned for a minute. Its other changes wait and are merged; other handlers are not affected.",
      causes: ["The handler waits for a request or an external system.", "It never resolves."],
      find: ["The line names handler, key and change."],
      fixes: ["Let handlers only enqueue keys, and do the work in `reconcile`.", "Give the handler a `timeoutMs`."],
    },
    {
      code: "DRV0504",
      title: "A cache differed from the server and was repaired",
      means:
        "The audit compared cache and server at the same version and found differences. Events were lost on the way. The cache is correct again, and the changes were delivered.",
      causes: ["A proxy or an API server with a bug in its watch cache.", "A bug in Drover: please report it with the line."],
      find: ["The fields name up to ten objects of each kind of difference."],
      fixes: ["Upgrade the API server or the proxy. If it repeats against kube-apiserver directly, report it."],
    },
    {
      code: "DRV0505",
      title: "Resource versions of the server went back",
      means:
        "The server answers with older versions than before, for good. Drover takes its state as the new truth and delivers the differences.",
      causes: ["etcd was restored from a backup.", "The address leads to another cluster now."],
      find: ["The fields `from` and `to`; ask who restored the cluster."],
      fixes: ["Nothing, after a restore. Objects that were created since the backup are gone, and owners create theirs again."],
    },
    {
      code: "DRV0506",
      title: "An own write did not show up in the cache",
      means:
        "After a write the next run of the key waits until the cache has seen it, at most ten seconds. It has not, so the run works with old data and may get a conflict.",
      causes: [
        "The watch lags behind: an overloaded server, or a blocked event loop.",
        "The object is outside of what the cache watches: another namespace, or a selector that it no longer matches.",
      ],
      find: ["`drover status` shows the lag of each cache. Look for `reconcile blocked the event loop`."],
      fixes: ["Keep labels that selectors use.", "If the server is slow, reconcile fewer objects at once: `workers`."],
    },
    {
      code: "DRV0507",
      title: "A list or watch failed and is retried",
      means: "The cache keeps its last state and tries again with growing delay. Reconciles go on with data that gets older.",
      causes: [
        "The server restarts or is overloaded.",
        "A permission or a definition was removed while the operator runs.",
        "A webhook that converts the objects fails.",
      ],
      find: ["The error of the line. `drover status` shows since when each cache fails."],
      fixes: ["Nothing if it ends by itself; else what the error says."],
    },
    {
      code: "DRV0508",
      title: "An index function failed",
      means:
        "The function that computes index values threw for an object. The object is in the cache, but not in this index, so lookups miss it.",
      causes: ["A field is read that not all objects have: `pod.spec.nodeName.length`."],
      find: ["The line names index, key and error."],
      fixes: ["Handle absent fields: `(pod) => [pod.spec?.nodeName]`; undefined values are left out."],
    },
    {
      code: "DRV0509",
      title: "The server answered with older data than the cache has",
      means: "A body that is not kept in memory was read from the server, and each answer was older than what the watch has delivered.",
      causes: ["Several API servers, of which one lags behind.", "etcd was restored from a backup; the cache notices it next."],
      find: ["The message has both versions."],
      fixes: ["Let the reconcile fail; the retry reads again."],
    },
    {
      code: "DRV0510",
      title: "The snapshot of a cache is not used",
      means: "The cache lists all objects instead of resuming from its file. Only the start takes longer.",
      causes: [
        "The snapshot is of another cluster, another version of the program, or too old for the server.",
        "The file is damaged or cannot be read.",
      ],
      find: ["The field `why` or `error`."],
      fixes: ["Nothing: the next snapshot replaces it."],
    },
    {
      code: "DRV0511",
      title: "The snapshot of a cache cannot be written",
      means: "The previous snapshot stays. The next start takes longer.",
      causes: ["The volume is full or read-only, or belongs to another user."],
      find: ["The error of the line; `df` and `ls -ld` of the folder."],
      fixes: ["A writable volume, `fsGroup` in the pod's security context, or no snapshots."],
    },
    {
      code: "DRV0512",
      title: "A change was dropped, because its handler kept failing",
      means: "A handler threw for the same change six times. The change is given up; later changes of the object are delivered.",
      causes: ["A bug in the handler, or an external system that it needs is down."],
      find: ["The line names handler, key and error; the first lines have the retries."],
      fixes: ["Let handlers only enqueue keys: reconciles are retried without end.", "Raise `retriesMax` of the handler."],
    },
  ],
};
