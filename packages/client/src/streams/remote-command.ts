/**
 * A command in a container with its standard streams: `exec` starts one, `attach` joins the running one.
 *
 *     stdin, terminal sizes → channels 0, 4 → (WebSocket) → channels 1, 2, 3 → output, exit code
 */
import { definedOnly } from "@drover/machinery";
import type { ObjectName, QueryEntry } from "@drover/machinery";
import { decodeChannelFrame, encodeChannelClose, encodeChannelFrames } from "./channel-frame.ts";
import { ExitStatusReader } from "./exit-status.ts";
import { attemptText, openChannel } from "./open-channel.ts";
import { pump } from "./pump.ts";
import { StreamError } from "./stream-error.ts";
import type { WebSocketChannel, WebSocketConnect } from "./web-socket.ts";

/** Size of a terminal, in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Output of a command, in order. `exit` is the last event. */
export type CommandEvent =
  | { readonly kind: "stdout" | "stderr"; readonly bytes: Uint8Array }
  | { readonly kind: "exit"; readonly exitCode: number };

export interface AttachOptions {
  /** The container. @default the only one; required if the pod has several */
  readonly container?: string;
  /**
   * Standard input of the command. Chunks are read only as fast as they are sent. Its end closes the command's standard
   * input; a server with only v4 (before 1.30) cannot do that, and the command fails with a `StreamError` of reason
   * "unsupported". @default no standard input
   */
  readonly stdin?: AsyncIterable<string | Uint8Array>;
  /** Whether to receive standard output. @default true */
  readonly stdout?: boolean;
  /** Whether to receive standard error; a terminal sends everything as standard output. @default true without `tty`, false with it */
  readonly stderr?: boolean;
  /** Whether the command runs in a terminal. @default false */
  readonly tty?: boolean;
  /** Sizes of the terminal; only with `tty`. @default the runtime's size */
  readonly resize?: AsyncIterable<TerminalSize>;
  /** Ends the connection. The command may continue: it only notices the end of its input or output. @default none */
  readonly signal?: AbortSignal;
}

export interface ExecOptions extends AttachOptions {
  /** Program and arguments, without a shell. */
  readonly command: readonly string[];
}

/** v5 can end the input; servers before 1.30 have only v4. */
const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"] as const;

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/**
 * Runs a command in a container of a pod and yields its output. A nonzero exit code is a result, not an error.
 *
 * Guarantees: nothing is sent before the loop begins; a slow reader slows the command down; leaving the loop closes the
 * connection; the last event is `exit`. Throws an `ApiError` if the command could not be run, a `StreamError` if the
 * connection broke before it ended, what `stdin` or `resize` threw, or the signal's reason.
 */
export function execEvents(
  connect: WebSocketConnect,
  pod: ObjectName,
  options: ExecOptions,
): AsyncGenerator<CommandEvent, void, undefined> {
  return converse(connect, pod, "exec", options, options.command);
}

/** Attaches to the running command of a container; otherwise like {@link execEvents}. */
export function attachEvents(
  connect: WebSocketConnect,
  pod: ObjectName,
  options: AttachOptions,
): AsyncGenerator<CommandEvent, void, undefined> {
  return converse(connect, pod, "attach", options, []);
}

async function* converse(
  connect: WebSocketConnect,
  pod: ObjectName,
  subresource: "exec" | "attach",
  options: AttachOptions,
  command: readonly string[],
): AsyncGenerator<CommandEvent, void, undefined> {
  const { signal } = options;
  const query = commandQuery(options, subresource, command);
  const channel = await openChannel(connect, { pod, subresource, query, protocols, ...definedOnly({ signal }) });
  const attempt = attemptText(subresource, pod);
  const over = new AbortController();
  const input = new Input(channel, over.signal, attempt);
  const pumps = [
    ...(options.stdin === undefined ? [] : [input.stdin(options.stdin)]),
    ...(options.resize === undefined ? [] : [input.resize(options.resize)]),
  ];
  try {
    yield* output(channel, input, attempt);
  } finally {
    over.abort();
    await channel.close();
    await Promise.all(pumps);
  }
}

