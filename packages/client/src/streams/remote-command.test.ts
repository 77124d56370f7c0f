import { ApiError, isNotFound, newNotFound } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { frameBytesMax } from "./channel-frame.ts";
import { attachEvents, execEvents } from "./remote-command.ts";
import type { CommandEvent, ExecOptions } from "./remote-command.ts";
import { StreamError } from "./stream-error.ts";
import { webSocketPair } from "./web-socket-pair.ts";
import type { WebSocketEnd } from "./web-socket-pair.ts";
import { UpgradeRefusedError } from "./web-socket.ts";
import type { WebSocketConnect, WebSocketRequest } from "./web-socket.ts";

const pod = { namespace: "shop", name: "web-0" };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (some: Uint8Array): string => new TextDecoder().decode(some);
const frame = (channel: number, payload: string | Uint8Array): Uint8Array =>
  Uint8Array.of(channel, ...(typeof payload === "string" ? bytes(payload) : payload));
const status = (value: Partial<Status>): Uint8Array => frame(3, JSON.stringify({ metadata: {}, ...value }));
const success = status({ status: "Success" });

/** A server as a function; its unhandled errors fail the test through the client. */
function server(
  serve: (end: WebSocketEnd) => Promise<void>,
  protocol = "v5.channel.k8s.io",
): { connect: WebSocketConnect; requests: WebSocketRequest[]; done: () => Promise<void> } {
  const requests: WebSocketRequest[] = [];
  const serving: Promise<void>[] = [];
  const connect: WebSocketConnect = async (request) => {
    requests.push(request);
    const [client, end] = webSocketPair(protocol);
    request.signal?.addEventListener("abort", () => end.cut());
    serving.push(serve(end));
    return client;
  };
  return { connect, requests, done: async () => void (await Promise.all(serving)) };
}

async function run(
  connect: WebSocketConnect,
  options: Partial<ExecOptions> = {},
): Promise<{ stdout: string; stderr: string; exitCode: number | undefined }> {
  const seen: CommandEvent[] = [];
  for await (const event of execEvents(connect, pod, { command: ["sh"], ...options })) seen.push(event);
  const of = (kind: string): string => seen.map((event) => (event.kind === kind && "bytes" in event ? text(event.bytes) : "")).join("");
  const last = seen.at(-1);
  return { stdout: of("stdout"), stderr: of("stderr"), exitCode: last?.kind === "exit" ? last.exitCode : undefined };
}

async function* pieces(...all: readonly string[]): AsyncGenerator<string> {
  for (const piece of all) yield await Promise.resolve(piece);
}

async function readInput(end: WebSocketEnd): Promise<string> {
  let input = "";
  for await (const message of end.messages) {
    if (typeof message === "string" || message[0] === 255) return input;
    input += text(message.subarray(1));
  }
  return input;
}

