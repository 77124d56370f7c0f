import { describe, expect, it } from "vitest";
import { attach, exec } from "./command-run.ts";
import { webSocketPair } from "./web-socket-pair.ts";
import type { WebSocketConnect } from "./web-socket.ts";

const pod = { namespace: "shop", name: "web-0" };

function server(): { connect: WebSocketConnect; paths: string[] } {
  const paths: string[] = [];
  const connect: WebSocketConnect = async ({ path }) => {
    paths.push(path);
    const [client, end] = webSocketPair("v5.channel.k8s.io");
    await end.send(Uint8Array.of(1, 65));
    await end.send(Uint8Array.of(2, 66));
    await end.send(Uint8Array.of(1, 67));
    await end.send(
      new TextEncoder().encode(
        `\u0003${JSON.stringify({ status: "Failure", reason: "NonZeroExitCode", details: { causes: [{ reason: "ExitCode", message: "7" }] } })}`,
      ),
    );
    return client;
  };
  return { connect, paths };
}

describe("exec with sinks", () => {
  it("passes each output to its sink, one chunk at a time, and resolves to the exit code", async () => {
    const { connect, paths } = server();
    const seen: string[] = [];
    const sink =
      (name: string) =>
      async (bytes: Uint8Array): Promise<void> => {
        seen.push(`${name} begins`);
        await Promise.resolve();
        seen.push(`${name} has ${String.fromCharCode(...bytes)}`);
      };
    expect(await exec(connect, pod, { command: ["ls"], stdout: sink("out"), stderr: sink("err") })).toBe(7);
    expect(seen).toEqual(["out begins", "out has A", "err begins", "err has B", "out begins", "out has C"]);
    expect(paths[0]).toContain("stderr=true&stdout=true");
  });

  it("requests only outputs with a sink, and one if only the exit code matters", async () => {
    const { connect, paths } = server();
    await exec(connect, pod, { command: ["ls"], stderr: () => undefined });
    await exec(connect, pod, { command: ["ls"] });
    await attach(connect, pod, { stdout: () => undefined, tty: true });
    expect(paths.map((path) => path.split("?")[1])).toEqual(["command=ls&stderr=true", "command=ls&stdout=true", "stdout=true&tty=true"]);
  });

  it("rejects with what a sink throws", async () => {
    const full = (): void => {
      throw new Error("disk full");
    };
    await expect(exec(server().connect, pod, { command: ["ls"], stdout: full })).rejects.toThrow("disk full");
  });
});
