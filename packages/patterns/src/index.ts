/** What controller authors write again and again, once and right. What stands here is a promise; the rest is ours to change. */

// A custom resource as one value
export { installResource } from "./resource/install-resource.ts";
export type { InstallOptions } from "./resource/install-resource.ts";
export { IncompatibleResourceError } from "./resource/incompatible-resource-error.ts";
export { defineResource } from "./resource/define-resource.ts";
export type { SubresourcesOf } from "./resource/define-resource.ts";
export type {
  ColumnDefinition,
  DefinitionOptions,
  OlderVersion,
  Resource,
  ResourceDefinition,
  ResourceObject,
  Rule,
  ScaleDefinition,
  StatusBasics,
} from "./resource/resource.ts";
export { InvalidObjectError } from "./resource/invalid-object-error.ts";
export type { ObjectIssue } from "./resource/invalid-object-error.ts";
export { UnsayableSchemaError } from "./schema/refusal.ts";
export type { Refusal } from "./schema/refusal.ts";
export type { ZodIssue, ZodOutput, ZodSchema, ZodVerdict } from "./schema/zod-schema.ts";

// A custom resource of which only its definition is known: as a value, and as code
export { kindFromCrd } from "./crd/kind-from-crd.ts";
export type { KindFromCrdOptions } from "./crd/kind-from-crd.ts";
export { isCrd } from "./crd/crd-shape.ts";
export { generatedBy, generateKinds } from "./crd/generate-kinds.ts";
export type { GenerateKindsOptions } from "./crd/generate-kinds.ts";

// Children: counted, created slowly, named
export { Expectations } from "./children/expectations.ts";
export type { ExpectationsOptions } from "./children/expectations.ts";
export { slowStart } from "./children/slow-start.ts";
export type { SlowStartOptions, SlowStartOutcome } from "./children/slow-start.ts";
export { safeConcatName } from "./names/safe-concat-name.ts";

// Children: whose they are, found by their owner, adopted and released
export { claim, decideClaim } from "./children/claim.ts";
export type { Claim, ClaimDecision } from "./children/claim.ts";
export { claimChildren } from "./children/claim-children.ts";
export type { ControllerRefManagerOptions } from "./children/claim-children.ts";
export { ClaimError } from "./children/claim-error.ts";
export { addOwnerIndex, ownedChildren, ownerIndex, ownerIndexers } from "./children/owned-children.ts";
export type { OwnedChildrenOptions } from "./children/owned-children.ts";

// Before an object goes, and what is said of its state
export { finalize } from "./finalizers/finalizer.ts";
export type { Finalized, FinalizerContext, FinalizerOptions } from "./finalizers/finalizer.ts";
export { condition, nextStatus, writeStatus } from "./status/write-status.ts";
export type { StatedCondition, StatedStatus, WriteStatusOptions } from "./status/write-status.ts";

