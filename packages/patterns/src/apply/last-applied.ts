/**
 * The last applied object, for the three-way method: fields that it has and the desired object lacks are removed.
 *
 *     our annotation, else Wrangler's, else kubectl's → JsonObject;   {} if there is none
 */
import { decodeJson, encodeJson, getOwn, isJsonObject } from "@drover/machinery";
import type { DeepReadonly, JsonObject, Kind, KubeObject } from "@drover/machinery";
import type { ApplyContext } from "./apply-set.ts";
import { isSecretKind } from "./secret-data.ts";
import { appliedAnnotation, lastAppliedAnnotation } from "./set-identity.ts";
import { wranglerAppliedAnnotation } from "./wrangler-annotations.ts";

const kubectlAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** Prints the annotation value. Only the field names matter later, so the values of a Secret are left out. */
export function printLastApplied(kind: Kind, body: JsonObject): string {
  const data =
    isSecretKind(kind) && isJsonObject(body["data"]) ? { data: Object.fromEntries(Object.keys(body["data"]).map((key) => [key, ""])) } : {};
  return encodeJson({ ...body, ...data });
}

/** Returns the first annotation that can be parsed. Logs those that cannot; fields that were removed since then remain. */
export async function lastApplied(
  live: DeepReadonly<KubeObject>,
  { inflate, log }: Pick<ApplyContext, "inflate" | "log">,
): Promise<JsonObject> {
  const { annotations = {}, name = "", namespace = "" } = live.metadata;
  const ours = getOwn(annotations, lastAppliedAnnotation);
  const wrangler = getOwn(annotations, wranglerAppliedAnnotation);
  const packed = ours === undefined && wrangler !== undefined && !wrangler.startsWith("{");
  if (packed && inflate === undefined)
    log.warn("cannot read what Wrangler applied last: it is gzipped and the context has no `inflate`", {
      namespace,
      name,
    });
  const unpacked = packed ? inflate && (await unpack(wrangler, inflate).catch(() => undefined)) : wrangler;
  for (const text of [ours, unpacked, getOwn(annotations, kubectlAnnotation)]) {
    if (text === undefined) continue;
    const read = parse(text);
    if (read !== undefined) return read;
    log.warn("cannot parse the last-applied annotation, fields removed since then remain", { namespace, name });
  }
  return {};
}

/** Removes the annotations that only serve applying: they differ every time and are not desired state. */
export function withoutMarks(body: JsonObject): JsonObject {
  const { metadata } = body;
  if (!isJsonObject(metadata) || !isJsonObject(metadata["annotations"])) return body;
  const annotations = Object.fromEntries(
    Object.entries(metadata["annotations"]).filter(([key]) => key !== appliedAnnotation && key !== lastAppliedAnnotation),
  );
  return { ...body, metadata: { ...metadata, annotations } };
}

async function unpack(text: string, inflate: NonNullable<ApplyContext["inflate"]>): Promise<string> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await inflate(bytes));
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = decodeJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
