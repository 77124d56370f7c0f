/** Kubernetes objects, values and wire formats as plain data. Only what this file exports is public API. */

// Clock, random source, log and metrics; waiting, backoff and groups of promises
export { defaultBackoff, defaultRetry, delayFunc, delayWithReset, jittered, stepBackoff } from "./runtime/backoff.ts";
export type { Backoff, DelayWithResetOptions } from "./runtime/backoff.ts";
export { callSafely } from "./runtime/call-safely.ts";
export { createClock } from "./runtime/clock.ts";
export type { Clock, ClockHost } from "./runtime/clock.ts";
export { errorBrand } from "./error-brand.ts";
export type { ErrorBrand } from "./error-brand.ts";
export { errorCause, errorCode, errorName, errorStack, errorText, errorsOf, isError, isInstanceOf } from "./error-text.ts";
export { Group } from "./runtime/group.ts";
export type { GroupOptions, IsolatedGroupOptions, OnTaskError } from "./runtime/group.ts";
export { guardRuntime } from "./runtime/guard-runtime.ts";
export { Latch } from "./runtime/latch.ts";
export { logValue } from "./runtime/log-value.ts";
export type { LogValue, LogValueOptions } from "./runtime/log-value.ts";
export { LoopWatchdog } from "./runtime/loop-watchdog.ts";
export { errorSentence } from "./runtime/error-sentence.ts";
export { createLog } from "./runtime/log.ts";
export type { Log, LogFields, LogOptions } from "./runtime/log.ts";
export type { LogFormat } from "./runtime/log-format.ts";
export type { LogLevel } from "./runtime/log-levels.ts";
export {
  exponentialBuckets,
  linearBuckets,
  reconcileTimeBuckets,
  restClientDurationBuckets,
  restClientSizeBuckets,
  workqueueDurationBuckets,
} from "./runtime/metric-buckets.ts";
export type { MetricFamily, MetricSample, MetricSeries, MetricType } from "./runtime/metric-family.ts";
export { createMetrics } from "./runtime/metrics-registry.ts";
export type { MetricsOptions, MetricsRegistry } from "./runtime/metrics-registry.ts";
export type {
  BoundCounter,
  BoundGauge,
  BoundHistogram,
  Counter,
  Gauge,
  Histogram,
  HistogramOptions,
  Labelled,
  LabelValues,
  MetricOptions,
  Metrics,
} from "./runtime/metrics.ts";
export { prometheusContentType, prometheusText } from "./runtime/prometheus-text.ts";
export { Patience } from "./runtime/patience.ts";
export { createRandom, pick, shuffle } from "./runtime/random.ts";
export type { Random } from "./runtime/random.ts";
export { exponentialBackoff, retryOnError } from "./runtime/retry.ts";
export type { RetryOptions } from "./runtime/retry.ts";
export type { Runtime } from "./runtime/runtime.ts";
export { redactSecretObject } from "./runtime/secret-object.ts";
export { isSecretName, redacted, Secret } from "./runtime/secret.ts";
export { isThenable } from "./runtime/thenable.ts";
export { isInterrupted, isTimeoutError, TimeoutError } from "./runtime/timeout-error.ts";
export { TurnKeeper } from "./runtime/turn-keeper.ts";
export { uidSource } from "./runtime/uid.ts";
export { abortable, deadline, poll, sleep, until, withTimeout } from "./runtime/wait.ts";
export type { Deadline, PollOptions, UntilOptions, WaitOptions } from "./runtime/wait.ts";

// Limits on memory, time and work
export { Allowance } from "./budget/allowance.ts";
export { BudgetExceededError, isBudgetExceededError } from "./budget/budget-exceeded-error.ts";
export { amountText, budget } from "./budget/budget.ts";
export type { Budget, BudgetUnit } from "./budget/budget.ts";
export { countExceeded } from "./runtime/count-exceeded.ts";
export { valueSize } from "./budget/value-size.ts";

