/** Parts that metric specs and statuses share: object reference and metric identifier. */
import { compareBytes } from "@drover/machinery";
import type { LabelSelector } from "@drover/machinery";
import type { CrossVersionObjectReference, MetricIdentifier } from "@drover/api/autoscaling/v2";
import type { GoJsonFields } from "./go-json-fields.ts";

/** Drops undefined members. */
export function compact<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** In Go's field order. */
export const orderedReference = ({ kind, name, apiVersion }: CrossVersionObjectReference): object => ({ kind, name, apiVersion });

/** In Go's order of fields and labels. */
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

/** v1 writes the name and selector of a metric next to its values. */
export const readMetric = (fields: GoJsonFields, selector: "metricSelector" | "selector"): MetricIdentifier =>
  compact({ name: fields.text("metricName"), selector: fields.optionalSelector(selector) });

/** The empty reference; v1 cannot omit it. */
export const noReference: CrossVersionObjectReference = { kind: "", name: "" };