// Wrangler under its own names
export { newFactory } from "./wrangler/generic-factory.ts";
export type { Factory, FactoryOptions } from "./wrangler/generic-factory.ts";
export type { ControllerInterface, ControllerMeta, Until, Updater } from "./wrangler/generic-controller.ts";
export type { ClientInterface } from "./wrangler/client-interface.ts";
export { newGenericCache } from "./wrangler/generic-cache.ts";
export type { CacheInterface } from "./wrangler/generic-cache.ts";
export type { NameArguments, NamespaceArguments } from "./wrangler/scope-arguments.ts";
export { newRemoveHandler } from "./wrangler/remove-handler.ts";
export type { OnRemoveOptions, RemoveHandler } from "./wrangler/remove-handler.ts";
export { ErrSkip } from "./wrangler/err-skip.ts";
export { registerStatusHandler } from "./wrangler/status-handler.ts";
export type { StatusHandler, StatusOf, WithStatus } from "./wrangler/status-handler.ts";
export { StatusError } from "./wrangler/status-error.ts";
export { keep, registerGeneratingHandler } from "./wrangler/generating-handler.ts";
export type { Generated, GeneratingHandler, GeneratingHandlerOptions, Kept } from "./wrangler/generating-handler.ts";
export { newApply } from "./wrangler/apply-builder.ts";
export type { Apply, NewApplyOptions, Plan } from "./wrangler/apply-builder.ts";
export type { CallContext, Injector, ReferenceChoice } from "./wrangler/apply-choices.ts";
export { ErrNoInformerFound } from "./wrangler/cached-members.ts";
export type { CacheType } from "./wrangler/cached-members.ts";
export { ErrOwnerNotFound } from "./wrangler/object-owner.ts";
export { relatedresource } from "./wrangler/related-resource.ts";
export type { ClusterScopedEnqueuer, Enqueuer, Key, RelatedResource, Resolver, Watched } from "./wrangler/related-resource.ts";
export { newObjectSet, ObjectSet } from "./wrangler/object-set.ts";
export { cond } from "./wrangler/cond.ts";
export type { Cond, CondOptions, TimeSource } from "./wrangler/cond.ts";
export type { AnyCondition, ConditionForm, ConditionStatement, GenericCondition } from "./wrangler/generic-condition.ts";
export { kstatus } from "./wrangler/kstatus.ts";
export type { Kstatus } from "./wrangler/kstatus.ts";
export { crd } from "./wrangler/crd-builder.ts";
export type { CRD, CrdPackage, ScalePaths } from "./wrangler/crd-builder.ts";
export { crdObjects, newCrdFactory, printCRDs } from "./wrangler/crd-factory.ts";
export type { AnyDefinition, CrdFactory, CrdFactoryOptions } from "./wrangler/crd-factory.ts";
export { guessPluralName } from "./wrangler/guess-plural-name.ts";
export { newTrigger } from "./wrangler/trigger.ts";
export type { AllHandler, Trigger } from "./wrangler/trigger.ts";
export { data } from "./wrangler/data.ts";
export type { Data } from "./wrangler/data.ts";
export { summarize } from "./wrangler/summary.ts";
export type { Summary } from "./wrangler/summary.ts";

// The objects an owner should have: applied, pruned, planned
export { apply } from "./apply/apply.ts";
export { planApply, printPlan } from "./apply/apply-plan.ts";
export type { ApplyPlan, PlannedChange, PlannedField } from "./apply/apply-plan.ts";
export { ApplyMemory, createApplyMemory } from "./apply/apply-memory.ts";
export type { ApplyMemoryOptions, Rendering, KnownInventory } from "./apply/apply-memory.ts";
export type {
  AppliedChange,
  ApplyContext,
  ApplyOutcome,
  ApplySet,
  DesiredObject,
  ImmutablePolicy,
  MemberLookup,
  SetOwner,
} from "./apply/apply-set.ts";
export { ApplySetError } from "./apply/apply-set-error.ts";
export { ForeignOwnerError } from "./apply/foreign-owner-error.ts";
export { isReady } from "./apply/is-ready.ts";
export { setLabel } from "./apply/set-identity.ts";

// An operator: controllers as values, before there is a cluster
export { createOperator } from "./operator/operator.ts";
export type { Operator, OperatorController, OperatorOptions } from "./operator/operator.ts";
export type { OperatorPlace, OperatorRun } from "./operator/operator-place.ts";
export type { PerRun } from "./operator/per-run.ts";
export type { OperatorRolesOptions } from "./operator/operator-needs.ts";
export type { ControllerDeclaration, OwnedSetOptions, Stated } from "./operator/controller-declaration.ts";
export type {
  CachePlace,
  CacheReads,
  EffectContext,
  EventDetails,
  HeldSlot,
  LiveReads,
  ObjectEvents,
  StateContext,
  StatusContext,
} from "./operator/operator-context.ts";
export type { IndexReader, OperatorIndex } from "./operator/operator-index.ts";
export { many, one } from "./operator/slot.ts";
export type { Cached, Desired, DesiredChild, Owned, Owns, OwnsNothing, Slot, SlotObject, SlotOptions } from "./operator/slot.ts";
export { hold } from "./operator/hold.ts";
export type { Hold } from "./operator/hold.ts";
export { terminal, TerminalError } from "./operator/terminal-error.ts";
export type { Answer, AnswerAfter } from "./operator/answer.ts";
export type { Duration } from "./operator/duration.ts";
export { MistakeError } from "./operator/mistake-error.ts";
export type { Mistake } from "./operator/mistake-error.ts";
export { pausedAnnotation } from "./operator/object-reconciler.ts";
export { slotAnnotation } from "./operator/read-owned.ts";
export { reference } from "./schema/reference.ts";
export type { ReferenceStep, ResourceReference } from "./schema/reference.ts";
