/**
 * The program of the scripts: an informer with a handler and two indexes for each kind, and a controller of Gadgets.
 *
 *     Stage.transport → Program: caches, handlers, controller → Line[]
 */
import { createCluster, createInformerFactory, listWatcher } from "@drover/cache";
import type { Cluster, InformerFactory, InformerRequest, InformerView, VersionSource } from "@drover/cache";
import { createController, kindSource, mappedHandler } from "@drover/controller";
import type { Controller, ReconcileContext, Result } from "@drover/controller";
import { ConfigMap } from "@drover/api/core/v1";
import { encodeJson, isNotFound, objectKey } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey, Runtime } from "@drover/machinery";
import type { MemorySnapshots } from "../../packages/cache/src/testing/memory-snapshots.ts";
import { serverIdentity } from "../../packages/cache/src/snapshot/server-identity.ts";
import type { Configuration } from "./configuration.ts";
import { EventWindow } from "./record.ts";
import type { Line } from "./record.ts";
import { Gadget, scriptKinds } from "./script-kinds.ts";
import type { Stage } from "./stage.ts";

/** Replaces a source, to plant a difference. */
export type SourceChange = <T extends KubeObject>(source: VersionSource<T>) => VersionSource<T>;

export interface ProgramParts {
  readonly watchList: boolean;
  /** What the lives of the program share. */
  readonly snapshots: MemorySnapshots;
  readonly change: SourceChange | undefined;
}

export class Program {
  readonly #stage: Stage;
  readonly #informers = new Map<string, InformerView<KubeObject>>();
  readonly #windows = new Map<string, EventWindow>();
  readonly #controller: Controller;
  /** Last result by key. */
  readonly #results = new Map<string, Line>();
  readonly #stop = new AbortController();
  readonly #ended: Promise<unknown>;