describe("exec", () => {
  it("requests the command word by word, the container and the wanted streams", async () => {
    const { connect, requests } = server((end) => end.send(success));
    await run(connect, { command: ["sh", "-c", "echo a&b"], container: "app" });
    expect(requests[0]?.path).toBe(
      "/api/v1/namespaces/shop/pods/web-0/exec?command=sh&command=-c&command=echo+a%26b&container=app&stderr=true&stdout=true",
    );
    expect(requests[0]?.protocols).toEqual(["v5.channel.k8s.io", "v4.channel.k8s.io"]);
  });

  it("yields both outputs in order and the exit code last", async () => {
    const { connect } = server(async (end) => {
      for (const message of [frame(1, ""), frame(1, "out 1\n"), frame(2, "err\n"), frame(1, "out 2\n"), success]) await end.send(message);
    });
    expect(await run(connect)).toEqual({ stdout: "out 1\nout 2\n", stderr: "err\n", exitCode: 0 });
  });

  it("yields no event for an announced channel", async () => {
    const { connect } = server(async (end) => {
      for (const message of [frame(1, ""), frame(2, ""), frame(3, ""), success]) await end.send(message);
    });
    const kinds: string[] = [];
    for await (const { kind } of execEvents(connect, pod, { command: ["true"] })) kinds.push(kind);
    expect(kinds).toEqual(["exit"]);
  });

  it("yields a nonzero exit code as a result", async () => {
    const { connect } = server((end) =>
      end.send(
        status({
          status: "Failure",
          reason: "NonZeroExitCode",
          message: "command terminated with non-zero exit code",
          details: { causes: [{ reason: "ExitCode", message: "42" }] },
        }),
      ),
    );
    expect((await run(connect)).exitCode).toBe(42);
  });

  it("reads a Status in several messages", async () => {
    const { connect } = server(async (end) => {
      await end.send(frame(3, success.subarray(1, 9)));
      await end.send(frame(3, success.subarray(9)));
    });
    expect((await run(connect)).exitCode).toBe(0);
  });

  it("throws the node's error if the command cannot be run, with the attempt", async () => {
    const { connect } = server((end) =>
      end.send(status({ status: "Failure", reason: "InternalError", message: "no such file or directory: nope", code: 500 })),
    );
    const failure = await run(connect).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      code: 500,
      reason: "InternalError",
      message: "no such file or directory: nope",
      attempt: "exec in pods/web-0 in shop",
    });
  });

  it("throws the server's Status if it refuses the connection", async () => {
    const refuse: WebSocketConnect = () =>
      Promise.reject(
        new UpgradeRefusedError(
          404,
          { "content-type": "application/json" },
          JSON.stringify(newNotFound({ group: "", resource: "pods" }, "web-0")),
        ),
      );
    const failure = await run(refuse).catch((error: unknown) => error);
    expect(isNotFound(failure)).toBe(true);
    expect(failure).toMatchObject({ message: 'pods "web-0" not found', attempt: "exec in pods/web-0 in shop" });
  });

  it("throws if the connection closes without an exit code", async () => {
    const { connect } = server(async (end) => {
      await end.send(frame(1, "half"));
      await end.close();
    });
    await expect(run(connect)).rejects.toThrow("exec in pods/web-0 in shop: the connection was closed before the command ended");
  });

  it("throws if the connection breaks", async () => {
    const { connect } = server(async (end) => end.cut());
    await expect(run(connect)).rejects.toMatchObject({ reason: "lost" });
  });

  it("quotes the error channel if it is not a Status", async () => {
    const { connect } = server(async (end) => {
      await end.send(frame(3, "oops"));
      await end.close();
    });
    await expect(run(connect)).rejects.toThrow("not a Status: oops");
  });

  it("rejects text, and a protocol that was not requested", async () => {
    await expect(run(server((end) => end.send("1hello")).connect)).rejects.toThrow("text on a binary connection");
    await expect(run(server(async () => undefined, "base64.channel.k8s.io").connect)).rejects.toThrow(
      'chose the protocol "base64.channel.k8s.io"',
    );
  });

  it("ignores unknown channels", async () => {
    const { connect } = server(async (end) => {
      await end.send(frame(9, "future"));
      await end.send(success);
    });
    expect((await run(connect)).exitCode).toBe(0);
  });
});

describe("standard input of exec", () => {
  it("is sent as it arrives, and its end is sent too", async () => {
    const { connect, requests } = server(async (end) => {
      await end.send(frame(1, await readInput(end)));
      await end.send(success);
    });
    expect(await run(connect, { stdin: pieces("hello ", "wörld") })).toMatchObject({ stdout: "hello wörld", exitCode: 0 });
    expect(requests[0]?.path).toContain("stdin=true");
  });

  it("is split into messages of limited size", async () => {
    const sizes: number[] = [];
    const { connect } = server(async (end) => {
      for await (const message of end.messages) {
        if (message[0] === 255) break;
        sizes.push(message.length - 1);
      }
      await end.send(success);
    });
    await run(connect, { stdin: pieces("x".repeat(frameBytesMax * 2 + 5)) });
    expect(sizes).toEqual([frameBytesMax, frameBytesMax, 5]);
  });

  it("is read no faster than the other side reads", async () => {
    let taken = 0;
    const source = async function* (): AsyncGenerator<Uint8Array> {
      for (; taken < 1000; taken++) yield await Promise.resolve(new Uint8Array(frameBytesMax));
    };
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { connect, done } = server(async (end) => {
      await held;
      await end.send(success);
    });
    const running = run(connect, { stdin: source() });
    for (let turn = 0; turn < 500; turn++) await Promise.resolve();
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(20);
    release();
    expect((await running).exitCode).toBe(0);
    await done();
  });

  it("is closed when the command ends first", async () => {
    let returned = false;
    const endless: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => Promise.resolve({ done: true, value: void (returned = true) }),
      }),
    };
    const { connect } = server((end) => end.send(success));
    expect((await run(connect, { stdin: endless })).exitCode).toBe(0);
    expect(returned).toBe(true);
  });

  it("that finds the connection closed does not hide the exit code", async () => {
    // The command exits with unread output, and its input notices that the connection is gone.
    const { connect } = server(async (end) => {
      await end.send(frame(1, "last words"));
      await end.send(success);
      await end.close();
    });
    const source = async function* (): AsyncGenerator<string> {
      for (;;) yield await Promise.resolve("more");
    };
    const events = execEvents(connect, pod, { command: ["true"], stdin: source() });
    const first = await events.next();
    for (let turns = 0; turns < 200; turns++) await Promise.resolve();
    expect([first.value, (await events.next()).value]).toMatchObject([{ kind: "stdout" }, { kind: "exit", exitCode: 0 }]);
    await events.return();
  });

  it("that fails ends the command with that failure", async () => {
    const failing = async function* (): AsyncGenerator<string> {
      yield await Promise.resolve("a");
      throw new Error("disk on fire");
    };
    const { connect } = server(async (end) => void (await readInput(end)));
    await expect(run(connect, { stdin: failing() })).rejects.toThrow("disk on fire");
  });

  it("rejects in v4 when it ends, instead of hanging", async () => {
    const { connect } = server(async (end) => void (await readInput(end)), "v4.channel.k8s.io");
    const failure = await run(connect, { stdin: pieces("a") }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StreamError);
    expect(failure).toMatchObject({ reason: "unsupported" });
  });

  it("works in v4 if it does not end before the command", async () => {
    const open = async function* (): AsyncGenerator<string> {
      yield await Promise.resolve("exit\n");
      await new Promise(() => undefined);
    };
    const { connect } = server(async (end) => {
      for await (const message of end.messages) if (text(message as Uint8Array).includes("exit")) break;
      await end.send(success);
    }, "v4.channel.k8s.io");
    expect((await run(connect, { stdin: open() })).exitCode).toBe(0);
  });
});

