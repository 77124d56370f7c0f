/**
 * Sequences of requests on one object, for apply.test.ts: their form, and our answers. The oracle answers the same
 * requests with Kubernetes' own library.
 */
import { schemaFor } from "@drover/api/schemas";
import {
  applyMergePatch,
  applyPatch,
  builtInMergeType,
  customMergeType,
  deducedMergeType,
  emptyObjectOf,
  excludeFields,
  fieldSetOf,
  recordUpdate,
} from "@drover/machinery";
import type { ApplyScope, JsonObject, MergeType, Schema } from "@drover/machinery";

import { otherSchema, sampleSchema } from "./apply-sample.ts";

/** One request. An update is a merge patch on the live object or a whole object, which keeps the live uid. */
export interface ApplyStep {
  readonly op: "apply" | "update";
  readonly manager: string;
  readonly subresource?: string;
  /** @default "v1" */
  readonly version?: string;
  readonly force?: boolean;
  readonly config?: JsonObject;
  readonly patch?: JsonObject;
  readonly object?: JsonObject;
}

/** Requests on one object of a built-in kind, of the custom kind, or of a kind whose types are deduced. */
export interface ApplyQuestion {
  readonly group: string;
  readonly kind: string;
  readonly custom?: boolean;
  readonly deduced?: boolean;
  readonly empty: JsonObject;
  /** Fields that no manager can own, by subresource. */
  readonly reset?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly steps: readonly ApplyStep[];
}

/** The result of one request. */
export interface ApplyOutcome {
  readonly object?: JsonObject;
  readonly error?: string;
  readonly reason?: string;
  readonly causes?: readonly string[];
  /** Every `fieldsV1` as text, because its order matters. */
  readonly fields?: readonly string[];
}

const startMs = Date.UTC(2020, 0, 1);
const objectMeta: Schema = schemaFor({ group: "", version: "v1", kind: "ConfigMap" })?.properties?.["metadata"] ?? {};
const apiVersionOf = (group: string, version: string): string => (group === "" ? version : `${group}/${version}`);

/** An object of a built-in kind before any field is set. */
export const builtInEmpty = (group: string, kind: string): JsonObject =>
  emptyObjectOf(schemaFor({ group, version: "v1", kind }) ?? {}, apiVersionOf(group, "v1"), kind);

/** The schema that the oracle needs for the custom kind. */
export const sampleDefinition: { readonly group: string; readonly kind: string; readonly define: Readonly<Record<string, Schema>> } = {
  group: "example.com",
  kind: "Sample",
  define: { v1: sampleSchema, v2: otherSchema },
};

const sampleTypes: ReadonlyMap<string, MergeType> = new Map(
  Object.entries(sampleDefinition.define).map(([version, schema]) => [`example.com/${version}`, customMergeType(schema, objectMeta)]),
);
const deducedTypes: ReadonlyMap<string, MergeType> = new Map(["v1", "v2"].map((version) => [`example.com/${version}`, deducedMergeType]));
const builtInTypes: ReadonlyMap<string, MergeType> = new Map(
  ["/ConfigMap", "/Service", "/Pod", "apps/Deployment", "apps/ControllerRevision"].map((name) => {
    const [group = "", kind = ""] = name.split("/");
    return [name, builtInMergeType(schemaFor({ group, version: "v1", kind }) ?? {})];
  }),
);

function typesOf({ group, kind, custom = false, deduced = false }: ApplyQuestion): ApplyScope["typeOf"] {
  if (custom) return (apiVersion) => sampleTypes.get(apiVersion);
  if (deduced) return (apiVersion) => deducedTypes.get(apiVersion);
  return (apiVersion) => (apiVersion === apiVersionOf(group, "v1") ? builtInTypes.get(`${group}/${kind}`) : undefined);
}

/** Runs all requests on our implementation. */
export function answerApply(question: ApplyQuestion): ApplyOutcome[] {
  const { group, kind, empty, reset = {}, steps } = question;
  let live: JsonObject | undefined;
  return steps.map((step, index) => {
    const { subresource = "", version = "v1", manager, force = false } = step;
    const apiVersion = apiVersionOf(group, version);
    const excluded = reset[subresource];
    const filter =
      excluded === undefined ? undefined : excludeFields(fieldSetOf(...excluded.map((path) => path.map((name) => `f:${name}`))));
    const scope: ApplyScope = {
      apiVersion,
      kind,
      subresource,
      typeOf: typesOf(question),
      emptyObject: { ...empty, apiVersion },
      ...(filter === undefined ? {} : { filterOf: () => filter }),
    };
    const before = live === undefined ? { ...empty, apiVersion } : { ...live, apiVersion };
    const now = startMs + index * 1000;
    if (step.op === "apply") {
      const result = applyPatch({ scope, live: before, config: step.config ?? {}, manager, force, now });
      if (result.kind === "refused") {
        const { message = "", reason = "", details } = result.status;
        const causes = details?.causes?.map((cause) => `${cause.reason ?? ""} ${cause.message ?? ""} ${cause.field ?? ""}`);
        return { error: message, ...(reason === "" ? {} : { reason }), ...(causes === undefined ? {} : { causes }) };
      }
      live = withUid(result.object, "u");
    } else {
      const object = step.object === undefined ? applyMergePatch(before, step.patch ?? {}) : withUid(step.object, uidOf(before));
      live = withUid(recordUpdate({ scope, live: before, object: object as JsonObject, manager, now }).object, "u");
    }
    const fields = managedFieldsOf(live).map(({ fieldsV1 }) => JSON.stringify(fieldsV1));
    return { object: live, ...(fields.length === 0 ? {} : { fields }) };
  });
}

const metadataOf = (object: JsonObject): JsonObject => (object["metadata"] ?? {}) as JsonObject;
const managedFieldsOf = (object: JsonObject): JsonObject[] => (metadataOf(object)["managedFields"] ?? []) as JsonObject[];
const uidOf = (object: JsonObject): string => (metadataOf(object)["uid"] ?? "") as string;
const withUid = (object: JsonObject, uid: string): JsonObject =>
  uid === "" || (uidOf(object) !== "" && uid === "u") ? object : { ...object, metadata: { ...metadataOf(object), uid } };
