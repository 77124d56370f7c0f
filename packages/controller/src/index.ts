/** A reconcile loop that explains itself, and the life around it. What stands here is a promise; the rest is ours to change. */

// Who leads, and a fence that keeps everybody else from writing
export { LeaderElector } from "./leader/leader-elector.ts";
export type { LeaderElectorOptions } from "./leader/leader-elector.ts";
export type { LeaseTimingOptions } from "./leader/lease-timing.ts";
export type { Fence } from "./leader/fence.ts";
export type { FenceToken } from "./leader/fence-term.ts";
export { FencedError, isFenced, isFencedError } from "./leader/fenced-error.ts";
export type { FencedErrorOptions } from "./leader/fenced-error.ts";

// Which changes are worth a reconcile
export { objectPredicate } from "./predicates/predicate.ts";
export type { ObjectPredicateOptions, Predicate } from "./predicates/predicate.ts";
export { annotationChanged, generationChanged, labelChanged, onlyStatusChanged, resourceVersionChanged } from "./predicates/changed-predicates.ts";
export { hasLabel, matches, namespaceIn, ownerIs } from "./predicates/object-predicates.ts";
export type { HasLabelOptions, OwnerIsOptions } from "./predicates/object-predicates.ts";

// From a change to the keys it concerns
export { lowPriority } from "./handlers/request.ts";
export type { ChangeCause, Handler, Request } from "./handlers/request.ts";
export { selfHandler } from "./handlers/self-handler.ts";
export { ownerHandler } from "./handlers/owner-handler.ts";
export type { OwnerMatchOptions } from "./handlers/owner-handler.ts";
export { mappedHandler } from "./handlers/mapped-handler.ts";
export type { MapToKeys } from "./handlers/mapped-handler.ts";

// Telling people what happened
export { createEventBroadcaster } from "./events/event-broadcaster.ts";
export type { EventBroadcaster, EventBroadcasterOptions, FlushOptions } from "./events/event-broadcaster.ts";
export type { EventRecorder } from "./events/event-recorder.ts";
export type { EventReporter, NewEvent } from "./events/event-draft.ts";
export type { Referable } from "./events/object-reference.ts";
export type { EventSeriesOptions } from "./events/event-series-state.ts";
export type { EventAggregationOptions } from "./events/event-aggregation-state.ts";
export type { EventSpamOptions } from "./events/event-spam-state.ts";
export type { EventClient } from "./events/send-event.ts";
