/**
 * What was applied to an object last, for the three-way method: the fields that went since then are those to remove.
 *
 *     our annotation, else Wrangler's, else kubectl's → JsonObject; {} when nobody wrote one
 */
import { decodeJson, encodeJson, getOwn, isJsonObject } from "@drover/machinery";
import type { DeepReadonly, JsonObject, Kind, KubeObject } from "@drover/machinery";
import type { ApplyContext } from "./apply-set.ts";
import { isSecretKind } from "./secret-data.ts";
import { appliedAnnotation, lastAppliedAnnotation } from "./set-identity.ts";
import { wranglerAppliedAnnotation } from "./wrangler-annotations.ts";

const kubectlAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** What is kept of an applied object. Which fields there were is all that is asked of it, so the values of a Secret are not. */
export function printLastApplied(kind: Kind, body: JsonObject): string {
  const data =
    isSecretKind(kind) && isJsonObject(body["data"]) ? { data: Object.fromEntries(Object.keys(body["data"]).map((key) => [key, ""])) } : {};
  return encodeJson({ ...body, ...data });
}

/** The first that can be read. One that cannot is said in the log, and then the fields that went stay. */
export async function lastApplied(
  live: DeepReadonly<KubeObject>,
  { inflate, log }: Pick<ApplyContext, "inflate" | "log">,
): Promise<JsonObject> {
  const { annotations = {}, name = "", namespace = "" } = live.metadata;
  const ours = getOwn(annotations, lastAppliedAnnotation);
  const wrangler = getOwn(annotations, wranglerAppliedAnnotation);
  const packed = ours === undefined && wrangler !== undefined && !wrangler.startsWith("{");
  if (packed && inflate === undefined)
    log.warn("what Wrangler applied last is packed, and there is nothing to unpack it with: give the context an `inflate`", {
      namespace,
      name,
    });
  const unpacked = packed ? inflate && (await unpack(wrangler, inflate).catch(() => undefined)) : wrangler;
  for (const text of [ours, unpacked, getOwn(annotations, kubectlAnnotation)]) {
    if (text === undefined) continue;
    const read = parse(text);
    if (read !== undefined) return read;
    log.warn("what was applied last cannot be read, so fields that went since then stay", { namespace, name });
  }
  return {};
}

/** The body without the annotations that are about applying: they differ every time and are nobody's wish. */
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
