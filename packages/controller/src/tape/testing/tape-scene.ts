/**
 * A tape with runs, for tests: every run is numbered, takes as long as its calls, and records what it wrote.
 *
 *     const scene = tapeScene();
 *     await scene.run({ controller: "web", causes: [seen(updated(before, object))], calls: [wrote(object)] });
 */
import type { Change } from "@drover/cache";
import { definedOnly, objectKey, parseTime } from "@drover/machinery";
import type { DeepReadonly, GroupKind, KubeObject, ObjectKey } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import type { RecordingLog } from "@drover/machinery/testing";
import type { Cause, WatchCause } from "../../causes/cause.ts";
import { createTape } from "../recording-tape.ts";
import type { RecordingTape, TapeOptions } from "../recording-tape.ts";
import type { CallRecord, ResultRecord } from "../run-record.ts";
import type { RunStart } from "../tape.ts";

export const deployment: GroupKind = { group: "apps", kind: "Deployment" };

const done: ResultRecord = Object.freeze({ type: "done" });

export interface SceneRun extends Partial<Omit<RunStart, "run">> {
  readonly calls?: readonly Omit<CallRecord, "atMs">[];
  /** @default done */
  readonly result?: ResultRecord;
}

export interface TapeScene {
  readonly clock: ManualClock;
  readonly log: RecordingLog;
  readonly tape: RecordingTape;
  /** Records a run of web/shop by "web"; returns its id: "7f#1", "7f#2", … */
  readonly run: (run?: SceneRun) => Promise<string>;
}

/** Returns an empty tape at 14:03:00 of the first day of 2026. */
export function tapeScene(options: Partial<TapeOptions> = {}): TapeScene {
  const clock = new ManualClock({ nowMs: parseTime("2026-01-01T14:03:00Z") });
  const log = recordingLog(clock);
  const tape = createTape({ clock, log, ...options });
  let count = 0;
  return {
    clock,
    log,
    tape,
    run: async ({ calls = [], result = done, ...start } = {}) => {
      const run = `7f#${++count}`;
      const causes = start.causes ?? [];
      const taped = tape.begin({
        controller: "web",
        key: objectKey("shop", "web"),
        causeCount: causes.length,
        attempts: 0,
        waitedMs: 0,
        ...start,
        causes,
        run,
      });
      let atMs = 0;
      for (const call of calls) {
        await clock.advance(call.tookMs);
        taped.call({ ...call, atMs });
        atMs += call.tookMs;
      }
      taped.end(result);
      await clock.advance(1);
      return run;
    },
  };
}

/** Returns a change of an object as a cause. */
export function seen<T extends KubeObject>(
  change: Change<T>,
  { kind = deployment, via = "self", cluster = "" }: Partial<Omit<WatchCause, "type" | "change">> = {},
): Cause {
  return { type: "change", kind, via, cluster, change: change as Change };
}

/** Returns a call that wrote this version of an object, in three milliseconds. */
export function wrote(
  object: DeepReadonly<KubeObject>,
  {
    method = "PUT",
    path = "/apis/apps/v1/namespaces/web/deployments/shop",
    manager,
  }: { readonly method?: string; readonly path?: string; readonly manager?: string } = {},
): Omit<CallRecord, "atMs"> {
  const { uid = "", resourceVersion = "" } = object.metadata;
  return { method, path, tookMs: 3, status: 200, wrote: { uid, resourceVersion, ...definedOnly({ manager }) } };
}

/** Fields of a sample object. */
export interface ShopOptions {
  readonly replicas?: number;
  readonly labels?: Record<string, string>;
  /** Its managers and the fields they own, oldest first. */
  readonly managers?: readonly (readonly [manager: string, fieldsV1: Readonly<Record<string, unknown>>, subresource?: string])[];
  readonly terminating?: boolean;
}

/** Returns Deployment web/shop in some version, with replicas. */
export function shop(
  version: number,
  { replicas = 1, labels, managers, terminating = false }: ShopOptions = {},
): KubeObject & { spec: { replicas: number } } {
  return {
    metadata: {
      name: "shop",
      namespace: "web",
      uid: "shop-uid",
      resourceVersion: String(version),
      generation: version,
      ...definedOnly({ labels }),
      ...(terminating ? { deletionTimestamp: "2026-01-01T14:00:00Z" } : {}),
      ...definedOnly({
        managedFields: managers?.map(([manager, fieldsV1, subresource], index) => ({
          manager,
          operation: "Update",
          apiVersion: "apps/v1",
          time: `2026-01-01T14:02:${String(index).padStart(2, "0")}Z`,
          fieldsType: "FieldsV1",
          fieldsV1,
          ...definedOnly({ subresource }),
        })),
      }),
    },
    spec: { replicas },
  };
}

export const shopKey: ObjectKey = objectKey("shop", "web");
/** Returns the FieldsV1 of spec.replicas. */
export const replicasField: Readonly<Record<string, unknown>> = { "f:spec": { "f:replicas": {} } };
