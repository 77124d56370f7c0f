/**
 * Watches a cluster, one watch per kind, and passes every version of every object to the history of its namespace.
 *
 *     client → Recorder.run → History of each namespace that was opened
 */
import { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@drover/api/apps/v1";
import { CronJob, Job } from "@drover/api/batch/v1";
import { ConfigMap, Endpoints, Namespace, Node, PersistentVolumeClaim, Pod, ResourceQuota, Service } from "@drover/api/core/v1";
import { EndpointSlice } from "@drover/api/discovery/v1";
import { Event } from "@drover/api/events/v1";
import { allNamespaces } from "@drover/client";
import type { Client } from "@drover/client";
import type { Kind, KubeObject } from "@drover/machinery";
import { History } from "./history.ts";
import { namespaceOfNode } from "./scene.ts";

/** The recorded kinds. */
const recordedKinds: readonly Kind[] = [
  Namespace,
  Node,
  Pod,
  ReplicaSet,
  Deployment,
  StatefulSet,
  DaemonSet,
  ControllerRevision,
  Job,
  CronJob,
  Service,
  Endpoints,
  EndpointSlice,
  PersistentVolumeClaim,
  ConfigMap,
  ResourceQuota,
  Event,
];

/** Every namespace of a cluster with certificates has it; ours has none in one process. */
const certificateMap = "kube-root-ca.crt";

export class Recorder {
  readonly #client: Client;
  readonly #histories = new Map<string, History>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Starts to record this namespace. */
  open(namespace: string): History {
    const history = new History(namespace, () => this.#client.clock.now());
    this.#histories.set(namespace, history);
    return history;
  }

  close({ namespace }: History): void {
    this.#histories.delete(namespace);
  }

  /** Resolves when all watches have started; `ended` rejects when one of them has missed events. */
  async start(signal: AbortSignal): Promise<{ readonly ended: Promise<unknown> }> {
    const versions = await Promise.all(
      recordedKinds.map(async (kind) => (await this.#client.list(kind, { ...everywhere(kind), limit: 1 })).metadata.resourceVersion ?? ""),
    );
    return { ended: Promise.all(recordedKinds.map((kind, index) => this.#follow(kind, versions[index] ?? "", signal))) };
  }

  async #follow(kind: Kind, from: string, signal: AbortSignal): Promise<void> {
    let resourceVersion = from;
    while (!signal.aborted) {
      try {
        for await (const event of this.#client.watch(kind, {
          ...everywhere(kind),
          resourceVersion,
          allowWatchBookmarks: true,
          signal: AbortSignal.any([signal]),
        })) {
          if (event.type === "ERROR") throw new Error(`the watch of ${kind.plural} broke: ${event.object.message ?? ""}`);
          resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
          if (event.type !== "BOOKMARK" && event.object.metadata.name !== certificateMap)
            this.#histories
              .get(namespaceOf(kind, event.object))
              ?.add({ kind: kind.kind, isDeleted: event.type === "DELETED", object: event.object });
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }
}

const everywhere = (kind: Kind): { readonly namespace?: string } => (kind.scope === "Namespaced" ? { namespace: allNamespaces } : {});

/** A Namespace belongs to its own history; nodes and their Events belong to the scene that created them. */
function namespaceOf({ kind }: Kind, object: KubeObject): string {
  const { name = "", namespace = "" } = object.metadata;
  if (kind === "Namespace") return name;
  if (kind === "Node") return namespaceOfNode(name);
  const { regarding } = object as { readonly regarding?: { readonly kind?: string; readonly name?: string } };
  if (kind === "Event" && regarding?.kind === "Node") return namespaceOfNode(regarding.name ?? "");
  if (kind === "Event" && regarding?.kind === "Namespace") return regarding.name ?? "";
  return namespace;
}
