/** DeleteOptions of a request, from its body or its query. */
import { isJsonObject, newBadRequest, parseDeleteOptions, validateDeleteOptions } from "@drover/machinery";
import type { DeleteOptions, HttpRequest, JsonObject } from "@drover/machinery";
import { DecodeError } from "../codec/codec.ts";
import type { Codec } from "../codec/codec.ts";
import { bodyMediaType, decodeBody, readWhole } from "../request/read-body.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { parseOptions, refuseInvalidOptions } from "./write-options.ts";

const kind = { group: "meta.k8s.io", version: "v1", kind: "DeleteOptions" } as const;

/** Returns the options, validated; a negative grace period becomes one second. Throws a 400, 415 or 422. */
export async function readDeleteOptions({ limits, bodyCodec }: Backend, { request, query, audit }: RequestContext): Promise<DeleteOptions> {
  const body = await readWhole(request, limits.bodyBytesMax);
  const options = body.length === 0 ? parseOptions(query, parseDeleteOptions) : decodeOptions(body, request, bodyCodec(kind));
  // kube-apiserver logs the options of any group in its internal version.
  if (body.length > 0) audit?.requestObject({ kind: kind.kind, ...(options as JsonObject), apiVersion: "meta.k8s.io/__internal" });
  refuseInvalidOptions("DeleteOptions", validateDeleteOptions(options));
  const { gracePeriodSeconds } = options;
  return gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? { ...options, gracePeriodSeconds: 1 } : options;
}

function decodeOptions(body: string | Uint8Array, { headers }: HttpRequest, codec: Codec): DeleteOptions {
  const mediaType = bodyMediaType(headers, codec);
  try {
    const { object } = decodeBody(body, mediaType, codec);
    const { preconditions, ...rest } = object;
    return { ...rest, ...(isJsonObject(preconditions) ? { preconditions } : {}) };
  } catch (error) {
    if (error instanceof DecodeError) throw new StatusError(newBadRequest(error.message));
    throw error;
  }
}
