/**
 * The door people come in by: everything a program needs from a kubeconfig to a controller, named one by one. The real clock, files and
 * sockets are made here; the built-in kinds stand behind `drover/kinds`, what tests hand in behind `drover/testing`.
 */
export type { ClusterChoice } from "./choose-access.ts";
export { connect } from "./connect.ts";
export type { ConnectOptions, Connection, Sockets } from "./connect.ts";
export { forwardPort } from "./forward-port.ts";
export type { ForwardPortDeps, ForwardPortOptions, ForwardedPort } from "./forward-port.ts";
export { isKeyPair } from "./key-pair.ts";
export { nodeHost } from "./node-host.ts";
export { nodeRuntime } from "./node-runtime.ts";
export type { NodeRuntime, NodeRuntimeOptions } from "./node-runtime.ts";
export type { LogOptions, PodPlace, PodStreams } from "./pod-streams.ts";
export { nodeManager } from "./node-manager.ts";
export type { NodeLeaderElectionOptions, NodeManagerOptions } from "./node-manager.ts";
export { operator } from "./operator.ts";
export type { RunnableOperator, RunOptions } from "./operator.ts";
export { serveHttp } from "./serve-http.ts";
export { stopSignal } from "./stop-signals.ts";
export type { SignalHost } from "./stop-signals.ts";

// The client
export { newClient } from "@drover/client";
export type { ResourceTable, TableClient, TableOptions, VerbClient } from "@drover/client";
export {
  allNamespaces, conditionIs, conditionTrue, createClient, deleted, deletedUid, exists, FileError, only, retryOnConflict, targetOf,
  updateWithRetry, waitFor,
} from "@drover/client";
export type {
  AnyCreatePlace, AnyPatch, AnyPlace, ApplyObject, ApplyOptions, AskClient, Asked, BindingClient, CallOptions, Client, ClientOptions, DeepPartial,
  DynamicClient, FieldSelection, FileErrorReason, Host, HostProgram, HostProgramResult, InNamespace, LabelSelection, ListAllOptions, ListPageOptions, LogClient,
  MergePatch, MetadataClient, NamespaceOption, NoNamespaceOption, OwnedFields, PartClient, Patch, ReadOptions, RemoveCollectionOptions, RemoveOptions,
  ResourceClient, ResourceTarget, ResourceVerbs, RetryOnConflictOptions, SelectOptions, StrategicPatch, Subresources, SubresourceTable, Unstructured,
  UpdateWithRetryOptions, WaitCondition, WatchOptions, WriteOptions,
} from "@drover/client";

// Kubeconfig: from files and environment to ClusterAccess
export {
  accessFromKubeconfig, deleteCluster, deleteContext, deleteUser, emptyKubeconfig, findAccess, findEntry, flattenKubeconfig, inClusterAccess,
  inClusterKubeconfig, inClusterNamespace, isEmptyKubeconfig, isInCluster, isKubeconfigError, KubeconfigError, kubeconfigFiles, loadKubeconfig,
  mergeKubeconfigs, minifyKubeconfig, parseKubeconfig, printKubeconfig, redactKubeconfig, renameContext, resolveKubeconfigPaths, selectContext, setCluster,
  setContext, setCredentials, useContext, validateKubeconfig, validateSelection,
} from "@drover/client";
export type {
  ClusterAccess, ClusterEntry, ContextEntry, ContextSelection, Credentials, EntryOrigin, ExecConfig, ExtensionEntry, FieldChanges, FindAccessOptions,
  Impersonation, Kubeconfig, KubeconfigAccessOptions, KubeconfigAuthProvider, KubeconfigCluster, KubeconfigContext, KubeconfigErrorReason, KubeconfigExec,
  KubeconfigExecVariable, KubeconfigFiles, KubeconfigOverrides, KubeconfigPreferences, KubeconfigSource, KubeconfigUser, LoadKubeconfigOptions, OidcConfig,
  ParseKubeconfigOptions, PemSource, SecretPemSource, Trust, UserEntry,
} from "@drover/client";