// Objects, kinds, metadata
export {
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionPresentAndEqual,
  isStatusConditionTrue,
  removeStatusCondition,
  setStatusCondition,
  withoutStatusCondition,
  withStatusCondition,
} from "./object/conditions.ts";
export type { Condition, ConditionStatus, ConditionUpdate } from "./object/conditions.ts";
export { declaredFieldsOf, withDeclaredFields } from "./object/declared-fields.ts";
export { semanticDerivative, semanticEqual } from "./schema/equality.ts";
export { addFinalizer, hasFinalizer, removeFinalizer, withFinalizer, withoutFinalizer } from "./object/finalizers.ts";
export {
  apiVersionOf,
  groupVersionKindFrom,
  parseGroupKind,
  parseGroupResource,
  parseGroupVersion,
  parseKindArg,
  parseResourceArg,
  printGroupKind,
  printGroupResource,
  printGroupVersionKind,
  printGroupVersionResource,
  sameGroupKind,
  sameGroupResource,
  sameGroupVersion,
  sameGroupVersionKind,
  sameGroupVersionResource,
} from "./object/group-version.ts";
export type { GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource } from "./object/group-version.ts";
export { objectKey, objectKeyOf, objectNameOf, splitObjectKey } from "./object/key.ts";
export type { ObjectKey, ObjectName } from "./object/key.ts";
export { withFields } from "./object/limited-kind.ts";
export type { Limited, LimitedObject } from "./object/limited-kind.ts";
export type { Kind, ObjectOf, Scope, Subresource, Verb } from "./object/kind.ts";
export { compareKubeVersions } from "./object/kube-version.ts";
export { eachListItem, extractList, fillItemKinds, isList, lenList, listAccessor, setList } from "./object/list.ts";
export type { ListMetaAccessor } from "./object/list.ts";
export { accessor, asPartialObjectMetadata } from "./object/meta.ts";
export type { ObjectMetaAccessor } from "./object/meta.ts";
export type {
  Int64,
  KubeList,
  KubeObject,
  ListMeta,
  ManagedFieldsEntry,
  MicroTime,
  ObjectMeta,
  OwnerReference,
  Time,
  TypeMeta,
} from "./object/object.ts";
export { definedOnly } from "./json/defined-only.ts";
export type { AllMembers, DefinedOnly } from "./json/defined-only.ts";
export { fieldTree } from "./json/field-tree.ts";
export type { FieldTree } from "./json/field-tree.ts";
export { keptFields } from "./json/kept-fields.ts";
export { getOwn, setOwn } from "./json/own.ts";
export {
  addOwnerReference,
  AlreadyOwnedError,
  controllerOf,
  hasOwnerReference,
  isControlledBy,
  newControllerRef,
  newOwnerReference,
  removeOwnerReference,
  setControllerReference,
  withOwnerReference,
} from "./object/owner.ts";
export type { OwnerReferenceOptions } from "./object/owner.ts";
export { deepCopy, deepFreeze, edit } from "./json/readonly.ts";
export type { DeepMutable, DeepReadonly } from "./json/readonly.ts";
export { compareResourceVersions, isComparableResourceVersion, newestResourceVersion } from "./object/resource-version.ts";
export { groupVersionKindOf, setGroupVersionKind } from "./object/type-meta.ts";
export type { RawExtension } from "./object/type-meta.ts";
export {
  nestedBool,
  nestedField,
  nestedInt64,
  nestedMap,
  nestedNumber,
  nestedSlice,
  nestedString,
  nestedStringMap,
  nestedStringSlice,
  removeNestedField,
  setNestedField,
} from "./object/unstructured.ts";

// Known kinds; kind ↔ resource
export { guessResource } from "./scheme/guess-resource.ts";
export type { ResourceNames } from "./scheme/guess-resource.ts";
export {
  AmbiguousKindError,
  AmbiguousResourceError,
  isAmbiguousError,
  isNoMatchError,
  NoKindMatchError,
  NoResourceMatchError,
} from "./scheme/no-match.ts";
export { RestMapper } from "./scheme/rest-mapper.ts";
export type { PartialResource, ResourceRow, RestMapperOptions, RestMapping } from "./scheme/rest-mapper.ts";
export { NotRegisteredError, Scheme } from "./scheme/scheme.ts";

// Label and field selectors
export {
  escapeFieldValue,
  FieldSelector,
  fieldSelectorFromSet,
  oneTermEqualSelector,
  oneTermNotEqualSelector,
  parseFieldSelector,
  unescapeFieldValue,
} from "./selector/field-selector.ts";
export type { FieldSelectorRequirement, FieldTerm } from "./selector/field-selector.ts";
export {
  cloneSelectorAndAddLabel,
  formatLabelSelector,
  labelSelectorFromSelector,
  parseToLabelSelector,
  selectorFromLabelSelector,
} from "./selector/label-selector.ts";
export type { LabelSelector, LabelSelectorOperator, LabelSelectorRequirement } from "./selector/label-selector.ts";
export { parseSelector } from "./selector/parse-selector.ts";
export { newRequirement, printRequirement } from "./selector/requirement.ts";
export type { Requirement, RequirementOperator } from "./selector/requirement.ts";
export { SelectorError } from "./selector/selector-error.ts";
export { everything, nothing, Selector, selectorFromSet, validatedSelectorFromSet } from "./selector/selector.ts";
export type { Labels } from "./selector/selector.ts";

