/** What specs and statuses of metrics have in common: which object, which metric. */
import { compareBytes } from "@drover/machinery";
import type { LabelSelector } from "@drover/machinery";
import type { CrossVersionObjectReference, MetricIdentifier } from "@drover/api/autoscaling/v2";
import type { GoJsonFields } from "./go-json-fields.ts";

/** The same without the members that are undefined. */
export function compact<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** In the order in which Go writes its fields. */
export const orderedReference = ({ kind, name, apiVersion }: CrossVersionObjectReference): object => ({ kind, name, apiVersion });

/** In the order in which Go writes its fields and labels. */
export function orderedSelector(selector: LabelSelector | undefined): object | undefined {
  if (selector === undefined) return undefined;
  const { matchLabels, matchExpressions } = selector;
  return {
    matchLabels: matchLabels && Object.fromEntries(Object.entries(matchLabels).toSorted(([a], [b]) => compareBytes(a, b))),
    matchExpressions: matchExpressions?.map(({ key, operator, values }) => ({ key, operator, values })),
  };
}

export const readReference = (fields: GoJsonFields): CrossVersionObjectReference =>
  compact({ kind: fields.text("kind"), name: fields.text("name"), apiVersion: fields.text("apiVersion") || undefined });

/** Version 1 has name and selector of a metric beside its values. */
export const readMetric = (fields: GoJsonFields, selector: "metricSelector" | "selector"): MetricIdentifier =>
  compact({ name: fields.text("metricName"), selector: fields.optionalSelector(selector) });

/** A reference that version 1 cannot leave out. */
export const noReference: CrossVersionObjectReference = { kind: "", name: "" };
