/** A server to measure, over TLS on loopback, and the memory and CPU of its processes. */
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request as httpsRequest } from "node:https";
import type { IncomingMessage } from "node:http";
import type { TcpSocketConnectOpts } from "node:net";
import { connect } from "node:tls";
import type { ConnectionOptions, TLSSocket } from "node:tls";

export interface TargetAddress {
  readonly name: string;
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  /** Text that occurs in the command lines of its processes and in no others. */
  readonly processMark: string;
}

export interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly text: string;
}

const lineFeed = 10;
const carriageReturn = 13;
const startsWithOk = (bytes: Uint8Array): boolean => Buffer.from(bytes.buffer, bytes.byteOffset, 12).toString("latin1") === "HTTP/1.1 200";

/** One client for every server, so that only the servers differ. */
export class Target {
  readonly address: TargetAddress;
  readonly #agent: Agent;

  constructor(address: TargetAddress) {
    this.address = address;
    // The real server made its certificate for the names it found; on loopback it is enough to check for that very
    // certificate.
    this.#agent = new Agent({ keepAlive: true, maxSockets: Infinity, ca: address.ca, checkServerIdentity: () => undefined });
  }

  async send(method: string, path: string, body?: string, contentType = "application/json"): Promise<Answer> {
    const response = await this.#open(method, path, body, contentType);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const whole = Buffer.concat(chunks);
    return { status: response.statusCode ?? 0, bytes: whole.length, text: whole.toString() };
  }

  /** Calls back for every line of a watch. */
  async watch(path: string, onLine: (line: string) => void): Promise<() => void> {
    const response = await this.#open("GET", path, undefined, "");
    let rest = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    });
    response.on("error", () => undefined);
    return () => response.destroy();
  }

  /**
   * Calls back for every event of a watch without parsing it. Uses a bare connection: for a thousand watchers Node's
   * HTTP client needs longer to read an event than a server needs to write it, so the client would be measured.
   */
  async countEvents(path: string, onEvent: () => void): Promise<() => void> {
    const { url, token, ca } = this.address;
    const { hostname, port } = new URL(url);
    let socket: TLSSocket | undefined;
    await new Promise<void>((resolve, reject) => {
      let last = 0;
      const callback = (length: number, bytes: Uint8Array): boolean => {
        if (last === 0 && !startsWithOk(bytes))
          reject(new Error(`the watch was answered with ${String.fromCharCode(...bytes.subarray(0, 60))}`));
        resolve();
        // Lines of the head and of chunks end with two characters, lines of events with one.
        for (let at = bytes.indexOf(lineFeed); at !== -1 && at < length; at = bytes.indexOf(lineFeed, at + 1))
          if ((at === 0 ? last : bytes[at - 1]) !== carriageReturn) onEvent();
        last = bytes[length - 1] ?? last;
        return true;
      };
      const options: ConnectionOptions & Pick<TcpSocketConnectOpts, "onread"> = {
        host: hostname,
        port: Number(port),
        ca,
        checkServerIdentity: () => undefined,
        ALPNProtocols: ["http/1.1"],
        onread: { buffer: new Uint8Array(16 * 1024), callback },
      };
      socket = connect(options);
      socket.on("error", reject);
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\nuser-agent: bench\r\n\r\n`,
      );
    });
    return () => void socket?.destroy();
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Megabytes of all its processes. */
  memory(): number {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
    return pids.reduce((sum, pid) => sum + memoryOf(pid, this.address.processMark), 0);
  }

  #open(method: string, path: string, body: string | undefined, contentType: string): Promise<IncomingMessage> {
    const { url, token } = this.address;
    const content = body === undefined ? {} : { "content-type": contentType, "content-length": String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        `${url}${path}`,
        {
          method,
          agent: this.#agent,
          headers: { authorization: `Bearer ${token}`, accept: "application/json", "user-agent": "bench", ...content },
        },
        resolve,
      );
      request.on("error", reject);
      request.end(body);
    });
  }
}

function memoryOf(pid: string, mark: string): number {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    if (!command.includes(mark) || command.startsWith("sh\0")) return 0;
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return (pages * 4096) / 1e6;
  } catch {
    return 0;
  }
}
