/** HTTP: whatever arrives on a connection, the server answers with a status or closes, and serves the next connection. */
import { connect } from "node:net";
import { testRuntime } from "@drover/machinery/testing";
import { createApiServer } from "../../packages/apiserver/src/api-server.ts";
import { listen } from "../../packages/apiserver/src/http/listener.ts";
import { nodeHost } from "../../packages/apiserver/src/http/node-host.ts";
import { holds } from "../expect.ts";
import { textOf } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

interface Running {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** The store is emptied now and then: inputs create objects. */
const inputsPerServer = 2000;
const inputsPerCheck = 10;
/** A watch stays open: after this silence the client leaves. */
const silenceMs = 25;
/** A request that must be served; the machine may be busy. */
const patienceMs = 10_000;

/** Owned by the target: one server at a time. */
const state: { running: Promise<Running> | undefined; inputs: number } = { running: undefined, inputs: 0 };

export const framesTarget: FuzzTarget = {
  name: "frames",
  perSecond: 800,
  tokens: [
    [
      "GET ",
      "POST ",
      "PATCH ",
      "DELETE ",
      "PUT ",
      "HEAD ",
      "OPTIONS ",
      "CONNECT ",
      " HTTP/1.1\r\n",
      " HTTP/1.0\r\n",
      "\r\n",
      "\r\n\r\n",
      "Host: localhost\r\n",
    ],
    [
      "Content-Length: 5\r\n",
      "Content-Length: -1\r\n",
      "Transfer-Encoding: chunked\r\n",
      "0\r\n\r\n",
      "5\r\nhello\r\n",
      "ffffffffffffffff\r\n",
      ";ext=1",
    ],
    [
      "Expect: 100-continue\r\n",
      "Connection: close\r\n",
      "Connection: Upgrade\r\nUpgrade: websocket\r\n",
      "Content-Type: application/json\r\n",
    ],
    [
      "Content-Type: application/apply-patch+yaml\r\n",
      "Content-Type: application/vnd.kubernetes.protobuf\r\n",
      "Content-Encoding: gzip\r\n",
    ],
    [
      "Accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n",
      "Accept-Encoding: gzip\r\n",
      "Impersonate-User: a\r\n",
      "Authorization: Bearer x\r\n",
    ],
    [
      "/api/v1/namespaces/default/configmaps",
      "?watch=1",
      "?limit=1",
      "?labelSelector=a%3Db",
      "?fieldManager=a&force=true",
      "/openapi/v3",
      "/version",
    ],
    [
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}',
      "/apis/apps/v1/deployments",
      "/status",
      "/scale",
      "%00",
      "//",
      "/../",
    ],
  ].flat(),
  async run(input) {
    if (state.inputs++ % inputsPerServer === 0) await restart();
    state.running ??= start();
    const { port } = await state.running;
    const answer = await exchange(port, input, silenceMs);
    holds(answer === "" || /^HTTP\/1\.[01] [1-5]\d\d [^\r\n]*\r\n/.test(answer), "answers with a status or closes", () => answer);
    if (state.inputs % inputsPerCheck !== 0) return;
    const next = await exchange(port, request, patienceMs);
    holds(next.startsWith("HTTP/1.1 200 "), "serves the next connection", () => next);
  },
  close: restart,
};

const request = new TextEncoder().encode("GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

async function restart(): Promise<void> {
  const running = await state.running;
  state.running = undefined;
  await running?.stop();
}

async function start(): Promise<Running> {
  const runtime = testRuntime();
  const server = await createApiServer({ runtime, host: nodeHost });
  const listener = await listen({ connection: () => server.handle, tls: "none", clock: runtime.clock, log: runtime.log });
  const control = new AbortController();
  const ended = listener.run(control.signal);
  const stop = async (): Promise<void> => {
    control.abort();
    await ended;
    server.close();
  };
  return { port: listener.port, stop };
}

/** Sends bytes, ends the sending side, and returns what came back until the server closed or was silent. */
function exchange(port: number, bytes: Uint8Array, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    const socket = connect({ port, host: "127.0.0.1" });
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(textOf(Buffer.concat(chunks))));
    socket.end(bytes);
  });
}
