/** The kinds in histories: a built-in and a custom one, which the server stores differently. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { Version } from "./history.ts";

export type Collection = "configmaps" | "widgets";

export interface HistoryKind {
  readonly collection: Collection;
  readonly apiVersion: string;
  readonly kind: string;
  /** Root of its paths: "/api/v1". */
  readonly root: string;
  readonly storagePrefix: string;
  /** The field with its text values. */
  readonly dataField: "data" | "spec";
}

export const historyKinds: Readonly<Record<Collection, HistoryKind>> = {
  configmaps: {
    collection: "configmaps",
    apiVersion: "v1",
    kind: "ConfigMap",
    root: "/api/v1",
    storagePrefix: "/registry/configmaps/",
    dataField: "data",
  },
  widgets: {
    collection: "widgets",
    apiVersion: "histories.drover.dev/v1",
    kind: "Widget",
    root: "/apis/histories.drover.dev/v1",
    storagePrefix: "/registry/histories.drover.dev/widgets/",
    dataField: "spec",
  },
};

const text: JsonObject = { type: "string" };

/** The definition of widgets, with color as a selectable field. */
export const widgetDefinition: JsonObject = {
  metadata: { name: "widgets.histories.drover.dev" },
  spec: {
    group: "histories.drover.dev",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: ".spec.color" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { color: text, c0: text, c1: text, c2: text, c3: text } } },
          },
        },
      },
    ],
  },
};

/** Splits an id such as "widgets/blue/x". */
export function partsOfId(id: string): { readonly kind: HistoryKind; readonly namespace: string; readonly name: string } {
  const [collection, namespace = "", name = ""] = id.split("/");
  return { kind: historyKinds[collection as Collection], namespace, name };
}

export function pathOf(id: string): string {
  const { kind, namespace, name } = partsOfId(id);
  return `${collectionPath(kind, namespace)}/${name}`;
}

/** "" spans all namespaces. */
export function collectionPath({ root, collection }: HistoryKind, namespace: string): string {
  return namespace === "" ? `${root}/${collection}` : `${root}/namespaces/${namespace}/${collection}`;
}

/** Returns an object without the fields that differ between responses and the store. */
export function versionOf(object: JsonObject): Version {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  const { resourceVersion, ...meta } = mapOf(metadata);
  return { revision: Number(textOf(resourceVersion)), content: { ...rest, metadata: meta } };
}

export function idOf({ collection }: HistoryKind, { content }: Version): string {
  const { namespace, name } = mapOf(content["metadata"]);
  return `${collection}/${textOf(namespace)}/${textOf(name)}`;
}

export const mapOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

export const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");