describe("a terminal", () => {
  it("is requested without standard error, with its sizes", async () => {
    const sizes = async function* (): AsyncGenerator<{ width: number; height: number }> {
      yield await Promise.resolve({ width: 80, height: 24 });
      yield { width: 120, height: 40 };
    };
    const heard: string[] = [];
    const { connect, requests } = server(async (end) => {
      for await (const message of end.messages) {
        heard.push(`${message[0]} ${text((message as Uint8Array).subarray(1))}`);
        if (heard.length === 2) break;
      }
      await end.send(success);
    });
    await run(connect, { tty: true, resize: sizes() });
    expect(heard).toEqual(['4 {"Width":80,"Height":24}', '4 {"Width":120,"Height":40}']);
    expect(requests[0]?.path).toMatch(/\?command=sh&stdout=true&tty=true$/);
  });

  it.each<[string, Partial<ExecOptions>, string]>([
    ["tty with stderr", { tty: true, stderr: true }, "no separate standard error"],
    [
      "sizes without tty",
      {
        resize: (async function* () {
          /* none */
        })(),
      },
      "`resize` needs `tty`",
    ],
    ["no stream at all", { stdout: false, stderr: false }, "at least one of"],
    ["no command", { command: [] }, "names no program"],
  ])("rejects %s", async (_, options, message) => {
    await expect(run(server(async () => undefined).connect, options)).rejects.toThrow(message);
  });
});

describe("the connection of exec", () => {
  it("is closed when the loop is left", async () => {
    const { connect, done } = server(async (end) => {
      await end.send(frame(1, "first"));
      expect(await end.closed).toEqual({ code: 1000, reason: "" });
    });
    for await (const event of execEvents(connect, pod, { command: ["yes"] })) {
      expect(event.kind).toBe("stdout");
      break;
    }
    await done();
  });

  it("is not opened with an aborted signal", async () => {
    const { connect, requests } = server(async () => undefined);
    await expect(run(connect, { signal: AbortSignal.abort(new Error("not today")) })).rejects.toThrow("not today");
    expect(requests).toEqual([]);
  });

  it("slows the command down if its output is not read", async () => {
    let sent = 0;
    const { connect, done } = server(async (end) => {
      for (; sent < 1000; sent++) await end.send(frame(1, new Uint8Array(32 * 1024)));
    });
    const events = execEvents(connect, pod, { command: ["yes"] });
    await events.next();
    for (let turn = 0; turn < 500; turn++) await Promise.resolve();
    expect(sent).toBeLessThan(20);
    await events.return();
    await done().catch(() => undefined);
  });
});

describe("attach", () => {
  it("requests the running command", async () => {
    const { connect, requests } = server((end) => end.send(success));
    const events: CommandEvent[] = [];
    for await (const event of attachEvents(connect, pod, { stderr: false })) events.push(event);
    expect(requests[0]?.path).toBe("/api/v1/namespaces/shop/pods/web-0/attach?stdout=true");
    expect(events).toEqual([{ kind: "exit", exitCode: 0 }]);
  });
});
