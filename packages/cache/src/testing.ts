/** Entry point for tests: a scripted API server, for tests of code that lists and watches. */
export { soakCache } from "./testing/cache-soak.ts";
export type { SoakOptions, SoakReport } from "./testing/cache-soak.ts";
export { MapSink } from "./testing/map-sink.ts";
export { ScriptedApi, refused } from "./testing/scripted-api.ts";
export type { ApiCall, ApiFault, GoneForm, ScriptedApiOptions } from "./testing/scripted-api.ts";
export type { ScriptedChances } from "./testing/scripted-chances.ts";
export type { Commit, HistorySnapshot, ScriptedObject } from "./testing/scripted-history.ts";
export type { ScriptedWatch } from "./testing/scripted-watch.ts";
export { ControllerSource } from "./testing/controller-source.ts";
