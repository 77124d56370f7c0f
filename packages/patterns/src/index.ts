/** What controller authors write again and again, once and right. What stands here is a promise; the rest is ours to change. */

// A custom resource as one value
export { installResource } from "./resource/install-resource.ts";
export type { InstallOptions } from "./resource/install-resource.ts";
export { IncompatibleResourceError } from "./resource/incompatible-resource-error.ts";
export { defineResource } from "./resource/define-resource.ts";
export type { SubresourcesOf } from "./resource/define-resource.ts";
export type { ColumnDefinition, DefinitionOptions, OlderVersion, Resource, ResourceDefinition, ResourceObject, Rule, ScaleDefinition, StatusBasics } from "./resource/resource.ts";
export { InvalidObjectError } from "./resource/invalid-object-error.ts";
export type { ObjectIssue } from "./resource/invalid-object-error.ts";
export { UnsayableSchemaError } from "./schema/refusal.ts";
export type { Refusal } from "./schema/refusal.ts";
export type { ZodSchema } from "./schema/zod-node.ts";

// Children: counted, created slowly, named
export { Expectations } from "./children/expectations.ts";
export type { ExpectationsOptions } from "./children/expectations.ts";
export { slowStart } from "./children/slow-start.ts";
export type { SlowStartOptions, SlowStartOutcome } from "./children/slow-start.ts";
export { safeConcatName } from "./names/safe-concat-name.ts";

// Before an object goes, and what is said of its state
export { finalize } from "./finalizers/finalizer.ts";
export type { Finalized, FinalizerOptions } from "./finalizers/finalizer.ts";
export { condition, nextStatus, writeStatus } from "./status/write-status.ts";
export type { StatedCondition, StatedStatus, WriteStatusOptions } from "./status/write-status.ts";