// Quantities, times, durations
export { civilDate, dayNumber } from "./values/calendar.ts";
export type { CivilDate } from "./values/calendar.ts";
export { parseCronSchedule } from "./values/cron-schedule.ts";
export type { CronCalendar, CronField, CronInterval, CronSchedule } from "./values/cron-schedule.ts";
export { nextRun } from "./values/next-run.ts";
export { isTimeZone, timeZoneOf } from "./values/time-zone.ts";
export type { TimeZone } from "./values/time-zone.ts";
export { parseRfc3339 } from "./values/rfc3339.ts";
export type { Instant } from "./values/rfc3339.ts";
export { sha256Hex } from "./values/sha256.ts";
export { formatDuration, formatDurationNanos, hours, minutes, parseDuration, parseDurationNanos, seconds } from "./values/duration.ts";
export { humanDuration, shortHumanDuration } from "./values/human-duration.ts";
export { isPercent, parseIntOrString, scaledValueFromIntOrPercent } from "./values/int-or-string.ts";
export type { IntOrString } from "./values/int-or-string.ts";
export type { QuantityFormat } from "./values/quantity-text.ts";
export { compareQuantities, Quantity } from "./values/quantity.ts";
export type { QuantityOptions, QuantityValue } from "./values/quantity.ts";
export {
  canonicalMicroTime,
  canonicalTime,
  compareTimes,
  formatMicroTime,
  formatTime,
  formatTimeMillis,
  microsToMillis,
  millisToMicros,
  parseMicroTime,
  parseTime,
} from "./values/time.ts";
export { ValueSyntaxError } from "./values/value-syntax-error.ts";

// Patches
export { diffJsonPatch } from "./patch/json-patch-diff.ts";
export type { JsonPatchDiffOptions } from "./patch/json-patch-diff.ts";
export { JsonPatchError, parseJsonPatch } from "./patch/json-patch-operation.ts";
export type { JsonPatchFailure, JsonPatchOperation, ParsedJsonPatch } from "./patch/json-patch-operation.ts";
export { applyJsonPatch } from "./patch/json-patch.ts";
export type { JsonPatchLimits } from "./patch/json-patch.ts";
export { parseJsonPointer, printJsonPointer, unescapePointerToken } from "./patch/json-pointer.ts";
export { MergePatchError } from "./patch/merge-patch-error.ts";
export type { MergePatchFailure } from "./patch/merge-patch-error.ts";
export { applyMergePatch, diffMergePatch, parseMergePatch } from "./patch/merge-patch.ts";
export { requireKeyUnchanged, requireMetadataKeyUnchanged } from "./patch/patch-precondition.ts";
export type { PatchPrecondition } from "./patch/patch-precondition.ts";
export { parsePatchContentType, patchContentType, patchTypes } from "./patch/patch-type.ts";
export type { PatchType } from "./patch/patch-type.ts";
export { strategicMergePatchesConflict } from "./patch/strategic-conflicts.ts";
export { diffStrategicMergePatch } from "./patch/strategic-diff.ts";
export type { StrategicDiffOptions } from "./patch/strategic-diff.ts";
export { applyStrategicMergePatch, parseStrategicMergePatch } from "./patch/strategic-merge.ts";
export { mergePatchesConflict, threeWayMergePatch } from "./patch/three-way-merge-patch.ts";
export type { ThreeStates, ThreeWayOptions } from "./patch/three-way-merge-patch.ts";
export { threeWayStrategicMergePatch } from "./patch/three-way-strategic-merge.ts";
export type { ThreeWayStrategicOptions } from "./patch/three-way-strategic-merge.ts";

