/** Pods and workloads in shape, for tests: what is said goes through the codec, so everything else is as the server fills it in. */
import { printFieldError } from "@drover/machinery";
import type { FieldError, JsonObject, Kind, KubeObject } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { Pod } from "@drover/api/core/v1";
import { builtInCodec } from "../codec/built-in-codec.ts";
import type { StrategyContext } from "../registry/strategy.ts";
import { setDefaultsOf } from "../builtin/defaults/defaults.ts";
import { typedObject } from "../typed-object.ts";

/** Somebody, at the beginning of time. */
export const sampleContext: StrategyContext = { now: 0, user: { name: "somebody", groups: [] }, dryRun: false };

/** An object of a kind, called "web" unless it says otherwise. */
export function sampleOf<T extends KubeObject>(kind: Kind<T>, body: JsonObject): T {
  const { object } = builtInCodec(kind, setDefaultsOf(kind, { clock: new ManualClock() })).decodeBody(
    JSON.stringify({ ...body, metadata: { name: "web", namespace: "default", ...(body["metadata"] as JsonObject | undefined) } }),
    "application/json",
  );
  return typedObject(kind, object);
}

/** A pod that nothing is wrong with but what its spec says. */
export function samplePod(spec: JsonObject = {}, metadata: JsonObject = {}): Pod {
  return sampleOf(Pod, { metadata, spec: { containers: [{ name: "c", image: "nginx:1" }], ...spec } });
}

/** … but what its one container says. */
export function sampleContainer(container: JsonObject, spec: JsonObject = {}): Pod {
  return samplePod({ ...spec, containers: [{ name: "c", image: "nginx:1", ...container }] });
}

/** … but what the source of its one volume says. */
export function sampleVolume(source: JsonObject): Pod {
  return samplePod({ volumes: [{ name: "v", ...source }] });
}

/** The template of pods labelled `app: web`. */
export function sampleTemplate(spec: JsonObject = {}, metadata: JsonObject = { labels: { app: "web" } }): JsonObject {
  return { metadata, spec: { containers: [{ name: "c", image: "nginx:1" }], ...spec } };
}

/** A workload that selects `app: web`. */
export function sampleWorkload<T extends KubeObject>(kind: Kind<T>, spec: JsonObject = {}, metadata: JsonObject = {}): T {
  return sampleOf(kind, { metadata, spec: { selector: { matchLabels: { app: "web" } }, template: sampleTemplate(), ...spec } });
}

/** Each error on a line, as the server prints it. */
export function texts(errors: readonly FieldError[] | undefined): string[] {
  return (errors ?? []).map(printFieldError);
}
