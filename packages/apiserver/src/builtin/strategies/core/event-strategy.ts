/**
 * The strategies of Event in both groups. The core group only requires the namespace of the involved object; events.k8s.io
 * requires everything and allows only the series to change. Its errors name the fields of the core group.
 */
import { Event } from "@drover/api/core/v1";
import type { ObjectReference } from "@drover/api/core/v1";
import type { Event as NewEvent } from "@drover/api/events/v1";
import { byteLength, checkDns1123Subdomain, fieldInvalid, fieldRequired, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { eventToStored } from "../../conversion/event-conversion.ts";
import { immutableText, problemsOf, validateQualifiedName } from "../checked-field.ts";
import { invalidStruct } from "../named-text.ts";
import { jsonOf, typedObject } from "../../../typed-object.ts";

/** The strategy of core/v1 Event. */
export const eventStrategy: Strategy<Event> = {
  validate: (event) => validateOlder(event, "reportingComponent"),
  validateUpdate: (event) => validateOlder(event, "reportingComponent"),
};

/** The strategy of events.k8s.io/v1 Event. */
export const newEventStrategy: Strategy<NewEvent> = {
  validate: (event) => validateNewer(asOlder(event)),
  validateUpdate: (event, old) => validateNewerUpdate(asOlder(event), asOlder(old)),
};

type View = DeepReadonly<Event>;

/** Returns the event with the field names of the core group. */
function asOlder(event: DeepReadonly<NewEvent>): View {
  return typedObject(Event, eventToStored(jsonOf(event)));
}

const isUnset = (value: unknown): boolean => value === undefined || value === null || value === "" || value === 0;

function validateOlder(event: View, controllerName: string): FieldError[] {
  const namespace = event.metadata.namespace ?? "";
  const about = event.involvedObject.namespace ?? "";
  const isElsewhere = isUnset(event.eventTime)
    ? about === ""
      ? namespace !== "" && namespace !== "default"
      : about !== namespace
    : about === "" && namespace !== "default" && namespace !== "kube-system";
  return [
    ...(isElsewhere ? [fieldInvalid("involvedObject.namespace", about, "does not match event.namespace")] : []),
    ...(isUnset(event.eventTime) ? [] : validateReport(event, controllerName)),
    ...problemsOf("namespace", namespace, checkDns1123Subdomain(namespace)),
  ];
}

function validateReport(
  { reportingComponent = "", reportingInstance = "", action = "", reason = "", message = "" }: View,
  controllerName: string,
): FieldError[] {
  const bound = (field: string, value: string, max: number): FieldError[] =>
    byteLength(value) > max ? [fieldInvalid(field, "", `can have at most ${max} characters`)] : [];
  const needed = (field: string, value: string): FieldError[] => (value === "" ? [fieldRequired(field)] : bound(field, value, 128));
  return [
    ...(reportingComponent === "" ? [fieldRequired(controllerName)] : []),
    ...validateQualifiedName(reportingComponent, controllerName),
    ...needed("reportingInstance", reportingInstance),
    ...needed("action", action),
    ...needed("reason", reason),
    ...bound("message", message, 1024),
  ];
}

function validateNewer(event: View): FieldError[] {
  const { type = "", source } = event;
  const unset = (field: string, value: unknown): FieldError[] => (isUnset(value) ? [] : [fieldInvalid(field, "", "needs to be unset")]);
  return [
    ...validateOlder(event, "reportingController"),
    ...validateSeries(event),
    ...(isUnset(event.eventTime) ? [fieldRequired("eventTime")] : []),
    ...(type === "Normal" || type === "Warning" ? [] : [fieldInvalid("type", "", `has invalid value: ${type}`)]),
    ...unset("firstTimestamp", event.firstTimestamp),
    ...unset("lastTimestamp", event.lastTimestamp),
    ...unset("count", event.count),
    ...unset("source", (source?.component ?? "") + (source?.host ?? "")),
  ];
}

function validateSeries({ series }: View): FieldError[] {
  if (series === undefined) return [];
  return [
    ...((series.count ?? 0) < 2 ? [fieldInvalid("series.count", "", "should be at least 2")] : []),
    ...(isUnset(series.lastObservedTime) ? [fieldRequired("series.lastObservedTime")] : []),
  ];
}

function validateNewerUpdate(event: View, old: View): FieldError[] {
  const errors = [
    ...validateOlder(event, "reportingController"),
    ...(semanticEqual(event.series, old.series) ? [] : validateSeries(event)),
  ];
  const fixed = (field: string, value: unknown, before: unknown): void => {
    if (!semanticEqual(value, before)) errors.push(fieldInvalid(field, value ?? "", immutableText));
  };
  if (!semanticEqual(event.involvedObject, old.involvedObject))
    errors.push(invalidStruct("involvedObject", shownReference(event.involvedObject), immutableText));
  fixed("reason", event.reason, old.reason);
  fixed("message", event.message, old.message);
  const { component = "", host = "" } = event.source ?? {};
  if (!semanticEqual(event.source ?? {}, old.source ?? {}))
    errors.push(invalidStruct("source", { Component: component, Host: host }, immutableText));
  fixed("firstTimestamp", event.firstTimestamp ?? null, old.firstTimestamp ?? null);
  fixed("lastTimestamp", event.lastTimestamp ?? null, old.lastTimestamp ?? null);
  fixed("count", event.count ?? 0, old.count ?? 0);
  fixed("reason", event.reason, old.reason);
  fixed("type", event.type, old.type);
  fixed("eventTime", event.eventTime ?? null, old.eventTime ?? null);
  fixed("action", event.action, old.action);
  if (!semanticEqual(event.related, old.related))
    errors.push(invalidStruct("related", event.related === undefined ? null : shownReference(event.related), immutableText));
  fixed("reportingController", event.reportingComponent, old.reportingComponent);
  fixed("reportingInstance", event.reportingInstance, old.reportingInstance);
  return errors;
}

function shownReference({
  kind = "",
  namespace = "",
  name = "",
  uid = "",
  apiVersion = "",
  resourceVersion = "",
  fieldPath = "",
}: DeepReadonly<ObjectReference>): object {
  return {
    Kind: kind,
    Namespace: namespace,
    Name: name,
    UID: uid,
    APIVersion: apiVersion,
    ResourceVersion: resourceVersion,
    FieldPath: fieldPath,
  };
}
