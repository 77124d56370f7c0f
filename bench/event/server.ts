/**
 * The server of the event benchmark, as a separate process: lists Pods, and sends events of a watch at a given rate, each with the time
 * of its sending.
 *
 *     node server.ts <settings as JSON>  →  its URL on a line
 */
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeWatchMessage } from "@drover/machinery/protobuf";
import type { JsonObject } from "@drover/machinery";
import { encodeList, encodeObject, objectMessage } from "../../packages/apiserver/src/codec/object-message.ts";
import { podTemplate } from "../cache/pod-template.ts";

const { pods, events, everyMs, perTick } = JSON.parse(process.argv[2] ?? "{}") as {
  readonly pods: number;
  readonly events: number;
  readonly everyMs: number;
  readonly perTick: number;
};
const template = JSON.parse(podTemplate()) as JsonObject & { readonly metadata: JsonObject };

function podAt(index: number, version: number, sent = ""): JsonObject {
  const { metadata } = template;
  return {
    ...template,
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadata,
      name: `pod-${index}`,
      namespace: "default",
      uid: `uid-${index}`,
      resourceVersion: String(version),
      annotations: { ...(metadata["annotations"] as JsonObject | undefined), "bench.drover.dev/sent": sent },
    },
  };
}

/** Room for the time, a number with a point. */
const placeholder = "0000000000000.000000000000";
const nowMs = (): number => performance.timeOrigin + performance.now();

function sendList(response: ServerResponse, isProtobuf: boolean): void {
  const items = Array.from({ length: pods }, (_, index) => podAt(index, index + 1));
  const metadata = { resourceVersion: String(pods) };
  response.setHeader("content-type", isProtobuf ? "application/vnd.kubernetes.protobuf" : "application/json");
  if (isProtobuf) response.end(encodeList({ group: "", version: "v1", kind: "PodList" }, metadata, items.map(objectMessage)));
  else response.end(JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata, items }));
}

function sendEvents(response: ServerResponse, isProtobuf: boolean): void {
  response.setHeader("content-type", isProtobuf ? "application/vnd.kubernetes.protobuf;stream=watch" : "application/json");
  response.flushHeaders();
  let count = 0;
  const timer = setInterval(() => {
    for (let n = 0; n < perTick && count < events; n++) {
      count++;
      const object = podAt(count % pods, pods + count, placeholder);
      const frame = Buffer.from(
        isProtobuf
          ? encodeWatchMessage({ type: "MODIFIED", object: encodeObject(object) })
          : `${JSON.stringify({ type: "MODIFIED", object })}\n`,
      );
      // Encoding it is not part of the way.
      frame.write(String(nowMs()).padEnd(placeholder.length, "0"), frame.indexOf(placeholder));
      response.write(frame);
    }
    if (count === events) clearInterval(timer);
  }, everyMs);
  response.on("close", () => clearInterval(timer));
}

const server = createServer((request, response) => {
  const isProtobuf = request.headers.accept?.includes("protobuf") === true;
  if (request.url === "/version") response.setHeader("content-type", "application/json").end('{"major":"1","minor":"36"}');
  else if (request.url?.includes("watch=true") === true) sendEvents(response, isProtobuf);
  else sendList(response, isProtobuf);
});
server.on("connection", (socket) => socket.setNoDelay(true));
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`));
