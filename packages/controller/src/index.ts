/** Entry point: sources, handlers, the reconcile loop, the tape, the manager, leader election and events. */

// Leader election, and the fence that blocks writes of replicas without the lease
export { LeaderElector } from "./leader/leader-elector.ts";
export type { LeaderElectorOptions } from "./leader/leader-elector.ts";
export type { LeaseTimingOptions } from "./leader/lease-timing.ts";
export type { Fence } from "./leader/fence.ts";
export type { FenceToken } from "./leader/fence-term.ts";
export { FencedError, isFenced, isFencedError } from "./leader/fenced-error.ts";
export type { FencedErrorOptions } from "./leader/fenced-error.ts";

// Predicates: which changes cause a reconcile
export { objectPredicate } from "./predicates/predicate.ts";
export type { ObjectPredicateOptions, Predicate } from "./predicates/predicate.ts";
export {
  annotationChanged,
  generationChanged,
  labelChanged,
  onlyStatusChanged,
  resourceVersionChanged,
} from "./predicates/changed-predicates.ts";
export { hasLabel, matches, namespaceIn, ownerIs } from "./predicates/object-predicates.ts";
export type { HasLabelOptions, OwnerIsOptions } from "./predicates/object-predicates.ts";

// Handlers: from a change to keys
export { lowPriority, requestsFor } from "./handlers/request.ts";
export type { ChangeCause, Handler, Request } from "./handlers/request.ts";
export { selfHandler } from "./handlers/self-handler.ts";
export { ownerHandler } from "./handlers/owner-handler.ts";
export type { OwnerMatchOptions } from "./handlers/owner-handler.ts";
export { mappedHandler } from "./handlers/mapped-handler.ts";
export type { MapToKeys } from "./handlers/mapped-handler.ts";

// Kubernetes Events
export { createEventBroadcaster } from "./events/event-broadcaster.ts";
export type { EventBroadcaster, EventBroadcasterOptions, FlushOptions } from "./events/event-broadcaster.ts";
export type { EventRecorder } from "./events/event-recorder.ts";
export type { EventReporter, NewEvent } from "./events/event-draft.ts";
export type { Referable } from "./events/object-reference.ts";
export type { EventSeriesOptions } from "./events/event-series-state.ts";
export type { EventAggregationOptions } from "./events/event-aggregation-state.ts";
export type { EventSpamOptions } from "./events/event-spam-state.ts";
export type { EventClient } from "./events/send-event.ts";

// The manager: start and stop order, leader election, probes
export { createManager } from "./manager/manager.ts";
export type { Manager } from "./manager/manager.ts";
export type {
  ManagedControllerOptions,
  ManagerOptions,
  ManagerPhase,
  ManagerRuntime,
  ManagerState,
  RunnableOptions,
  ServingOptions,
} from "./manager/manager-options.ts";
export type { LeaderElectionOptions } from "./manager/election.ts";
export type { CoordinatedElectionOptions } from "./leader/lease-candidate.ts";
export type { ShardsOptions } from "./manager/sharding.ts";
export type { Shards, ShardsView, ShardWorker } from "./shards/shards.ts";
export type { ShardBy, ShardByLabel, ShardLayout } from "./shards/shard-layout.ts";
export { checkThreads } from "./manager/create-team.ts";
export type { ManagerThread } from "./threads/thread-member.ts";
export type { ManagerThreads } from "./threads/thread-team.ts";
export type { StartThread } from "./threads/supervised-thread.ts";
export type { FromThread, ThreadPort, ThreadSeat, ToThread } from "./threads/thread-messages.ts";
export type { Runnable, RunnablePlace } from "./manager/runnable.ts";
export { GracePeriodError, isGracePeriodError, isLeaderElectionLostError, LeaderElectionLostError } from "./manager/manager-error.ts";

// Probes and metrics
export { createProbeHandler } from "./serving/probe-handler.ts";
export type { ProbeHandlerOptions } from "./serving/probe-handler.ts";
export type { HealthCheck, HealthChecks } from "./serving/health-check.ts";
export type { Listen, ListenAddress, Listening } from "./serving/listen.ts";

// Questions about a running program
export { createDebugHandler } from "./debug/debug-handler.ts";
export type { DebuggedController, DebugSubject, OwnedObject } from "./debug/debug-subject.ts";
export type { DebugQueue } from "./debug/queue-page.ts";
export type { DebugRequests } from "./debug/requests-page.ts";
export type { DebugStatus } from "./debug/status-page.ts";
export type { DebugPlan, PlannedObjectRun } from "./debug/plan-page.ts";
export type { PlannedRun, PlannedWrite } from "./debug/planned-run.ts";
export type { DebugReconcile } from "./debug/reconcile-page.ts";
export type { DebugTopology } from "./debug/topology-page.ts";
export type { DebugTree, ObjectTree } from "./debug/tree-page.ts";
export type { DebugWhy } from "./debug/why-page.ts";

// Webhooks: reviews, certificates and registration
export { addWebhooks } from "./webhook/add-webhooks.ts";
export { createWebhookHandler } from "./webhook/webhook-handler.ts";
export type { WebhookHandlerOptions } from "./webhook/webhook-handler.ts";
export { conversionClause, webhookConfigurations } from "./webhook/webhook-configurations.ts";
export type {
  ConversionClause,
  WebhookClientConfig,
  WebhookConfigurations,
  WebhookConfigurationsOptions,
} from "./webhook/webhook-configurations.ts";
export { webhookNeeds } from "./webhook/webhook-needs.ts";
export type { WebhookNeedsOptions } from "./webhook/webhook-needs.ts";
export type { ListeningTls, ListenTls, ServingPair, WebhookServingOptions } from "./webhook/webhook-serving.ts";
export type {
  AdmissionAnswer,
  AdmissionContext,
  AdmissionHandler,
  AdmissionOperation,
  AdmissionPolicy,
  AdmissionRequest,
  AdmissionRule,
  AdmissionUser,
  AdmissionWebhook,
  ConversionWebhook,
  Webhooks,
  WebhookTarget,
} from "./webhook/webhook.ts";