// Credentials
export {
  basicSource, CredentialError, credentialSource, execSource, impersonate, impersonationHeaders, isCredentialError, oidcSource, staticTokenSource,
  tokenFileSource,
} from "@drover/client";
export type {
  CredentialDeps, CredentialErrorOptions, CredentialErrorReason, CredentialSource, ExecSourceOptions, OidcSourceOptions, PairCheck, PemFileOptions,
  TokenFileSourceOptions, TransportTo,
} from "@drover/client";

// Transport and its wrappers
export type { ClusterTransport, DialOptions, TransportLimits } from "@drover/client";
export {
  authenticate, callDeadline, clusterTransport, eachWarningOnce, formatUserAgent, guardedBody, isSafeRequest, isTransportError, isWholeBody, nodeTransport, nodeWebSocket, pathTemplate, proxyFromRules,
  requestAttempt, requestMetrics, retryRequests, throttle, tlsSource, trace, TransportError, userAgent, warnings, wrap, writeOutcome,
} from "@drover/client";
export type {
  CallDeadlineOptions, ClusterTransportDeps, EachWarningOnceOptions, NodeTransport, NodeTransportOptions, NodeWebSocketOptions, ProgramName, ProxyRules,
  RequestMetricsOptions, RetryOptions, ThrottleOptions, TlsSettings, TlsSource, TlsSourceDeps, TracedOutcome, TracedRequest, TraceOptions, TransportErrorReason,
  TransportFailure, TransportTimeout, TransportWrapper,
} from "@drover/client";

// Requests, pages, watches below the typed client
export { decodeBody, fieldSelectorText, labelSelectorText, placeOf, readAnswer, tokenBucketRateLimiter, urlBackoff, watchLineBatches } from "@drover/client";
export type { LineBatch, Place, TokenBucketRateLimiterOptions, UrlBackoffOptions } from "@drover/client";
export {
  decodeResponse, defaultSilenceMs, listAll, listItems, listPages, noWarnings, pageSource, parseWarnings, RequestError, ResponseError, responseError,
  RestClient, RestRequest, RestResult, verb, warningLogger, watchEventError, watchLines, WatchSilenceError, watchStream,
} from "@drover/client";
export type {
  BackOffManager, DecodeOptions, ListPage, PagerOptions, PageSource, ParameterCodec, RateLimiter, ReadResponse, ReadResponseOptions, RequestAbout, RequestBody,
  RequestOrigin, RequestSender, ResponseErrorReason, RestClientOptions, SendableRequest, SendOptions, SendSettings, Warning, WarningHandler, WatchLinesOptions,
  WatchSendOptions, WatchStreamOptions,
} from "@drover/client";

// Logs, exec, attach, port-forward
export {
  attach, attachEvents, exec, execEvents, forwardConnections, logs, parsePortSpec, portForward, StreamError, UpgradeRefusedError,
} from "@drover/client";
export type {
  AttachOptions, ByteConnection, CommandEvent, ExecOptions, ForwardConnectionsOptions, LogResume, OutputSink, OutputSinks, PodLogOptions, PortForwardOptions,
  PortSpec, StreamErrorReason, TerminalSize, WebSocketChannel, WebSocketClose, WebSocketConnect, WebSocketMessage, WebSocketRequest,
} from "@drover/client";

// Discovery and mapping
export {
  CachedDiscovery, decodeAggregatedDiscovery, decodeApiGroup, decodeApiGroupList, decodeApiResourceList, decodeApiVersions, DiscoveryClient,
  DiscoveryDocumentError, DynamicMapper, filterResources, GroupDiscoveryFailedError, isAggregatedDiscovery, isGroupDiscoveryFailed, kindFromResource,
  OpenApiClient, OpenApiSchemas, preferredResources, requireComplete, ScaleKindResolver, StaleGroupVersionError, supportsAllVerbs, validateObject,
} from "@drover/client";
export type {
  ApiGroup, ApiResource, ApiResourceList, ApiSubresource, Discovered, DiscoveryClientOptions, DiscoveryFailure, DiscoveryInterface, DocumentRequestOptions,
  DynamicMapperOptions, MappingOptions, ObjectSchema, OpenApiPath, OpenApiPaths, PreferredResources, ServerVersion, ValidateObjectOptions,
} from "@drover/client";

