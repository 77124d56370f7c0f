/** Pods and workloads for tests. The given body passes through the codec, which adds the defaults. */
import { printFieldError } from "@drover/machinery";
import type { FieldError, JsonObject, Kind, KubeObject } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { Pod } from "@drover/api/core/v1";
import { builtInCodec } from "../codec/built-in-codec.ts";
import type { StrategyContext } from "../registry/strategy.ts";
import { setDefaultsOf } from "../builtin/defaults/defaults.ts";
import { typedObject } from "../typed-object.ts";

/** A context at time 0. */
export const sampleContext: StrategyContext = { now: 0, user: { name: "somebody", groups: [] }, dryRun: false };

/** Returns an object of a kind, named "web" by default. */
export function sampleOf<T extends KubeObject>(kind: Kind<T>, body: JsonObject): T {
  const { object } = builtInCodec(kind, setDefaultsOf(kind, { clock: new ManualClock() })).decodeBody(
    JSON.stringify({ ...body, metadata: { name: "web", namespace: "default", ...(body["metadata"] as JsonObject | undefined) } }),
    "application/json",
  );
  return typedObject(kind, object);
}

/** A valid pod, apart from the given spec. */
export function samplePod(spec: JsonObject = {}, metadata: JsonObject = {}): Pod {
  return sampleOf(Pod, { metadata, spec: { containers: [{ name: "c", image: "nginx:1" }], ...spec } });
}

/** A valid pod, apart from the fields of its only container. */
export function sampleContainer(container: JsonObject, spec: JsonObject = {}): Pod {
  return samplePod({ ...spec, containers: [{ name: "c", image: "nginx:1", ...container }] });
}

/** A valid pod, apart from the source of its only volume. */
export function sampleVolume(source: JsonObject): Pod {
  return samplePod({ volumes: [{ name: "v", ...source }] });
}

/** A template of pods labelled `app: web`. */
export function sampleTemplate(spec: JsonObject = {}, metadata: JsonObject = { labels: { app: "web" } }): JsonObject {
  return { metadata, spec: { containers: [{ name: "c", image: "nginx:1" }], ...spec } };
}

/** A workload that selects `app: web`. */
export function sampleWorkload<T extends KubeObject>(kind: Kind<T>, spec: JsonObject = {}, metadata: JsonObject = {}): T {
  return sampleOf(kind, { metadata, spec: { selector: { matchLabels: { app: "web" } }, template: sampleTemplate(), ...spec } });
}

/** Returns the errors as the server prints them. */
export function texts(errors: readonly FieldError[] | undefined): string[] {
  return (errors ?? []).map(printFieldError);
}