// Structural schemas
export { compileSchema } from "./schema/compiled-schema.ts";
export type { CompiledSchema, CompileOptions } from "./schema/compiled-schema.ts";
export { applyDefaults, dropNulls } from "./schema/defaults.ts";
export { validateEmbeddedResources } from "./schema/embedded-resource.ts";
export type { EmbeddedOptions } from "./schema/embedded-resource.ts";
export { formatCheck } from "./schema/formats.ts";
export { validateListTypes } from "./schema/list-type.ts";
export type { ListTypeOptions } from "./schema/list-type.ts";
export { coerceObjectMeta } from "./schema/object-meta.ts";
export type { CoercedMeta, CoerceOptions } from "./schema/object-meta.ts";
export { prune } from "./schema/prune.ts";
export type { Pruned, PruneOptions } from "./schema/prune.ts";
export type { ExternalDocumentation, Schema, UncheckedSchema, ValidationRule } from "./schema/schema.ts";
export { printInternalSchema } from "./schema/schema-keywords.ts";
export { checkStructural } from "./schema/structural.ts";
export type { StructuralOptions } from "./schema/structural.ts";
export { blocksRules, validate, validateValue } from "./schema/validate.ts";
export type { ValidateOptions } from "./schema/validate.ts";

// Server-side apply: field ownership
export { applyPatch } from "./apply/apply-patch.ts";
export type { ApplyRequest, ApplyResult } from "./apply/apply-patch.ts";
export type { ApplyScope } from "./apply/apply-scope.ts";
export { emptyObjectOf } from "./apply/empty-object.ts";
export { excludeFields, includeFields } from "./apply/field-filter.ts";
export type { FieldFilter, FieldPattern } from "./apply/field-filter.ts";
export {
  emptyFieldSet,
  fieldPaths,
  fieldSetFrom,
  fieldSetOf,
  hasPath,
  intersectFieldSets,
  isEmptyFieldSet,
  leafFieldSet,
  sameFieldSet,
  subtractFieldSet,
  subtractFieldSetRecursively,
  unionFieldSets,
} from "./apply/field-set.ts";
export type { FieldSet } from "./apply/field-set.ts";
export { decodeFieldSet } from "./apply/fields-v1.ts";
export { decodeManagedFields, encodeManagedFields, ManagedFieldsError, managerIdentity } from "./apply/managed-fields.ts";
export type { Manager, ManagerName, ManagerOperation, Managers } from "./apply/managed-fields.ts";
export { builtInMergeType, customMergeType, deducedMergeType } from "./apply/merge-type.ts";
export type { FieldType, ListKey, ListType, MapType, MergeType, ScalarType } from "./apply/merge-type.ts";
export { mergeTyped } from "./apply/merge-typed.ts";
export { fieldElement, keyElement, PathElementError, printPath, valueElement } from "./apply/path-element.ts";
export type { PathElement, PrintElementOptions } from "./apply/path-element.ts";
export { recordUpdate } from "./apply/record-update.ts";
export type { UpdateRecord, UpdateRequest } from "./apply/record-update.ts";
export { extractItems, removeItems } from "./apply/remove-items.ts";
export type { ExtractItemsOptions } from "./apply/remove-items.ts";
export { parentManagedFields, scaleManagedFields } from "./apply/scale-fields.ts";
export type { ReplicasPaths } from "./apply/scale-fields.ts";
export { toFieldSet } from "./apply/to-field-set.ts";
export { validateTyped } from "./apply/validate-typed.ts";
export type { ValidateTypedOptions } from "./apply/validate-typed.ts";

// Schemas and kinds as TypeScript
export { ImportList } from "./typescript/import-list.ts";
export { byText, camelCase, typeWord } from "./typescript/plain-name.ts";
export { printDescriptor } from "./typescript/print-descriptor.ts";
export { printInterface, printListInterface } from "./typescript/print-interface.ts";
export type { InterfaceOptions } from "./typescript/print-interface.ts";
export { printJson, printLiteral } from "./typescript/print-literal.ts";
export type { Printable } from "./typescript/print-literal.ts";
export { typeText } from "./typescript/schema-type.ts";
export type { PrintedSchema, TypeScope } from "./typescript/schema-type.ts";

// Regular expressions in linear time
export type { Re2Span } from "./re2/pike-machine.ts";
export { Re2SyntaxError } from "./re2/re2-syntax-error.ts";
export type { Re2Problem } from "./re2/re2-syntax-error.ts";
export { compileRe2, Re2 } from "./re2/re2.ts";