// Permissions the program needs
export { checkPermissions, isMissingPermissionsError, MissingPermissionsError } from "./permissions/check-permissions.ts";
export type { CheckPermissionsOptions } from "./permissions/check-permissions.ts";
export { eventNeed, leaseCandidateNeed, leaseNeed, needOf, shardsNeed } from "./permissions/permission-need.ts";
export type { PermissionNeed } from "./permissions/permission-need.ts";
export { printRoles, roleSubject } from "./permissions/role-text.ts";
export type { RoleSubject, RoleTextOptions } from "./permissions/role-text.ts";

// Sources, the builder and the reconcile loop
export type { AfterCause, Cause, EnqueueCause, ExternalCause, RetryCause, TimerCause, WatchCause } from "./causes/cause.ts";
export { kindSource } from "./sources/kind-source.ts";
export type { KindSource, KindSourceOptions, KindWatchOptions, Projected, Projection } from "./sources/kind-source.ts";
export { ownedSource } from "./sources/owned-source.ts";
export type { OwnedSourceOptions } from "./sources/owned-source.ts";
export { relatedSource } from "./sources/related-source.ts";
export type { RelatedSourceOptions } from "./sources/related-source.ts";
export { optionalKindSource } from "./sources/optional-kind-source.ts";
export { informerSource } from "./sources/informer-source.ts";
export type { InformerSourceOptions, SharedInformerView } from "./sources/informer-source.ts";
export { timerSource } from "./sources/timer-source.ts";
export type { TimerSourceOptions } from "./sources/timer-source.ts";
export { iterableSource } from "./sources/iterable-source.ts";
export type { IterableSourceOptions } from "./sources/iterable-source.ts";
export { pushSource } from "./sources/push-source.ts";
export type { PushSource, PushSourceOptions } from "./sources/push-source.ts";
export type { ExternalEvent, ExternalOptions } from "./sources/external-event.ts";
export type { KeysSubject, Source, SourceRequest as KeyRequest, SourceSink, Watch } from "./sources/source.ts";
export { controllerBuilder } from "./builder/controller-builder.ts";
export type { BuilderSteps, ControllerBuilder, ControllerBuilderFor } from "./builder/controller-builder.ts";
export type {
  BuilderControllerOptions,
  BuilderWatchOptions,
  ControllerBuilderOptions,
  ObjectReconciler,
  OwnsOptions,
  WatchTarget,
} from "./builder/controller-plan.ts";
export { createController } from "./reconcile/controller.ts";
export type { Controller, ControllerOptions, ControllerState, EnqueueOptions } from "./reconcile/controller.ts";
export type { RetryPolicy } from "./reconcile/retry-policy.ts";
export { DeadlineError, isDeadline, isDeadlineError } from "./reconcile/deadline-error.ts";
export { isRunOver, isRunOverError, RunOverError } from "./reconcile/run-over-error.ts";
export { BadResultError, isBadResultError } from "./reconcile/bad-result-error.ts";
export type { ReconcileContext, Reconciler } from "./reconcile/reconciler.ts";
export { after, done, printResult, retry, stop } from "./reconcile/result.ts";
export type { After, AgainOptions, Done, Result, Retry, Stop } from "./reconcile/result.ts";

// The tape: why a key ran, and what the run did
export { createTape } from "./tape/recording-tape.ts";
export type { RecordingTape, TapeOptions } from "./tape/recording-tape.ts";
export type { RunStart, RunTape, Tape } from "./tape/tape.ts";
export type {
  CallRecord,
  CauseRecord,
  ChangeRecord,
  EndedRuns,
  FieldChange,
  ResultRecord,
  RunRecord,
  TapedCall,
  Writer,
  WroteRecord,
} from "./tape/run-record.ts";
export type { RunFilter } from "./tape/run-filter.ts";
export { failedCallOf } from "./reconcile/failed-call.ts";
export type { FailedCall } from "./reconcile/failed-call.ts";
export { becauseTape, readBecause } from "./tape/because-tape.ts";
export type { Because } from "./tape/because-tape.ts";
export { causeWords } from "./tape/cause-words.ts";
export { causeLine } from "./tape/cause-line.ts";
export { why } from "./tape/why.ts";
export type { Explanation, KeyInspector, PendingRecord, WhyQuestion } from "./tape/why.ts";
export type { Obstacle, ObstacleReason } from "./tape/obstacle.ts";
export { explain } from "./tape/explain.ts";
export { exportTape, readTape } from "./tape/tape-lines.ts";
export { isTapeFormatError, TapeFormatError } from "./tape/tape-format-error.ts";
export { fieldChanges } from "./tape/field-changes.ts";
export type { FieldChanges as ObjectFieldChanges, FieldChangesOptions } from "./tape/field-changes.ts";
export { findLoops } from "./tape/find-loops.ts";
export type { FindLoopsOptions } from "./tape/find-loops.ts";
export { printLoop } from "./tape/loop.ts";
export type { Loop, LoopWriter } from "./tape/loop.ts";
export { errorMessage } from "./reconcile/error-message.ts";
