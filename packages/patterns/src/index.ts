/** Patterns for controller authors. Everything exported here is public API; the rest may change. */

// Custom resources from zod schemas
export { installResource } from "./resource/install-resource.ts";
export type { InstallOptions } from "./resource/install-resource.ts";
export { IncompatibleResourceError, isIncompatibleResourceError } from "./resource/incompatible-resource-error.ts";
export { defineResource } from "./resource/define-resource.ts";
export type { SubresourcesOf } from "./resource/define-resource.ts";
export type {
  ColumnDefinition,
  ConvertedParts,
  DefinitionOptions,
  OlderVersion,
  Resource,
  ResourceDefinition,
  ResourceObject,
  Rule,
  ScaleDefinition,
  StatusBasics,
} from "./resource/resource.ts";
export { InvalidObjectError, isInvalidObjectError } from "./resource/invalid-object-error.ts";
export type { ObjectIssue } from "./resource/invalid-object-error.ts";
export { isUnsayableSchemaError, UnsayableSchemaError } from "./schema/refusal.ts";
export type { Refusal } from "./schema/refusal.ts";
export type { ZodIssue, ZodOutput, ZodSchema, ZodVerdict } from "./schema/zod-schema.ts";

// Custom resources from a given CRD: as a value, and as code
export { kindFromCrd } from "./crd/kind-from-crd.ts";
export type { KindFromCrdOptions } from "./crd/kind-from-crd.ts";
export { isCrd } from "./crd/crd-shape.ts";
export { generatedBy, generateKinds } from "./crd/generate-kinds.ts";
export type { GenerateKindsOptions } from "./crd/generate-kinds.ts";
export { migrateStoredVersions } from "./crd/migrate-stored-versions.ts";
export type { MigrateStoredVersionsOptions, StoredVersionsMigration } from "./crd/migrate-stored-versions.ts";
export type { MigrationProgress, RewriteCounts, UnwrittenObject } from "./crd/rewrite-objects.ts";

// Children: expectations, slow start, names
export { Expectations } from "./children/expectations.ts";
export type { ExpectationsOptions } from "./children/expectations.ts";
export { slowStart } from "./children/slow-start.ts";
export type { SlowStartOptions, SlowStartOutcome } from "./children/slow-start.ts";
export { safeConcatName } from "./names/safe-concat-name.ts";

// Children: claim, list by owner, adopt and release
export { claim, decideClaim } from "./children/claim.ts";
export type { Claim, ClaimDecision } from "./children/claim.ts";
export { claimChildren } from "./children/claim-children.ts";
export type { ControllerRefManagerOptions } from "./children/claim-children.ts";
export { ClaimError, isClaimError } from "./children/claim-error.ts";
export { addOwnerIndex, ownedChildren, ownerIndex, ownerIndexers } from "./children/owned-children.ts";
export type { OwnedChildrenOptions } from "./children/owned-children.ts";

// Finalizers and status
export { finalize } from "./finalizers/finalizer.ts";
export type { Finalized, FinalizerContext, FinalizerOptions } from "./finalizers/finalizer.ts";
export { condition, nextStatus, writeStatus } from "./status/write-status.ts";
export type { StatedCondition, StatedStatus, WriteStatusOptions } from "./status/write-status.ts";

// Apply sets: apply, prune, plan
export { apply } from "./apply/apply.ts";
export { planApply } from "./apply/apply-plan.ts";
export { printPlan } from "./apply/print-plan.ts";
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
export { ApplySetError, isApplySetError } from "./apply/apply-set-error.ts";
export { ForeignOwnerError, isForeignOwnerError } from "./apply/foreign-owner-error.ts";
export { isReady } from "./apply/is-ready.ts";
export { setLabel } from "./apply/set-identity.ts";

// Operators
export { createOperator } from "./operator/operator.ts";
export type { Operator, OperatorController, OperatorOptions } from "./operator/operator.ts";
export type { OperatorPlace, OperatorRun } from "./operator/operator-place.ts";
export type { ChooseWebhooks, InProcessWebhooks, OperatorWebhooks } from "./operator/operator-serving.ts";
export type { WebhookManifestsOptions } from "./operator/webhook-manifests.ts";
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
export { once } from "./operator/once.ts";
export { many, one } from "./operator/slot.ts";
export type { Cached, Desired, DesiredChild, Owned, Owns, OwnsNothing, Slot, SlotObject, SlotOptions } from "./operator/slot.ts";
export { hold } from "./operator/hold.ts";
export type { Hold } from "./operator/hold.ts";
export { isTerminalError, terminal, TerminalError } from "./operator/terminal-error.ts";
export type { Answer, AnswerAfter } from "./operator/answer.ts";
export type { Duration } from "./operator/duration.ts";
export { isMistakeError, MistakeError } from "./operator/mistake-error.ts";
export type { Mistake } from "./operator/mistake-error.ts";
export { pausedAnnotation } from "./operator/object-obstacles.ts";
export { slotAnnotation } from "./operator/read-owned.ts";
export { reference } from "./schema/reference.ts";
export type { ReferenceStep, ResourceReference } from "./schema/reference.ts";

// Admission: rules and functions about objects that are written
export type {
  AdmitContext,
  AdmitDeclaration,
  ChangedObject,
  Default,
  DefaultContext,
  Mutate,
  ResourceAdmission,
  ResourceWebhookOptions,
  Validate,
  WebhookCallOptions,
} from "./admission/admission-declaration.ts";
export type { AdmissionProblem, AdmissionVerdict, FieldProblem } from "./admission/admission-problem.ts";

// Parts used by the Wrangler package
export { ownerAnnotation, setIdentity } from "./apply/set-identity.ts";
export { wranglerHashLabel, wranglerOwnerOf } from "./apply/wrangler-annotations.ts";
export { installDefinition } from "./resource/install-resource.ts";
