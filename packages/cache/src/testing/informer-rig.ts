/**
 * An informer on a scripted API with a handler that checks its changes, for tests of faults.
 *
 *     const rig = informerRig();
 *     rig.write("web");
 *     await rig.settled();
 *     expect(rig.differences()).toEqual([]);
 */
import type { ConfigMap } from "@drover/api/core/v1";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { createInformer } from "../informer/informer.ts";
import type { Informer, InformerOptions } from "../informer/informer.ts";
import { HandlerLedger } from "./handler-ledger.ts";
import { contentDifferences, lateSource, writeTo } from "./reflector-rig.ts";
import { ScriptedApi } from "./scripted-api.ts";
import type { ScriptedApiOptions } from "./scripted-api.ts";

export interface InformerRigOptions {
  /** @default 1 */
  readonly seed?: number;
  readonly api?: Partial<ScriptedApiOptions>;
  /** Further options of the informer. @default none */
  readonly informer?: (api: ScriptedApi, runtime: TestRuntime) => Partial<InformerOptions<ConfigMap>>;
}

export interface InformerRig {
  readonly runtime: TestRuntime;
  readonly clock: ManualClock;
  readonly api: ScriptedApi;
  readonly informer: Informer<ConfigMap>;
  /** Ledger of a handler that was registered before the start. */
  readonly ledger: HandlerLedger;
  write(...names: readonly string[]): void;
  /** Advances the clock, by default by the minute within which everything must have recovered. */
  settled(ms?: number): Promise<void>;
  /** Differences between store and server, between ledger and server, and the ledger's mistakes. */
  differences(): string[];
  stop(): Promise<void>;
}

/** Creates the rig and starts the informer. */
export function informerRig({ seed = 1, api: apiOptions = {}, informer: options = () => ({}) }: InformerRigOptions = {}): InformerRig {
  const clock = new ManualClock({ quietTurns: 64 });
  const runtime = testRuntime({ seed, clock });
  const api = new ScriptedApi({ clock, random: runtime.random.stream("api"), ...apiOptions });
  const informer = createInformer<ConfigMap>({ source: lateSource(api, runtime, { namespace: "*" }), runtime, ...options(api, runtime) });
  const ledger = new HandlerLedger();
  informer.addHandler(ledger.handle, { name: "ledger" });
  const stopped = new AbortController();
  const running = informer.run(stopped.signal);
  const stored = (): string[] =>
    informer.keys().map((key) => `${key} ${informer.getVersion(key)?.uid} @${informer.getVersion(key)?.resourceVersion}`);
  return {
    runtime,
    clock,
    api,
    informer,
    ledger,
    write: writeTo(api),
    settled: (ms = 60_000) => clock.advance(ms),
    differences: () => [
      ...contentDifferences(api, stored()).map((line) => `store: ${line}`),
      ...contentDifferences(api, ledger.contents()).map((line) => `handler: ${line}`),
      ...ledger.mistakes,
    ],
    stop: async () => {
      stopped.abort();
      await clock.advance(10_000);
      await running;
    },
  };
}
