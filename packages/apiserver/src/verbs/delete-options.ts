/** The options of a deletion, from the body or the query. */
import { isJsonObject, newBadRequest, parseDeleteOptions, validateDeleteOptions } from "@drover/machinery";
import type { DeleteOptions } from "@drover/machinery";
import { DecodeError } from "../codec/codec.ts";
import type { Codec } from "../codec/codec.ts";
import { bodyMediaType, readBody } from "../request/read-body.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { parseOptions, refuseInvalidOptions } from "./write-options.ts";

const kind = { group: "meta.k8s.io", version: "v1", kind: "DeleteOptions" } as const;

/** What is asked of a deletion, checked: a negative grace period is one second. Throws a 400, 415 or 422. */
export async function readDeleteOptions({ limits, bodyCodec }: Backend, { request, query, resource }: RequestContext): Promise<DeleteOptions> {
  const text = await readBody(request, limits.bodyBytesMax);
  const options = text === "" ? parseOptions(query, parseDeleteOptions) : decodeOptions(bodyCodec(kind), text, bodyMediaType(request.headers, resource));
  refuseInvalidOptions("DeleteOptions", validateDeleteOptions(options));
  const { gracePeriodSeconds } = options;
  return gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? { ...options, gracePeriodSeconds: 1 } : options;
}

function decodeOptions(codec: Codec, text: string, mediaType: ReturnType<typeof bodyMediaType>): DeleteOptions {
  try {
    const { object } = codec.decodeBody(text, mediaType);
    const { preconditions, ...rest } = object;
    return { ...rest, ...(isJsonObject(preconditions) ? { preconditions } : {}) };
  } catch (error) {
    if (error instanceof DecodeError) throw new StatusError(newBadRequest(error.message));
    throw error;
  }
}