// Caches: a copy of a collection, kept up to date
export {
  Latch, TurnKeeper,
  createInformer, createInformerFactory, createLister, createReadYourWrites, createReflector, createWatchListMemory, listWatcher, listWatchFromClient,
  NotSyncedError, PoisonObjectError, unsyncedReason, versionOf, versionsFrom, WatchListIncompleteError, WatchProtocolError,
} from "@drover/cache";
export type {
  ConfirmedWrite, OwnWritesReaderOptions,
  Added, AfterLook, AuditOptions, Change, ChangeHandler, Deleted, HandlerOptions, HandlerRegistration, HandlerState, Indexers, IndexFunction, Informer,
  InformerFactory, InformerFactoryOptions, InformerLease, InformerOptions, InformerReader, InformerRequest, InformerState, InformerView, ListedCache, Lister,
  ListerWatcher, ListFilter, ListWatcherOptions, ListWatcherSettings, ListWatchOptions, NamespaceLister, ObjectVersion, OwnWritesReader,
  PoisonObjectErrorOptions, PoisonReport, ReadYourWrites, ReadYourWritesOptions, Reflector, ReflectorOptions, ReflectorSink, ReflectorStatus, SourceCall,
  SourceRequest, Transform, Unsynced, Updated, VersionEvent, VersionPage, VersionSource, WatchListMemory,
} from "@drover/cache";

// Work queues
export {
  bucketRateLimiter, createQueue, defaultControllerRateLimiter, defaultItemBasedRateLimiter, itemExponentialFailureRateLimiter, itemFastSlowRateLimiter,
  maxOfRateLimiter, withMaxWaitRateLimiter,
} from "@drover/workqueue";
export type {
  AddOptions, Debounce, DrainOptions, GetOptions as QueueGetOptions, ItemExponentialFailureOptions, KeyReport, KeyState, Queue, QueueOptions, RateLimiter as QueueRateLimiter,
  Work,
} from "@drover/workqueue";

// Objects and what is done with them
export {
  accessor, addFinalizer, addOwnerReference, AlreadyOwnedError, AmbiguousKindError, AmbiguousResourceError, apiVersionOf, asPartialObjectMetadata,
  compareKubeVersions, compareResourceVersions, controllerOf, deepCopy, deepFreeze, eachListItem, edit, extractList, fillItemKinds, findStatusCondition, getOwn,
  groupVersionKindFrom, groupVersionKindOf, guessResource, hasFinalizer, hasOwnerReference, isAmbiguousError, isComparableResourceVersion, isControlledBy,
  isList, isNoMatchError, isStatusConditionFalse, isStatusConditionPresentAndEqual, isStatusConditionTrue, lenList, listAccessor, nestedBool, nestedField,
  nestedInt64, nestedMap, nestedNumber, nestedSlice, nestedString, nestedStringMap, nestedStringSlice, newControllerRef, newestResourceVersion,
  newOwnerReference, NoKindMatchError, NoResourceMatchError, NotRegisteredError, objectKey, objectKeyOf, objectNameOf, parseGroupKind, parseGroupResource,
  parseGroupVersion, parseKindArg, parseResourceArg, printGroupKind, printGroupResource, printGroupVersionKind, printGroupVersionResource, removeFinalizer,
  removeNestedField, removeOwnerReference, removeStatusCondition, RestMapper, sameGroupKind, sameGroupResource, sameGroupVersion, sameGroupVersionKind,
  sameGroupVersionResource, Scheme, semanticDerivative, semanticEqual, setControllerReference, setGroupVersionKind, setList, setNestedField, setOwn,
  setStatusCondition, splitObjectKey, withFinalizer, withoutFinalizer, withoutStatusCondition, withOwnerReference, withStatusCondition,
} from "@drover/machinery";
export type {
  Condition, ConditionStatus, ConditionUpdate, DeepMutable, DeepReadonly, GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource, Int64,
  Kind, KubeList, KubeObject, ListMeta, ListMetaAccessor, ManagedFieldsEntry, MicroTime, ObjectKey, ObjectMeta, ObjectMetaAccessor, ObjectName, ObjectOf,
  OwnerReference, OwnerReferenceOptions, PartialResource, RawExtension, ResourceNames, ResourceRow, RestMapperOptions, RestMapping, Scope, Subresource, Time,
  TypeMeta, Verb,
} from "@drover/machinery";

