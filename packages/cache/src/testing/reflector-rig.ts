/**
 * A reflector between a scripted API and a map, on a manual clock, for tests of faults.
 *
 *     const rig = reflectorRig();
 *     rig.write("web");
 *     await rig.settled();
 *     expect(rig.differences()).toEqual([]);
 */
import { createClient } from "@drover/client";
import { ConfigMap } from "@drover/api/core/v1";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { listWatcher } from "../source/late-list-watcher.ts";
import { listWatchFromClient, versionsFrom } from "../source/list-watcher.ts";
import type { ListWatchOptions } from "../source/list-watcher.ts";
import { createReflector } from "../reflector/reflector.ts";
import type { Reflector, ReflectorOptions } from "../reflector/reflector.ts";
import type { VersionSource } from "../source/version-source.ts";
import { MapSink } from "./map-sink.ts";
import { ScriptedApi } from "./scripted-api.ts";
import type { ScriptedApiOptions } from "./scripted-api.ts";

export interface ReflectorRigOptions {
  /** @default 1 */
  readonly seed?: number;
  readonly api?: Partial<ScriptedApiOptions>;
  readonly reflector?: Partial<ReflectorOptions<ConfigMap>>;
  readonly select?: ListWatchOptions;
  /** Objects decoded on first access, or by the client. @default "late" */
  readonly source?: "late" | "classic";
}

export interface ReflectorRig {
  readonly runtime: TestRuntime;
  readonly clock: ManualClock;
  readonly api: ScriptedApi;
  readonly sink: MapSink<ConfigMap>;
  readonly reflector: Reflector;
  /** Resolves when the reflector has stopped. */
  readonly running: Promise<void>;
  /** Creates or updates config maps in "shop". */
  write(...names: readonly string[]): void;
  /** Advances the clock, by default by the minute within which everything must have recovered. */
  settled(ms?: number): Promise<void>;
  /** Differences between the map and the server. */
  differences(): string[];
  stop(): Promise<void>;
}

/** Creates the rig and starts the reflector; nothing happens before the clock advances. */
export function reflectorRig({
  seed = 1,
  api: apiOptions = {},
  reflector: options = {},
  select = {},
  source: form = "late",
}: ReflectorRigOptions = {}): ReflectorRig {
  const clock = new ManualClock({ quietTurns: 64 });
  const runtime = testRuntime({ seed, clock });
  const api = new ScriptedApi({ clock, random: runtime.random.stream("api"), ...apiOptions });
  const sink = new MapSink<ConfigMap>();
  const source = (form === "late" ? lateSource : classicSource)(api, runtime, { namespace: "*", ...select });
  const reflector = createReflector<ConfigMap>({ source, sink, runtime, ...options });
  const stopped = new AbortController();
  const running = reflector.run(stopped.signal);
  return {
    runtime,
    clock,
    api,
    sink,
    reflector,
    running,
    write: writeTo(api),
    settled: (ms = 60_000) => clock.advance(ms),
    differences: () => contentDifferences(api, sink.contents()),
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

/** The source that Drover's informers use. */
export function lateSource({ transport }: ScriptedApi, { clock }: TestRuntime, select: ListWatchOptions): VersionSource<ConfigMap> {
  return listWatcher({ transport, clock, kind: ConfigMap, ...select });
}

function classicSource({ transport }: ScriptedApi, { clock, log }: TestRuntime, select: ListWatchOptions): VersionSource<ConfigMap> {
  return versionsFrom(listWatchFromClient(createClient({ transport, clock, log, namespace: "shop" }), ConfigMap, select));
}

/** Creates or updates config maps in "shop", each time with other data. */
export function writeTo(api: ScriptedApi): (...names: readonly string[]) => void {
  let writes = 0;
  return (...names) => {
    for (const name of names) api.put({ metadata: { namespace: "shop", name }, data: { write: String(++writes) } });
  };
}

/** Returns the differences between lines of "key uid @version" and the server. */
export function contentDifferences(api: ScriptedApi, lines: readonly string[]): string[] {
  const wanted = new Set([...api.objects].map(([key, { metadata }]) => `${key} ${metadata.uid} @${metadata.resourceVersion}`));
  const got = new Set(lines);
  return [
    ...[...wanted].filter((line) => !got.has(line)).map((line) => `missing ${line}`),
    ...[...got].filter((line) => !wanted.has(line)).map((line) => `extra ${line}`),
  ];
}
