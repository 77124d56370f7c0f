/** Deterministic simulation of controllers. Everything exported here is public API. */
export { prove } from "./search/prove.ts";
export type { Failure, ProveOptions, Verdict } from "./search/prove.ts";
export type { Sim, Subject } from "./search/subject.ts";
export type { Scene, Stage } from "./scene/scene.ts";
export type { CheckName, Finding } from "./checks/finding.ts";
export { ExternalError } from "./scene/external.ts";
export type { External, ExternalOptions, Methods } from "./scene/external.ts";
export { storyOf } from "./report/story.ts";
export { SimServer } from "./world/sim-server.ts";