// Selectors and values
export { and, not, or } from "@drover/machinery";
export type { Question } from "@drover/machinery";
export {
  canonicalMicroTime, canonicalTime, cloneSelectorAndAddLabel, compareQuantities, compareTimes, escapeFieldValue, everything, FieldSelector,
  fieldSelectorFromSet, formatDuration, formatDurationNanos, formatLabelSelector, formatMicroTime, formatTime, formatTimeMillis, hours, humanDuration,
  isPercent, labelSelectorFromSelector, microsToMillis, millisToMicros, minutes, newRequirement, nothing, oneTermEqualSelector, oneTermNotEqualSelector,
  parseDuration, parseDurationNanos, parseFieldSelector, parseIntOrString, parseMicroTime, parseSelector, parseTime, parseToLabelSelector, printRequirement,
  Quantity, scaledValueFromIntOrPercent, seconds, Selector, SelectorError, selectorFromLabelSelector, selectorFromSet, shortHumanDuration, unescapeFieldValue,
  validatedSelectorFromSet, ValueSyntaxError,
} from "@drover/machinery";
export type {
  FieldSelectorRequirement, FieldTerm, IntOrString, Labels, LabelSelector, LabelSelectorOperator, LabelSelectorRequirement, QuantityFormat, QuantityOptions,
  QuantityValue, Requirement, RequirementOperator,
} from "@drover/machinery";

// Patches
export {
  applyJsonPatch, applyMergePatch, diffJsonPatch, diffMergePatch, JsonPatchError, MergePatchError, mergePatchesConflict, parseJsonPatch, parseJsonPointer,
  parseMergePatch, parsePatchContentType, patchContentType, patchTypes, printJsonPointer, requireKeyUnchanged, requireMetadataKeyUnchanged, threeWayMergePatch,
} from "@drover/machinery";
export type {
  JsonPatchDiffOptions, JsonPatchFailure, JsonPatchLimits, JsonPatchOperation, MergePatchFailure, ParsedJsonPatch, PatchPrecondition, PatchType, ThreeStates,
  ThreeWayOptions,
} from "@drover/machinery";

// Errors
export {
  ApiError, findApiError, hasStatusCause, isAlreadyExists, isApiError, isBadRequest, isConflict, isExpired, isForbidden, isGone, isInternalError, isInvalid,
  isMethodNotAllowed, isNotAcceptable, isNotFound, isOutcomeUnknown, isRequestEntityTooLarge, isServerTimeout, isServiceUnavailable, isStoreReadError,
  isTimeout, isTooLargeResourceVersion, isTooManyRequests, isUnauthorized, isUnexpectedServerError, isUnknownOutcomeError, isUnsupportedMediaType,
  newAlreadyExists, newApplyConflict, newBadRequest, newConflict, newFailure, newForbidden, newGenerateNameConflict, newGenericServerResponse, newGone,
  newInternalError, newInvalid, newMethodNotSupported, newNotAcceptable, newNotFound, newRequestEntityTooLarge, newResourceExpired, newServerTimeout,
  newServiceUnavailable, newTimeoutError, newTooLargeResourceVersion, newTooManyRequests, newUnauthorized, newUnsupportedMediaType, parseStatus, reasonForError,
  retryAfterSeconds, statusCause, statusFromResponse, suggestsClientDelay, UnknownOutcomeError,
} from "@drover/machinery";
export type { ApiErrorOptions, FailedResponse, GenericResponse, StatusReason, UnknownOutcome } from "@drover/machinery";

// The wire
export {
  decodeJson, encodeJson, initialEventsEndAnnotation, isInitialEventsEnd, isJsonObject, jsonEqual, JsonError, WatchFrameError,
} from "@drover/machinery";
export type {
  CreateOptions, DecodeJsonOptions, DeleteOptions, DeletionPropagation, EncodeJsonOptions, FieldValidation, GetOptions, HttpBody, HttpHeaders, HttpRequest,
  HttpResponse, JsonErrorReason, JsonObject, JsonPosition, JsonValue, ListOptions, PartialObjectMetadata, PartialObjectMetadataList, PatchOptions,
  Preconditions, ResourceVersionMatch, Status, StatusCause, StatusDetails, Table, TableColumnDefinition, TableRow, TableRowCondition, Transport, UpdateOptions,
  WatchEvent, WatchEventType,
} from "@drover/machinery";