/** Input of the command. A failure here closes the connection and is kept for the reader to throw. */
class Input {
  readonly #channel: WebSocketChannel;
  readonly #over: AbortSignal;
  readonly #attempt: string;
  #gone = false;
  failure: { readonly error: unknown } | undefined;

  constructor(channel: WebSocketChannel, over: AbortSignal, attempt: string) {
    this.#channel = channel;
    this.#over = over;
    this.#attempt = attempt;
  }

  stdin(source: AsyncIterable<string | Uint8Array>): Promise<void> {
    return this.#run(
      source,
      channels.stdin,
      (piece) => (typeof piece === "string" ? new TextEncoder().encode(piece) : piece),
      async () => {
        if (this.#channel.protocol !== protocols[0])
          throw new StreamError(
            "unsupported",
            `${this.#attempt}: the server uses ${this.#channel.protocol}, which cannot end standard input`,
          );
        await this.#send(encodeChannelClose(channels.stdin));
      },
    );
  }

  resize(source: AsyncIterable<TerminalSize>): Promise<void> {
    return this.#run(
      source,
      channels.resize,
      ({ width, height }) => new TextEncoder().encode(JSON.stringify({ Width: width, Height: height })),
      () => Promise.resolve(),
    );
  }

  async #run<T>(source: AsyncIterable<T>, channel: number, encode: (item: T) => Uint8Array, end: () => Promise<void>): Promise<void> {
    const write = async (item: T): Promise<void> => {
      for (const message of encodeChannelFrames(channel, encode(item))) await this.#send(message);
    };
    try {
      if (await pump(source, write, this.#over)) await end();
    } catch (error) {
      if (this.#gone) return;
      this.failure ??= { error };
      await this.#channel.close();
    }
  }

  // The reader detects a lost connection itself, and knows the cause.
  async #send(message: Uint8Array): Promise<void> {
    try {
      await this.#channel.send(message);
    } catch (error) {
      this.#gone = true;
      throw error;
    }
  }
}

async function* output(channel: WebSocketChannel, input: Input, attempt: string): AsyncGenerator<CommandEvent, void, undefined> {
  const status = new ExitStatusReader(attempt);
  for await (const message of channel.messages) {
    const frame = decodeChannelFrame(message);
    if (frame.bytes.length === 0) continue;
    if (frame.channel === channels.stdout) yield { kind: "stdout", bytes: frame.bytes };
    else if (frame.channel === channels.stderr) yield { kind: "stderr", bytes: frame.bytes };
    else if (frame.channel === channels.error) {
      const exitCode = status.push(frame.bytes);
      if (exitCode === undefined) continue;
      yield { kind: "exit", exitCode };
      return;
    }
  }
  // oxlint-disable-next-line typescript/only-throw-error -- rethrows what the caller's source threw
  if (input.failure !== undefined) throw input.failure.error;
  if (status.begun) throw status.unreadable();
  throw new StreamError("lost", `${attempt}: the connection was closed before the command ended`);
}

function commandQuery(
  { container, stdin, stdout = true, tty = false, stderr = !tty, resize }: AttachOptions,
  subresource: string,
  command: readonly string[],
): QueryEntry[] {
  if (subresource === "exec" && command.length === 0) throw new TypeError("exec: `command` names no program");
  if (tty && stderr) throw new TypeError(`${subresource}: a terminal has no separate standard error; omit \`stderr\` or \`tty\``);
  if (!tty && resize !== undefined) throw new TypeError(`${subresource}: \`resize\` needs \`tty\``);
  if (stdin === undefined && !stdout && !stderr)
    throw new TypeError(`${subresource}: at least one of \`stdin\`, \`stdout\` and \`stderr\` is needed`);
  return [
    ...command.map((word): QueryEntry => ["command", word]),
    ["container", container],
    ...Object.entries({ stdin: stdin !== undefined, stdout, stderr, tty }).flatMap(([name, wanted]): QueryEntry[] =>
      wanted ? [[name, true]] : [],
    ),
  ];
}
