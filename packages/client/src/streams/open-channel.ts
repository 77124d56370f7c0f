/**
 * Opens the WebSocket of a pod's subresource, and turns a refusal of the server into an `ApiError`.
 *
 *     pod, subresource, query → WebSocketConnect → WebSocketChannel
 */
import { definedOnly, ApiError, encodeQuery, formatResourcePath, retryAfterSeconds, statusFromResponse } from "@drover/machinery";
import type { ObjectName, QueryEntry } from "@drover/machinery";
import { StreamError } from "./stream-error.ts";
import { isUpgradeRefusedError } from "./web-socket.ts";
import type { UpgradeRefusedError, WebSocketChannel, WebSocketConnect } from "./web-socket.ts";

export interface OpenChannelRequest {
  readonly pod: ObjectName;
  readonly subresource: "exec" | "attach" | "portforward";
  readonly query: readonly QueryEntry[];
  readonly protocols: readonly string[];
  readonly signal?: AbortSignal;
}

/** Guarantees that the channel uses one of the requested protocols. Rejects with an `ApiError`, a `StreamError` or the signal's reason. */
export async function openChannel(connect: WebSocketConnect, request: OpenChannelRequest): Promise<WebSocketChannel> {
  const { pod, subresource, query, protocols, signal } = request;
  signal?.throwIfAborted();
  const path = formatResourcePath({ group: "", version: "v1", resource: "pods", ...pod, subresource });
  const channel = await connect({
    path: `${path}?${encodeQuery(query)}`,
    headers: {},
    protocols,
    ...definedOnly({ signal }),
  }).catch((error: unknown) => {
    throw isUpgradeRefusedError(error) ? refusal(error, request) : error;
  });
  if (protocols.includes(channel.protocol)) return channel;
  await channel.close();
  throw new StreamError(
    "protocol",
    `${attemptText(subresource, pod)}: the server chose the protocol "${channel.protocol}" instead of one of ${protocols.join(", ")}`,
  );
}

/** Describes the operation for errors: "exec in pods/web-0 in shop". */
export function attemptText(subresource: OpenChannelRequest["subresource"], { namespace, name }: ObjectName): string {
  const verb = { exec: "exec in", attach: "attach to", portforward: "forward a port of" }[subresource];
  return `${verb} pods/${name} in ${namespace}`;
}

function refusal({ status: code, headers, body }: UpgradeRefusedError, { pod, subresource }: OpenChannelRequest): ApiError {
  const status = statusFromResponse({ code, headers, body, method: "GET", resource: { group: "", resource: "pods" }, name: pod.name });
  const seconds = retryAfterSeconds(headers);
  return new ApiError(status, {
    code,
    attempt: attemptText(subresource, pod),
    ...definedOnly({ retryAfterSeconds: seconds }),
  });
}
