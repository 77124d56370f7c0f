/**
 * exec, attach, port-forward and logs through an API server. The real one uses kwok's kubelet, which serves streams
 * with the same library as container runtimes and runs commands on this machine. Its limits, for kubectl too: it never
 * closes a command's input, reports a non-zero exit code as an internal error, and may drop the last output of a
 * command in a terminal.
 */
import { mkdtempSync, rmSync, writeFileSync, appendFileSync } from "node:fs";
import { connect as connectTo, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { attach, exec, execEvents, logs, nodeTransport, nodeWebSocket, portForward } from "@drover/client";
import type { TlsSource, WebSocketConnect } from "@drover/client";
import { Secret, createRandom } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { connect as connectToCluster, nodeRuntime } from "drover";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestContext } from "vitest";
import { realClusterMissing, startRealCluster } from "../servers/real-cluster.ts";
import type { RealCluster } from "../servers/real-cluster.ts";
import { describeOnServers } from "../servers/servers.ts";

const { clock } = nodeRuntime();
const pod = { namespace: "default", name: "web" };
const utf8 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

/** As a container runtime writes them. */
const logLine = (second: number, text: string): string => `2026-01-01T00:00:0${second}.123456789Z stdout F ${text}\n`;

describeOnServers("streams", ({ kind, start }) => {
  const missing = kind === "real" ? realClusterMissing({ kwok: {} }) : undefined;
  let cluster: RealCluster | undefined;
  let connect: WebSocketConnect = () => Promise.reject(new Error("not started"));
  let transport: Transport = () => Promise.reject(new Error("not started"));
  const folder = mkdtempSync(join(tmpdir(), "drover-streams-"));
  const logFile = join(folder, "web.log");
  const attachFile = join(folder, "attach.log");
  // Greets every connection and returns its input in capitals until the connection closes.
  const echo = createServer((socket) => {
    socket.write("welcome\n");
    socket.on("data", (data) => socket.write(data.toString("utf8").toUpperCase()));
    socket.on("error", () => undefined);
  });

  beforeAll(async () => {
    if (missing !== undefined) return;
    writeFileSync(logFile, [logLine(1, "first"), logLine(2, ""), logLine(2, "ünïcode 😀")].join(""));
    writeFileSync(attachFile, "");
    await new Promise<void>((resolve) => void echo.listen(0, "127.0.0.1", resolve));
    const target = { address: "127.0.0.1", port: (echo.address() as AddressInfo).port };
    const startWithNode = (): Promise<RealCluster> =>
      startRealCluster({
        kwok: {
          config: [
            { kind: "ClusterExec", metadata: { name: "all" }, spec: { execs: [{ local: {} }] } },
            { kind: "ClusterAttach", metadata: { name: "all" }, spec: { attaches: [{ logsFile: attachFile }] } },
            { kind: "ClusterLogs", metadata: { name: "all" }, spec: { logs: [{ logsFile: logFile, follow: true }] } },
            {
              kind: "ClusterPortForward",
              metadata: { name: "all" },
              spec: {
                forwards: [
                  { ports: [80], target },
                  { ports: [81], target: { address: "127.0.0.1", port: 9 } },
                ],
              },
            },
          ],
        },
      });
    const started = kind === "real" ? await startWithNode() : await start();
    cluster = started;
    const tls: TlsSource = () => Promise.resolve({ generation: 1, insecure: false, ca: started.ca });
    connect = nodeWebSocket({
      server: started.url,
      tls,
      clock,
      credentials: { header: () => Promise.resolve(new Secret(`Bearer ${started.token}`)), refused: () => Promise.resolve(false) },
    });
    const sockets = nodeTransport({ server: started.url, tls, clock, log: recordingLog(clock) });
    transport = (request) => sockets({ ...request, headers: { ...request.headers, authorization: `Bearer ${started.token}` } });
    await createPod(started, "web", "node-0");
    await createPod(started, "unscheduled");
  }, 120_000);

  afterAll(async () => {
    echo.close();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const unless =
    (reason: string | undefined) =>
    (name: string, work: () => Promise<void>): void =>
      it(name, { timeout: 60_000 }, async (context: TestContext) => {
        if (reason !== undefined) context.skip(reason);
        await work();
      });
  const onBoth = unless(missing);
  const withNode = unless(kind === "ours" ? "our server has no kubelets to stream from" : missing);

  withNode("runs a command and tells its outputs apart", async () => {
    const seen = { stdout: "", stderr: "" };
    const code = await exec(connect, pod, {
      command: ["sh", "-c", "echo out; echo err >&2"],
      container: "web",
      stdout: (bytes) => void (seen.stdout += utf8(bytes)),
      stderr: (bytes) => void (seen.stderr += utf8(bytes)),
    });
    expect(code).toBe(0);
    expect(seen).toEqual({ stdout: "out\n", stderr: "err\n" });
  });

  withNode("carries a lot of input whole", async () => {
    const stdin = (async function* () {
      for (let index = 0; index < 40; index++) yield await Promise.resolve("x".repeat(100_000));
    })();
    let out = "";
    expect(
      await exec(connect, pod, { command: ["sh", "-c", "head -c 4000000 | wc -c"], stdin, stdout: (bytes) => void (out += utf8(bytes)) }),
    ).toBe(0);
    expect(out.trim()).toBe("4000000");
  });

  withNode("carries a lot of output whole to a reader that takes its time", async () => {
    let bytes = 0;
    const code = await exec(connect, pod, {
      command: ["sh", "-c", "head -c 20000000 /dev/zero"],
      stdout: async (chunk) => {
        if (bytes === 0) await delay(200);
        bytes += chunk.length;
      },
    });
    expect([code, bytes]).toEqual([0, 20_000_000]);
  });

  withNode("runs a command in a terminal of the size it is told", async () => {
    const resize = (async function* () {
      yield await Promise.resolve({ width: 123, height: 45 });
      await new Promise(() => undefined);
    })();
    let out = "";
    const code = await exec(connect, pod, {
      command: ["sh", "-c", 'until [ "$(stty size)" = "45 123" ]; do sleep 0.05; done; stty size; sleep 0.5'],
      tty: true,
      resize,
      stdin: (async function* () {
        await new Promise(() => undefined);
        yield "";
      })(),
      stdout: (bytes) => void (out += utf8(bytes)),
    });
    expect([code, out.trim()]).toEqual([0, "45 123"]);
  });

  withNode("throws what the node says about a command that fails or is not there", async () => {
    await expect(exec(connect, pod, { command: ["sh", "-c", "exit 3"] })).rejects.toThrow("exit status 3");
    await expect(exec(connect, pod, { command: ["no-such-program"] })).rejects.toMatchObject({
      name: "ApiError",
      reason: "InternalError",
      attempt: "exec in pods/web in default",
    });
  });

  withNode("ends the connection when the loop is left, and when the signal says so", async () => {
    for await (const event of execEvents(connect, pod, { command: ["sh", "-c", "while echo y; do :; done"] })) {
      expect(event.kind).toBe("stdout");
      break;
    }
    const controller = new AbortController();
    const reason = new Error("enough");
    const running = exec(connect, pod, { command: ["sleep", "60"], signal: controller.signal });
    await delay(200);
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  withNode("attaches to what a container writes from now on", async () => {
    const controller = new AbortController();
    const seen = new Error("seen");
    let out = "";
    const running = attach(connect, pod, {
      signal: controller.signal,
      stdout: (bytes) => {
        out += utf8(bytes);
        controller.abort(seen);
      },
    });
    const writing = (async () => {
      for (; !controller.signal.aborted; await delay(50)) appendFileSync(attachFile, logLine(1, "tick"));
    })();
    await expect(running).rejects.toBe(seen);
    await writing;
    expect(out).toMatch(/^(?:tick\n)+$/);
  });

  onBoth("says why, in the server's own words, when there is no such pod, none that is scheduled, and no such container", async () => {
    const command = ["true"];
    await expect(exec(connect, { ...pod, name: "nobody" }, { command })).rejects.toMatchObject({
      name: "ApiError",
      code: 404,
      reason: "NotFound",
      message: 'pods "nobody" not found',
    });
    await expect(exec(connect, { ...pod, name: "unscheduled" }, { command })).rejects.toMatchObject({
      code: 400,
      reason: "BadRequest",
      message: "pod unscheduled does not have a host assigned",
    });
    await expect(exec(connect, pod, { command, container: "sidecar" })).rejects.toMatchObject({
      code: 400,
      message: "container sidecar is not valid for pod web",
    });
    await expect(portForward(connect, { ...pod, name: "nobody" }, 80)).rejects.toMatchObject({
      code: 404,
      message: 'pods "nobody" not found',
      attempt: "forward a port of pods/nobody in default",
    });
    await expect(logs(transport, { ...pod, name: "nobody" }).next()).rejects.toMatchObject({
      code: 404,
      message: 'pods "nobody" not found',
      attempt: "read the log of pods/nobody in default",
    });
  });

  onBoth("says 401 for a token that is none", async () => {
    const stranger = nodeWebSocket({
      server: cluster?.url ?? "",
      tls: () => Promise.resolve({ generation: 1, insecure: true }),
      clock,
      headers: { authorization: "Bearer wrong" },
    });
    await expect(exec(stranger, pod, { command: ["true"] })).rejects.toMatchObject({ code: 401, reason: "Unauthorized" });
  });

  onBoth("does not talk to a server it has no reason to trust", async () => {
    const careful = nodeWebSocket({ server: cluster?.url ?? "", tls: () => Promise.resolve({ generation: 1, insecure: false }), clock });
    await expect(exec(careful, pod, { command: ["true"] })).rejects.toMatchObject({ name: "TransportError", reason: "tls" });
  });

  withNode("forwards a port both ways", async () => {
    const connection = await portForward(connect, pod, 80);
    let heard = "";
    for await (const bytes of connection.received) {
      heard += utf8(bytes);
      if (heard === "welcome\n") await connection.send(Buffer.from("hello"));
      if (heard === "welcome\nHELLO") break;
    }
    expect(heard).toBe("welcome\nHELLO");
  });

  withNode("tells that nobody listens on a port", async () => {
    const connection = await portForward(connect, pod, 81);
    const failure: unknown = await connection.received[Symbol.asyncIterator]()
      .next()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "StreamError", reason: "remote" });
    expect(String(failure)).toContain("connection refused");
  });

  withNode("reads a log, all of it or its end, with the moments or without", async () => {
    const read = async (options: Parameters<typeof logs>[2]): Promise<string[]> => {
      const lines: string[] = [];
      for await (const line of logs(transport, pod, options)) lines.push(line);
      return lines;
    };
    expect(await read({})).toEqual(["first", "", "ünïcode 😀"]);
    expect(await read({ tailLines: 1, timestamps: true })).toEqual(["2026-01-01T00:00:02.123456789Z ünïcode 😀"]);
    expect(await read({ sinceTime: "2026-01-01T00:00:02Z" })).toEqual(["", "ünïcode 😀"]);
  });

  withNode("does all of it by the name of the pod, after connect()", async () => {
    await using connected = await connectToCluster({
      kubeconfig: cluster?.kubeconfig ?? "",
      runtime: nodeRuntime({ write: () => undefined }),
    });
    let out = "";
    expect(await connected.exec("web", { command: ["echo", "hello"], stdout: (bytes) => void (out += utf8(bytes)) })).toBe(0);
    expect(out).toBe("hello\n");
    const lines: string[] = [];
    for await (const line of connected.logs("web", { tailLines: 1 })) lines.push(line);
    expect(lines).toEqual(["ünïcode 😀"]);
    const errors: unknown[] = [];
    const forward = await connected.forwardPort("web", { local: 0, remote: 80, onError: (error) => errors.push(error) });
    const socket = connectTo(forward.port, forward.address);
    let heard = "";
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      heard += utf8(chunk);
      if (heard === "welcome\n") socket.write("hello");
      if (heard === "welcome\nHELLO") break;
    }
    await forward.close();
    expect([heard, errors]).toEqual(["welcome\nHELLO", []]);
    const following = connected.logs("web", { follow: true, tailLines: 1 });
    expect((await following.next()).value).toBe("ünïcode 😀");
    const next = expect(following.next()).rejects.toMatchObject({ name: "TransportError", reason: "closed" });
    await connected.close();
    await next;
  });

  withNode("follows a log through a broken connection without losing or repeating a line", async () => {
    const lines: string[] = [];
    let requests = 0;
    // The first connection breaks after the first bytes.
    const fragile: Transport = async (request) => {
      const response = await transport(request);
      if (requests++ > 0) return response;
      const body = (async function* () {
        for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
          yield chunk.subarray(0, chunk.length - 3);
          throw new Error("cut");
        }
      })();
      return { ...response, body };
    };
    const resume = { clock, random: createRandom(1), backoff: { duration: 50, steps: 1 } };
    for await (const line of logs(fragile, pod, { follow: true, resume })) {
      lines.push(line);
      if (lines.length === 3) appendFileSync(logFile, logLine(3, "later"));
      if (line === "later") break;
    }
    expect(lines).toEqual(["first", "", "ünïcode 😀", "later"]);
    expect(requests).toBe(2);
  });
});

async function createPod({ send }: RealCluster, name: string, nodeName?: string): Promise<void> {
  const spec = {
    containers: [{ name: "web", image: "example/web:1" }],
    tolerations: [{ operator: "Exists" }],
    ...(nodeName === undefined ? {} : { nodeName }),
  };
  const { status, body } = await send({
    method: "POST",
    path: "/api/v1/namespaces/default/pods",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name }, spec }),
  });
  if (status !== 201) throw new Error(body);
}
