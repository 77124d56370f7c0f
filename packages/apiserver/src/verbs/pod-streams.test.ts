import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createApiServer } from "../api-server.ts";
import { nodeHost } from "../node.ts";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const pods = "/api/v1/namespaces/default/pods";

/**
 * Pods: "waiting" without a node, "lost" on a missing node, "placed" on a node without an address, "pair" with two containers and
 * an init container.
 */
async function furnished(): Promise<TestServer> {
  const server = await testServer();
  const containers = (...names: readonly string[]): { name: string; image: string }[] =>
    names.map((name) => ({ name, image: "example/web:1" }));
  const make = (name: string, spec: Parameters<TestServer["call"]>[2]): ReturnType<TestServer["call"]> =>
    server.call("POST", pods, { metadata: { name }, spec: spec ?? {} });
  await server.call("POST", "/api/v1/nodes", { metadata: { name: "bare" } });
  await make("waiting", { containers: containers("web") });
  await make("lost", { containers: containers("web"), nodeName: "gone" });
  await make("placed", { containers: containers("web"), nodeName: "bare" });
  await make("pair", { containers: containers("a", "b"), initContainers: containers("first"), nodeName: "bare" });
  return server;
}

describe("pod streams (exec, attach, log, portforward, proxy)", () => {
  it.each([
    ["waiting/exec?command=x", 400, "pod waiting does not have a host assigned"],
    ["waiting/portforward", 400, "pod waiting does not have a host assigned"],
    ["waiting/attach?container=side", 400, "container side is not valid for pod waiting"],
    ["waiting/log?container=side", 400, "container side is not valid for pod waiting"],
    ["waiting/proxy", 400, "address not allowed"],
    ["pair/exec?command=x", 400, "a container name must be specified for pod pair, choose one of: [first a b]"],
    ["pair/log?container=first", 500, "no preferred addresses found; known addresses: []"],
    ["pair/portforward", 500, "no preferred addresses found; known addresses: []"],
    ["placed/exec?command=x", 500, "no preferred addresses found; known addresses: []"],
    ["lost/log", 404, 'pods "gone" not found'],
    ["nobody/exec?command=x", 404, 'pods "nobody" not found'],
  ] as const)("answer %s with %i: %s", async (path, status, message) => {
    const { call } = await furnished();
    const answer = await call("GET", `${pods}/${path}`);
    expect([answer.status, answer.object["message"]]).toEqual([status, message]);
  });

  it("answer log with 204 for a pod without a node", async () => {
    const { call } = await furnished();
    expect(await call("GET", `${pods}/waiting/log`)).toMatchObject({ status: 204, text: "" });
  });
});

describe("pods/log with a registered log source", () => {
  it("streams from the source with the requested options until it is withdrawn", async () => {
    const server = await createApiServer({ runtime: testRuntime(), host: nodeHost });
    const send = async (method: string, path: string, body?: object) => {
      const answer = await server.handle({
        method,
        path,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      let text = "";
      if (typeof answer.body === "string") text = answer.body;
      else if (Symbol.asyncIterator in answer.body) for await (const part of answer.body) text += String(part);
      return [answer.status, answer.headers["content-type"], text] as const;
    };
    await send("POST", "/api/v1/nodes", { metadata: { name: "bare" } });
    await send("POST", pods, { metadata: { name: "web" }, spec: { nodeName: "bare", containers: [{ name: "a", image: "a" }] } });
    const withdraw = server.serveLogs((pod, container, { previous, tailLines }) =>
      previous
        ? { refusal: "there is none" }
        : (async function* () {
            yield await Promise.resolve(`${pod.metadata.name ?? ""} ${container} ${tailLines ?? "all"}\n`);
          })(),
    );
    expect(await send("GET", `${pods}/web/log?tailLines=3`)).toEqual([200, "text/plain", "web a 3\n"]);
    const [status, , text] = await send("GET", `${pods}/web/log?previous=true`);
    expect([status, (JSON.parse(text) as { readonly message: string }).message]).toEqual([400, "there is none"]);
    withdraw();
    expect((await send("GET", `${pods}/web/log`))[0]).toBe(500);
    server.close();
  });
});
