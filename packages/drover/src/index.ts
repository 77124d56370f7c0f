/**
 * Everything that an operator author needs. Its parts have their own entry points: `drover/client`, `drover/cache`,
 * `drover/controller`, `drover/machinery`; built-in kinds are in `drover/kinds`, the test harness in `drover/testing`.
 */

// Connections and operators
export { connect } from "./connect.ts";
export type { Connection, ConnectOptions } from "./connection.ts";
export type { ClusterChoice } from "./choose-access.ts";
export { operator } from "./operator.ts";
export type { RunnableOperator } from "./operator.ts";
export type { RunOptions } from "./run-options.ts";
export type { RunWebhooksOptions } from "./run-webhooks.ts";
export { nodeHost } from "./node-host.ts";
export { snapshotFolder } from "./snapshot-folder.ts";
export { nodeManager } from "./node-manager.ts";
export type { NodeManagerOptions } from "./node-manager.ts";
export { nodeRuntime } from "./node-runtime.ts";
export type { NodeRuntime, NodeRuntimeOptions } from "./node-runtime.ts";
export { stopSignal } from "./stop-signals.ts";

// Custom resources
export {
  defineResource,
  IncompatibleResourceError,
  installResource,
  InvalidObjectError,
  kindFromCrd,
  migrateStoredVersions,
  reference,
} from "@drover/patterns";
export type { DefinitionOptions, ObjectIssue, Resource, ResourceDefinition, ResourceObject, Rule } from "@drover/patterns";

// Declarative controllers: desired objects, side effects, status
export { condition, hold, many, MistakeError, once, one, pausedAnnotation, terminal } from "@drover/patterns";
export type {
  Answer,
  ControllerDeclaration,
  Desired,
  DesiredChild,
  Duration,
  EffectContext,
  Operator,
  OperatorController,
  OperatorIndex,
  OperatorOptions,
  Owned,
  Owns,
  StatedCondition,
  StateContext,
  StatusContext,
} from "@drover/patterns";

// Functions for hand-written reconcile functions
export {
  apply,
  claimChildren,
  Expectations,
  finalize,
  isReady,
  nextStatus,
  planApply,
  printPlan,
  safeConcatName,
  slowStart,
  writeStatus,
} from "@drover/patterns";
export type { ApplyOutcome, ApplyPlan, ApplySet, DesiredObject } from "@drover/patterns";

// Controllers with a reconcile function
export {
  after,
  controllerBuilder,
  createController,
  createEventBroadcaster,
  createManager,
  done,
  kindSource,
  needOf,
  ownedSource,
  pushSource,
  relatedSource,
  retry,
  stop,
  timerSource,
} from "@drover/controller";
export type {
  Controller,
  ControllerOptions,
  EventRecorder,
  Manager,
  ManagerOptions,
  PermissionNeed,
  ReconcileContext,
  Reconciler,
  Result,
  Source,
} from "@drover/controller";
export {
  annotationChanged,
  generationChanged,
  hasLabel,
  labelChanged,
  mappedHandler,
  namespaceIn,
  onlyStatusChanged,
  ownerHandler,
  resourceVersionChanged,
  selfHandler,
} from "@drover/controller";
export type { Handler, Predicate } from "@drover/controller";
export { createTape, explain, why } from "@drover/controller";
export type { Tape } from "@drover/controller";

// Client and shared caches
export { createCluster, listWatchFromClient } from "@drover/cache";
export type { Change, Cluster, InformerView } from "@drover/cache";
export {
  conditionTrue,
  createClient,
  deleted,
  exists,
  only,
  retryOnConflict,
  updateWithRetry,
  waitFor,
  watchEventError,
} from "@drover/client";
export type { ApplyObject, Client } from "@drover/client";

// Objects, kinds and keys
export {
  and,
  controllerOf,
  edit,
  isStatusConditionTrue,
  newControllerRef,
  not,
  objectKey,
  objectKeyOf,
  or,
  parseDuration,
  parseSelector,
  Quantity,
  semanticEqual,
  splitObjectKey,
} from "@drover/machinery";
export type {
  Condition,
  DeepReadonly,
  Int64,
  IntOrString,
  Kind,
  KubeList,
  KubeObject,
  ObjectKey,
  ObjectMeta,
  ObjectOf,
  OwnerReference,
  Scope,
  Selector,
  Time,
  WatchEvent,
} from "@drover/machinery";

// Errors
export {
  ApiError,
  findApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isOutcomeUnknown,
  isTooManyRequests,
  UnknownOutcomeError,
} from "@drover/machinery";
export { KubeconfigError } from "@drover/client";
export { NotSyncedError } from "@drover/cache";

// Interfaces to the outside world
export type { Clock, Log, Metrics, Runtime, Transport } from "@drover/machinery";
export type { Host } from "@drover/client";