// Time, chance, log and metrics
export {
  abortable, createClock, createLog, createMetrics, createRandom, deadline, defaultBackoff, defaultRetry, delayFunc, delayWithReset, exponentialBackoff,
  exponentialBuckets, Group, isInterrupted, isSecretName, jittered, linearBuckets, logValue, overflowLabel, pick, poll, prometheusContentType, prometheusText,
  reconcileTimeBuckets, redacted, redactSecretObject, restClientDurationBuckets, restClientSizeBuckets, retryOnError, Secret, shuffle, sleep, stepBackoff,
  TimeoutError, uidSource, until, withTimeout, workqueueDurationBuckets,
} from "@drover/machinery";
export type {
  Backoff, BoundCounter, BoundGauge, BoundHistogram, Clock, ClockHost, Counter, Deadline, DelayWithResetOptions, Gauge, GroupOptions, Histogram,
  HistogramOptions, IsolatedGroupOptions, Labelled, LabelValues, Log, LogFields, LogLevel, LogOptions as CreateLogOptions, LogValue, LogValueOptions, MetricFamily, MetricOptions,
  Metrics, MetricSample, MetricSeries, MetricsOptions, MetricsRegistry, MetricType, OnTaskError, PollOptions, Random, RetryOptions as RetryOnErrorOptions,
  Runtime, UntilOptions, WaitOptions,
} from "@drover/machinery";

// Who leads, and a fence that keeps everybody else from writing
export { FencedError, isFenced, isFencedError, LeaderElector } from "@drover/controller";
export type { Fence, FencedErrorOptions, FenceToken, LeaderElectorOptions, LeaseTimingOptions } from "@drover/controller";

// Which changes are worth a reconcile
export {
  annotationChanged, generationChanged, hasLabel, labelChanged, matches, namespaceIn, objectPredicate, onlyStatusChanged, ownerIs, resourceVersionChanged,
} from "@drover/controller";
export type { HasLabelOptions, ObjectPredicateOptions, OwnerIsOptions, Predicate } from "@drover/controller";

// From a change to the keys it concerns
export { lowPriority, mappedHandler, ownerHandler, requestsFor, selfHandler } from "@drover/controller";
export type { ChangeCause, Handler, MapToKeys, OwnerMatchOptions, Request } from "@drover/controller";

// Telling people what happened
export { createEventBroadcaster } from "@drover/controller";
export type {
  EventAggregationOptions, EventBroadcaster, EventBroadcasterOptions, EventClient, EventRecorder, EventReporter, EventSeriesOptions, EventSpamOptions,
  FlushOptions, NewEvent, Referable,
} from "@drover/controller";

// The life around controllers: what starts and stops when, who may write, what probes are told
export { createManager, GracePeriodError, LeaderElectionLostError } from "@drover/controller";
export type {
  LeaderElectionOptions, ManagedControllerOptions, Manager, ManagerOptions, ManagerPhase, ManagerRuntime, ManagerState, Runnable, RunnableOptions,
  RunnablePlace, ServingOptions,
} from "@drover/controller";

// Probes and metrics
export { createProbeHandler } from "@drover/controller";
export type { HealthCheck, HealthChecks, Listen, ListenAddress, Listening, ProbeHandlerOptions } from "@drover/controller";

// What the program must be allowed to do
export { checkPermissions, eventNeed, leaseNeed, MissingPermissionsError, needOf, printRoles, roleSubject } from "@drover/controller";
export type { CheckPermissionsOptions, PermissionNeed, RoleSubject, RoleTextOptions } from "@drover/controller";