  constructor(stage: Stage, configuration: Configuration, parts: ProgramParts) {
    this.#stage = stage;
    const cluster = clusterOf(stage, configuration, parts);
    const request = (name: string): InformerRequest => ({
      namespace: "default",
      watchList: parts.watchList,
      ...(configuration.hasFields ? { fields: scriptKinds[name]?.fields ?? [] } : {}),
    });
    for (const [name, { kind }] of Object.entries(scriptKinds)) {
      const { informer } = cluster.informers.acquire(kind, request(name));
      informer.addIndexers({
        app: ({ labels }) => [labels["app"] ?? "none"],
        node: ({ object }) => [(object as unknown as PodPart).spec?.nodeName ?? "none"],
      });
      const window = new EventWindow(name);
      informer.addHandler((changed) => window.add(changed), { name: "script" });
      this.#windows.set(name, window);
      this.#informers.set(name, informer);
    }
    this.#controller = createController({ name: "gadgets", cluster, reconcile: (context) => this.#reconcile(context) });
    this.#controller.watch(kindSource(Gadget, { cluster, writers: false, request: request("Gadget") }));
    const pods = scriptKinds["Pod"];
    if (pods !== undefined)
      this.#controller.watch(
        kindSource(pods.kind, { cluster, writers: false, request: request("Pod"), handler: mappedHandler((pod) => gadgetOf(pod)) }),
      );
    this.#ended = Promise.all([cluster.run(this.#stop.signal), this.#controller.run(this.#stop.signal)]);
    this.#ended.catch(() => undefined);
  }

  /** Whether the caches show what the server has, and the controller has nothing to do. */
  hasSeen(truth: ReadonlyMap<string, ReadonlyMap<string, string>>): boolean {
    const { phase, active, ready, waiting } = this.#controller.state();
    if (phase !== "running" || active + ready + waiting > 0 || this.#stage.isCalling) return false;
    for (const [name, informer] of this.#informers) {
      const [expected, known] = [truth.get(name), this.#windows.get(name)?.versions];
      if (!informer.hasSynced || expected === undefined || known === undefined || expected.size !== known.size) return false;
      for (const [key, version] of expected) if (known.get(key) !== version) return false;
    }
    return true;
  }

  /** Returns what handlers were told and what the controller has done since the last call. */
  seen(at: string): readonly Line[] {
    const told = [...this.#windows.values()].flatMap((window) => window.close(at));
    const wrong = [...this.#windows.values()].flatMap(({ contradictions }) => contradictions.splice(0));
    const results = [...this.#results.values()].toSorted((a, b) => (a.what < b.what ? -1 : 1));
    this.#results.clear();
    return [
      ...told,
      ...wrong.map((what) => ({ what: `${at} contradiction: ${what}`, objects: [] })),
      ...results.map((line) => ({ ...line, what: `${at} ${line.what}` })),
    ];
  }

  /** Returns all objects of all caches. */
  views(at: string): readonly Line[] {
    return [...this.#informers].map(([name, informer]) => cachedLine(`${at} view ${name}`, name, informer.list()));
  }

  /** Reads one cache in every way. */
  look(at: string, kind: string, name: string, selector: string): readonly Line[] {
    const informer = this.#informers.get(kind);
    if (informer === undefined) throw new Error(`no informer of ${kind}`);
    const found = informer.get(objectKey(name, "default"));
    const keys = [informer.keys().toSorted(), informer.indexKeys("app", "web"), informer.listIndexValues("node").toSorted()];
    return [
      cachedLine(`${at} get ${kind} ${name}`, kind, found === undefined ? [] : [found]),
      cachedLine(`${at} list ${kind} ${selector}`, kind, informer.list({ labelSelector: selector })),
      cachedLine(`${at} index ${kind}`, kind, [...informer.byIndex("app", "web"), ...informer.byIndex("node", "none")]),
      { what: `${at} keys ${kind} ${encodeJson(keys)} ${informer.size}`, objects: [] },
    ];
  }

  /** Resolves when everything has stopped. */
  async end(advance: () => Promise<unknown>): Promise<void> {
    this.#stop.abort();
    const life = { isOver: false };
    const over = this.#ended.finally(() => (life.isOver = true));
    over.catch(() => undefined);
    for (let turn = 0; turn < 1000 && !life.isOver; turn++) await advance();
    if (!life.isOver) throw new Error("the program does not end");
    await over;
  }

  /** Writes a child and the status, and notes what it has read. */
  async #reconcile({ key, client }: ReconcileContext): Promise<Result> {
    const gadget: DeepReadonly<GadgetObject> | undefined = this.#informers.get("Gadget")?.get(key);
    const name = `child-of-${key.split("/")[1]}`;
    const pods = (this.#informers.get("Pod")?.list({ labelSelector: `gadget=${key.split("/")[1]}` }) ??
      []) as unknown as readonly PodPart[];
    const read = pods.map(({ metadata, spec, status }) => [metadata.name, spec?.nodeName ?? "", status?.phase ?? ""].join(" ")).toSorted();
    const note = (result: string): Result => {
      this.#results.set(key, {
        what: `reconciled ${key} of ${gadget?.metadata.resourceVersion ?? "none"} with ${encodeJson(read)}: ${result}`,
        objects: [],
      });
      return { type: "done" };
    };
    const child = this.#informers.get("ConfigMap")?.get(objectKey(name, "default"));
    if (gadget === undefined) {
      if (child !== undefined) await client.delete(ConfigMap, name, { namespace: "default" }).catch(onlyMissing);
      return note("gone");
    }
    const size = gadget.spec?.size ?? 0;
    if (size === 4) {
      note("refused");
      return { type: "stop", reason: "too large" };
    }
    const applied = { metadata: { name, namespace: "default" }, data: { size: String(size) } };
    await client.apply(ConfigMap, applied, { fieldManager: "gadgets" });
    if (gadget.status?.observed !== size)
      await client
        .dynamic(Gadget as never)
        .patch(
          gadget.metadata.name ?? "",
          { type: "merge", body: { status: { observed: size } } },
          { subresource: "status", namespace: "default" },
        )
        .catch(onlyMissing);
    return note("done");
  }
}

interface GadgetObject extends KubeObject {
  readonly spec?: { readonly size?: number };
  readonly status?: { readonly observed?: number };
}

interface PodPart {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

const onlyMissing = (error: unknown): void => {
  if (!isNotFound(error)) throw error;
};

const gadgetOf = ({ metadata }: DeepReadonly<KubeObject>): readonly ObjectKey[] => {
  const name = metadata.labels?.["gadget"];
  return name === undefined ? [] : [objectKey(name, "default")];
};

const cachedLine = (what: string, kind: string, objects: readonly DeepReadonly<KubeObject>[]): Line => ({
  what,
  objects: objects.map((object) => encodeJson(object)).toSorted(),
  cached: kind,
});

/** Caches as `createCluster` makes them, apart from what it does not let a program choose. */
function clusterOf(
  stage: Stage,
  { format, decode, hasSnapshots }: Configuration,
  { snapshots: store, change = (same) => same }: ProgramParts,
): Cluster {
  const runtime: Runtime = stage.runtime();
  const { transport } = stage;
  const cluster = createCluster({ runtime, transport, namespace: "default" });
  const informers: InformerFactory = createInformerFactory({
    runtime,
    audit: false,
    informer: { reflector: { pageSize: 1 } },
    sourceFor: (request) => change(listWatcher({ transport, clock: runtime.clock, ...request, format, decode })),
    ...(hasSnapshots ? { snapshot: { store, intervalMs: 5000, server: serverIdentity(transport, "") } } : {}),
  });
  return { ...cluster, informers, run: (signal) => informers.run(signal) };
}
