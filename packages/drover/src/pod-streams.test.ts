import { ScriptedStream, scriptedTransport, textResponse } from "@drover/client/testing";
import type { Script, ScriptedTransport } from "@drover/client/testing";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { Lifetime } from "./lifetime.ts";
import { podStreams } from "./pod-streams.ts";
import type { PodStreams } from "./pod-streams.ts";

interface Rig extends TestRuntime {
  readonly pods: PodStreams;
  readonly server: ScriptedTransport;
  readonly life: Lifetime;
  /** Paths of the requested WebSockets; none is opened. */
  readonly upgrades: string[];
}

function rig(script: Script = []): Rig {
  const [runtime, server, life, upgrades]: [TestRuntime, ScriptedTransport, Lifetime, string[]] = [
    testRuntime(),
    scriptedTransport(script),
    new Lifetime(),
    [],
  ];
  const pods = podStreams({
    ...runtime,
    transport: server,
    namespace: "shop",
    life,
    connect: ({ path }) => {
      upgrades.push(path);
      return Promise.reject(new Error("seen"));
    },
  });
  return { ...runtime, pods, server, life, upgrades };
}

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

/** A connection that breaks after the first line, and one that repeats it and adds another. */
function broken(): Script {
  const stream = new ScriptedStream();
  stream.push("2026-01-01T00:00:00Z one\n");
  stream.fail(new Error("cut"));
  return [stream.response, textResponse("2026-01-01T00:00:00Z one\n2026-01-01T00:00:01Z two\n")];
}

describe("podStreams", () => {
  it("use the connection's namespace unless another is given", async () => {
    const { pods, upgrades, server } = rig([textResponse("one\ntwo\n")]);
    await expect(pods.exec("web-0", { command: ["ls"], container: "app" })).rejects.toThrow("seen");
    await expect(pods.attach("web-0", { namespace: "other" })).rejects.toThrow("seen");
    await expect(pods.portForward("web-0", 80)).rejects.toThrow("seen");
    expect(upgrades).toEqual([
      "/api/v1/namespaces/shop/pods/web-0/exec?command=ls&container=app&stdout=true",
      "/api/v1/namespaces/other/pods/web-0/attach?stdout=true",
      "/api/v1/namespaces/shop/pods/web-0/portforward?ports=80",
    ]);
    expect(await all(pods.logs("web-0", { tailLines: 2 }))).toEqual(["one", "two"]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/api/v1/namespaces/shop/pods/web-0/log?tailLines=2"]);
  });

  it("logs continues after a broken connection with follow", async () => {
    const { pods, clock } = rig(broken());
    const reading = all(pods.logs("web-0", { follow: true }));
    await clock.advance(60_000);
    expect(await reading).toEqual(["one", "two"]);
  });

  it("logs throws on a broken connection without follow or with resume: false", async () => {
    for (const options of [{}, { follow: true, resume: false }, { follow: true, limitBytes: 1000 }]) {
      const lines = rig(broken()).pods.logs("web-0", options);
      expect((await lines.next()).value).toBe("2026-01-01T00:00:00Z one");
      await expect(lines.next()).rejects.toMatchObject({ name: "StreamError", reason: "lost" });
    }
  });

  it("logs ends with the connection", async () => {
    const stream = new ScriptedStream();
    stream.push("2026-01-01T00:00:00Z one\n");
    const { pods, life, server } = rig([stream.response]);
    const lines = pods.logs("web-0", { follow: true });
    expect((await lines.next()).value).toBe("one");
    const next = expect(lines.next()).rejects.toMatchObject({ name: "TransportError", reason: "closed" });
    await life.end();
    await next;
    expect(server.requests).toHaveLength(1);
  });

  it("forwardPort parses ports like kubectl", async () => {
    const { pods } = rig();
    await expect(pods.forwardPort("db-0", "http:80")).rejects.toThrow("the local port in 'http:80' is not a number");
  });

  it("forwardPort closes with the connection or its own signal", async () => {
    const { pods, life } = rig();
    const own = new AbortController();
    const [first, second] = [
      await pods.forwardPort("db-0", ":80"),
      await pods.forwardPort("db-0", { local: 0, remote: 80, signal: own.signal }),
    ];
    own.abort(new Error("enough"));
    await second.closed;
    let isOver = false;
    void first.closed.then(() => (isOver = true));
    await life.end();
    expect(isOver).toBe(true);
    await expect(pods.forwardPort("db-0", ":80")).rejects.toMatchObject({ reason: "closed" });
  });
});