// One cluster, what is watched in it, and the loop
export { BadResultError, DeadlineError, isDeadline, isRunOver, RunOverError } from "@drover/controller";
export type { WatchedKinds, WrittenObject } from "@drover/controller";
export {
  after, controllerBuilder, createCluster, createController, done, informerSource, iterableSource, kindSource, optionalKindSource, ownedSource, printResult,
  pushSource, relatedSource, retry, stop, timerSource,
} from "@drover/controller";
export type {
  After, AfterCause, AgainOptions, BuilderControllerOptions, BuilderSteps, BuilderWatchOptions, Cause, Cluster, ClusterOptions, Controller,
  ControllerBuilder, ControllerBuilderFor, ControllerBuilderOptions, ControllerOptions, ControllerState, Done, EnqueueCause, EnqueueOptions, ExternalCause,
  ExternalEvent, ExternalOptions, InformerSourceOptions, IterableSourceOptions, KeyRequest, KindSource, KindSourceOptions, KindWatchOptions,
  ObjectReconciler, OwnedSourceOptions, OwnsOptions, Projected, Projection, PushSource, PushSourceOptions, ReconcileContext, Reconciler,
  RelatedSourceOptions, Result, Retry, RetryCause, RetryPolicy, SharedInformerView, Source, SourceSink, Stop, TimerCause, TimerSourceOptions, Watch,
  WatchCause, WatchTarget,
} from "@drover/controller";

// Why it ran, and what it did
export { createTape, explain, exportTape, fieldChanges, findLoops, printLoop, readTape, TapeFormatError, why } from "@drover/controller";
export type {
  CallRecord, CauseRecord, ChangeRecord, Explanation, FieldChange, FieldChangesOptions, FindLoopsOptions, KeyInspector, Loop, LoopWriter,
  ObjectFieldChanges, PendingRecord, RecordingTape, ResultRecord, RunFilter, RunRecord, RunStart, RunTape, Tape, TapeOptions, WhyQuestion, Writer,
  WroteRecord,
} from "@drover/controller";

// A custom resource as one value
export { defineResource, IncompatibleResourceError, installResource, InvalidObjectError, reference, UnsayableSchemaError } from "@drover/patterns";
export type {
  ColumnDefinition, DefinitionOptions, InstallOptions, ObjectIssue, OlderVersion, ReferenceStep, Refusal, Resource, ResourceDefinition, ResourceObject, ResourceReference, Rule, ScaleDefinition,
  StatusBasics, SubresourcesOf, ZodIssue, ZodOutput, ZodSchema, ZodVerdict,
} from "@drover/patterns";

// A custom resource of which only its definition is known: as a value, and as code
export { generatedBy, generateKinds, isCrd, kindFromCrd } from "@drover/patterns";
export type { GenerateKindsOptions, KindFromCrdOptions } from "@drover/patterns";

// An operator: controllers as values, before there is a cluster
export { createOperator, hold, many, MistakeError, one, pausedAnnotation, slotAnnotation, terminal, TerminalError } from "@drover/patterns";
export type {
  Answer, AnswerAfter, Cached, CachePlace, CacheReads, ControllerDeclaration, Desired, DesiredChild, Duration, EffectContext, EventDetails, HeldSlot, Hold, IndexReader, LiveReads, Mistake, ObjectEvents, Operator,
  OperatorController, OperatorIndex, OperatorOptions, OperatorPlace, OperatorRolesOptions, OperatorRun, Owned, OwnedSetOptions, Owns, OwnsNothing, PerRun, Slot, SlotObject, SlotOptions, StateContext,
  Stated, StatusContext,
} from "@drover/patterns";

// The objects an owner should have: applied, pruned, planned; found, adopted, counted
export {
  addOwnerIndex, apply, ApplyMemory, ApplySetError, claim, claimChildren, ClaimError, createApplyMemory, decideClaim, Expectations, ForeignOwnerError, isReady, ownedChildren, ownerIndex, ownerIndexers,
  planApply, printPlan, safeConcatName, setLabel, slowStart,
} from "@drover/patterns";
export type {
  AppliedChange, ApplyContext, ApplyMemoryOptions, ApplyOutcome, ApplyPlan, ApplySet, Claim, ClaimDecision, ControllerRefManagerOptions, DesiredObject, ExpectationsOptions, ImmutablePolicy, KnownInventory,
  MemberLookup, OwnedChildrenOptions, PlannedChange, PlannedField, Rendering, SetOwner, SlowStartOptions, SlowStartOutcome,
} from "@drover/patterns";

// Before an object goes, and what is said of its state
export { condition, finalize, nextStatus, writeStatus } from "@drover/patterns";
export type { Finalized, FinalizerContext, FinalizerOptions, StatedCondition, StatedStatus, WriteStatusOptions } from "@drover/patterns";