// Field errors
export { fieldErrorCause } from "./errors/field-error-cause.ts";
export { printFieldError, printFieldErrorBody, printFieldErrors } from "./field/field-error-text.ts";
export {
  fieldDuplicate,
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  fieldTooFew,
  fieldTooLong,
  fieldTooLongCharacters,
  fieldTooMany,
  fieldTooShort,
  fieldTypeInvalid,
} from "./field/field-error.ts";
export { errorsOfEach } from "./field/errors-of-each.ts";
export type { FieldError, FieldErrorType } from "./field/field-error.ts";
export { fieldChild, fieldIndex, fieldKey } from "./field/field-path.ts";
export type { FieldPath } from "./field/field-path.ts";

// Validation of names and metadata
export { annotationsBytesMax, validateAnnotations } from "./validation/annotations.ts";
export {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkDns1123SubdomainWithUnderscore,
  checkWildcardDns1123Subdomain,
} from "./validation/dns-name.ts";
export {
  validateDomainPrefixedKey,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
} from "./validation/domain-path.ts";
export {
  foregroundFinalizer,
  orphanFinalizer,
  validateFinalizerName,
  validateFinalizers,
  validateNoNewFinalizers,
  validateStandardFinalizerName,
} from "./validation/finalizers.ts";
export { isIpv4, parseIpAddress, printIpAddress } from "./validation/ip-address.ts";
export type { IpAddress } from "./validation/ip-address.ts";
export {
  cidrWarnings,
  ipWarnings,
  parseCidr,
  validateCidr,
  validateInterfaceAddress,
  validateIp,
  validateLegacyCidr,
  validateLegacyIp,
} from "./validation/ip.ts";
export type { Cidr, LegacyIpOptions } from "./validation/ip.ts";
export {
  checkCIdentifier,
  checkConfigMapKey,
  checkEnvVarName,
  checkHttpHeaderName,
  checkPercent,
  checkPortName,
  checkPortNumber,
  checkRange,
  checkRelaxedEnvVarName,
  checkUnixId,
} from "./validation/key-name.ts";
export { validateLabelSelector, validateLabelSelectorRequirement } from "./selector/validate-label-selector.ts";
export type { LabelSelectorRules } from "./selector/validate-label-selector.ts";
export { checkLabelValue, checkQualifiedName, validateLabelName, validateLabels } from "./validation/label.ts";
export { validateFieldManager, validateManagedFields } from "./validation/managed-fields.ts";
export { validateObjectMeta, validateObjectMetaUpdate } from "./validation/object-meta.ts";
export type { ObjectMetaRules } from "./validation/object-meta.ts";
export { checkLabel1035Name, checkLabelName, checkPathSegmentName, checkSubdomainName } from "./validation/object-name.ts";
export type { NameCheck } from "./validation/object-name.ts";
export { validateOwnerReferences } from "./validation/owner-references.ts";

// API errors and the Status bodies behind them
export { ApiError, findApiError, findCause, isApiError } from "./errors/api-error.ts";
export type { ApiErrorOptions } from "./errors/api-error.ts";
export {
  hasStatusCause,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStoreReadError,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  reasonForError,
  statusCause,
  suggestsClientDelay,
} from "./errors/error-reason.ts";
export type { StatusReason } from "./errors/error-reason.ts";
export { newGenericServerResponse } from "./errors/generic-response.ts";
export type { GenericResponse } from "./errors/generic-response.ts";
export { parseStatus } from "./errors/parse-status.ts";
export { retryAfterSeconds, statusFromResponse } from "./errors/response-status.ts";
export type { FailedResponse } from "./errors/response-status.ts";
export {
  newAlreadyExists,
  newApplyConflict,
  newBadRequest,
  newConflict,
  newFailure,
  newForbidden,
  newGenerateNameConflict,
  newGone,
  newInternalError,
  newInvalid,
  newMethodNotSupported,
  newNotAcceptable,
  newNotFound,
  newRequestEntityTooLarge,
  newResourceExpired,
  newServerTimeout,
  newServiceUnavailable,
  newTimeoutError,
  newTooLargeResourceVersion,
  newTooManyRequests,
  newUnauthorized,
  newUnsupportedMediaType,
} from "./errors/status-error.ts";
export { isOutcomeUnknown, isUnknownOutcomeError, UnknownOutcomeError } from "./errors/unknown-outcome.ts";
export type { UnknownOutcome } from "./errors/unknown-outcome.ts";

// The wire: paths, options, watch frames and JSON, written by the client and read by the server
export { formatAccept, negotiate, parseAccept } from "./wire/accept.ts";
export type { AcceptClause, Offer, Representation } from "./wire/accept.ts";
export { ByteLineSplitter } from "./wire/byte-lines.ts";
export { formatContentType, jsonMediaType, parseContentType } from "./wire/content-type.ts";
export type { ContentType } from "./wire/content-type.ts";
export { encodeDeleteOptions, parseDeleteOptions, validateDeleteOptions } from "./wire/delete-options.ts";
export type { DeleteOptions, DeletionPropagation, Preconditions } from "./wire/delete-options.ts";
export { encodeGetOptions, parseGetOptions } from "./wire/get-options.ts";
export type { GetOptions } from "./wire/get-options.ts";
export type { AttemptOutcome, HttpBody, HttpHeaders, HttpRequest, HttpResponse, Transport } from "./wire/http.ts";
export { decodeJson } from "./json/json-decode.ts";
export type { DecodeJsonOptions } from "./json/json-decode.ts";
export { encodeJson } from "./json/json-encode.ts";
export type { EncodeJsonOptions } from "./json/json-encode.ts";
export { jsonEqual } from "./json/json-equal.ts";
export { JsonError } from "./json/json-error.ts";
export type { JsonErrorReason, JsonPosition } from "./json/json-error.ts";
export { JsonProjection } from "./json/projected-json.ts";
export type { KnownValue } from "./json/projected-json.ts";
export { isJsonObject } from "./json/json-value.ts";
export type { JsonObject, JsonValue } from "./json/json-value.ts";
export { LineError, LineSplitter, splitLines } from "./wire/lines.ts";
export type { LineOptions } from "./wire/lines.ts";
export { defaultListOptions, encodeListOptions, parseListOptions, validateListOptions } from "./wire/list-options.ts";
export type { ListOptions, ResourceVersionMatch, ValidateListOptions } from "./wire/list-options.ts";
export { partialObjectMetadataAccept, partialObjectMetadataListAccept } from "./object/partial-object-metadata.ts";
export type { PartialObjectMetadata, PartialObjectMetadataList } from "./object/partial-object-metadata.ts";
export { peekWatchEvent } from "./wire/peeked-event.ts";
export type { PeekedEvent } from "./wire/peeked-event.ts";
export { peekList } from "./wire/peeked-list.ts";
export type { PeekedList } from "./wire/peeked-list.ts";
export { peekIdentity, peekLabels, peekObject } from "./wire/peeked-object.ts";
export type { PeekedObject, PeekOptions } from "./wire/peeked-object.ts";
export { encodeQuery, parseQuery, QueryError } from "./wire/query.ts";
export type { Query, QueryEntry } from "./wire/query.ts";
export { requestInfo } from "./wire/request-info.ts";
export type { RequestInfo } from "./wire/request-info.ts";
export { formatResourcePath, parseResourcePath, ResourcePathError } from "./wire/resource-path.ts";
export type { ResourcePath } from "./wire/resource-path.ts";
export type { Status, StatusCause, StatusDetails } from "./wire/status.ts";
export { parseIncludeObject, tableAccept, validateIncludeObject } from "./wire/table.ts";
export type { IncludeObject, Table, TableColumnDefinition, TableRow, TableRowCondition } from "./wire/table.ts";
export {
  decodeWatchEvent,
  decodeWatchEvents,
  encodeWatchEvent,
  initialEventsEndAnnotation,
  isInitialEventsEnd,
  WatchFrameError,
  isWatchFrameError,
} from "./wire/watch-frame.ts";
export type { WatchEvent, WatchEventType } from "./wire/watch-frame.ts";
export {
  encodeWriteOptions,
  parsePatchOptions,
  parseWriteOptions,
  validateDryRun,
  validatePatchOptions,
  validateWriteOptions,
} from "./wire/write-options.ts";
export type { CreateOptions, FieldValidation, PatchOptions, UpdateOptions } from "./wire/write-options.ts";

// Go's text formats
export { byteLength, compareBytes } from "./go/byte-text.ts";
export { formatGoFixed, formatGoFloat } from "./go/go-float.ts";
export { printGoJson } from "./json/go-json.ts";
export { printGo } from "./json/go-print.ts";
export { quoteGo } from "./go/go-quote.ts";

// Assertions
export { assert, AssertionError } from "./assert.ts";
export { checkOptions, unknownOption } from "./unknown-option.ts";
export type { OptionNames, OptionProblem } from "./unknown-option.ts";
export { and, not, or } from "./truth.ts";
export type { Question } from "./truth.ts";
