/** kubectl prints the same from our discovery and OpenAPI as from a real server's without Kubernetes' prose. */
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HttpHeaders, HttpRequest, HttpResponse } from "@drover/machinery";
import { discoveryDocuments } from "../../packages/apiserver/src/discovery/discovery-documents.ts";
import { discoveryResponse } from "../../packages/apiserver/src/discovery/discovery-response.ts";
import { notFoundPage } from "../../packages/apiserver/src/negotiation/object-response.ts";
import { versionResponse } from "../../packages/apiserver/src/nonresource/version-response.ts";
import { OpenApiDocuments } from "../../packages/apiserver/src/openapi/openapi-documents.ts";
import { openApiResponse } from "../../packages/apiserver/src/openapi/openapi-response.ts";
import { askWithoutProse, withoutProse } from "../apiserver/published-prose.ts";
import type { RealAnswer } from "../apiserver/published-prose.ts";
import { defineSample } from "../apiserver/published-real.ts";
import { allResources as resources, sampleHost, sha256, sha512Hex } from "../apiserver/published-sample.ts";
import { programPath, programsMissing, temporaryFolder } from "../servers/real-program.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";

const missing = realServerMissing ?? programsMissing("kubectl");

const commands: readonly (readonly string[])[] = [
  ["api-versions"],
  ["api-resources", "-o", "wide", "--sort-by=name"],
  ["explain", "pods.spec"],
  ["explain", "deployments.spec.template", "--recursive"],
  ["explain", "pods.spec.containers", "--output=plaintext-openapiv2"],
  ["explain", "widgets"],
  ["explain", "widgets.spec", "--recursive"],
  ["explain", "widgets.spec.ports"],
  ["explain", "widgets.spec", "--output=plaintext-openapiv2", "--recursive"],
  ["explain", "widgets", "--api-version=ex.io/v1beta1"],
  ["explain", "gadgets.spec.open"],
  ["explain", "pods.nope"],
  ["create", "--dry-run=client", "--validate=strict", "-o", "name", "-f", "widget.yaml"],
  ["create", "--dry-run=client", "--validate=strict", "-o", "yaml", "-f", "pod.yaml"],
];

describe("kubectl on our discovery and OpenAPI", () => {
  let real: RealServer | undefined;
  /** Our server, and a proxy before the real one. */
  const servers: Server[] = [];
  /** Code, content type and path of each of our answers. */
  const asked: string[] = [];
  const folders = ["ours", "real"].map((name) => temporaryFolder(`kubectl-${name}`));

  beforeAll(async () => {
    if (missing !== undefined) return;
    servers.push(await listening(ourServer(asked)));
    real = await startRealServer();
    servers.push(await listening(serverBefore(real)));
    await defineSample(real);
    for (const { path } of folders) {
      writeFileSync(
        join(path, "widget.yaml"),
        "apiVersion: ex.io/v1\nkind: Widget\nmetadata: { name: a }\nspec: { color: red, note: n }\n",
      );
      writeFileSync(
        join(path, "pod.yaml"),
        "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: a, image: b }] }\n",
      );
    }
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) server.close();
    await real?.stop();
    for (const { remove } of folders) remove();
  }, 30_000);

  const run = async (at: number, args: readonly string[]): Promise<string> => {
    const folder = folders[at]?.path ?? "";
    const { port } = (servers[at] ?? expect.fail("it does not listen")).address() as AddressInfo;
    const options = { cwd: folder, env: { HOME: folder } };
    const answer = await promisify(execFile)(programPath("kubectl"), ["--server", `http://127.0.0.1:${port}`, ...args], options).catch(
      (error: unknown) => error as { readonly stdout: string; readonly stderr: string },
    );
    return `${answer.stdout}${answer.stderr}`;
  };

  it.for(commands.map((args) => [args.join(" "), args] as const))("prints the same to %s", { timeout: 60_000 }, async ([, args], ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const [our, their] = [await run(0, args), await run(1, args)];
    expect(our).toBe(their);
    expect(our).not.toBe("");
  });

  it("requests the protobuf form of v2, and documents by their hash", (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    expect(
      asked.filter((line) => line.startsWith("200 application/com.github.proto-openapi.spec.v2.v1.0+protobuf /openapi/v2")),
    ).not.toEqual([]);
    expect(asked.filter((line) => line.startsWith("200 application/json /openapi/v3/apis/ex.io/v1?hash="))).not.toEqual([]);
  });

  it("prints our version", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    expect(await run(0, ["version"])).toContain("Server Version: v1.36.3+drover");
  });

  it("revalidates with ETags and dates, and reuses its cache", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const before = await run(0, ["api-versions"]);
    rmSync(join(folders[0]?.path ?? "", ".kube", "cache", "discovery"), { recursive: true, force: true });
    asked.length = 0;
    expect(await run(0, ["api-versions"])).toBe(before);
    expect(asked.map((line) => line.slice(0, 3))).toEqual(["304", "304"]);
  });
});

function ourServer(asked: string[]): Server {
  const discovery = discoveryDocuments(resources, { serverAddress: "127.0.0.1:6443", sha256, sha512Hex });
  const documents = new OpenApiDocuments(sampleHost);
  const ask = (request: HttpRequest): HttpResponse =>
    versionResponse(request) ??
    discoveryResponse(request, discovery) ??
    openApiResponse(request, { documents, resources, now: sampleHost.now() }) ??
    notFoundPage();
  const plain = ({ status, headers, body }: HttpResponse): RealAnswer => ({
    status,
    headers: headers as RealAnswer["headers"],
    body: Buffer.from(body as Uint8Array | string),
  });
  const answer = async ({ method = "GET", url: path = "/", headers: sent }: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Not compressed, because the prose is removed.
    const headers = Object.fromEntries(
      Object.entries(sent).filter(([name, value]) => value !== undefined && name !== "accept-encoding"),
    ) as HttpHeaders;
    const request = { method, path, headers };
    const {
      status,
      headers: answered,
      body,
    } = await withoutProse(path, plain(ask(request)), () =>
      Promise.resolve(plain(ask({ ...request, headers: { accept: "application/json" } }))),
    );
    asked.push(`${status} ${String(answered["content-type"])} ${path}`);
    response.writeHead(status, answered as Record<string, string | string[]>).end(body);
  };
  return createServer((request, response) => void answer(request, response).catch((error: unknown) => response.destroy(error as Error)));
}

/** Forwards the answers of the real server, without prose. */
function serverBefore(real: RealServer): Server {
  const answer = async (
    { method = "GET", url: path = "/", headers: { accept } }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const { status, headers, body } = await askWithoutProse(real, { method, path, ...(accept === undefined ? {} : { accept }) });
    response.writeHead(status, { "content-type": headers["content-type"] ?? "" }).end(body);
  };
  return createServer((request, response) => void answer(request, response).catch((error: unknown) => response.destroy(error as Error)));
}

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
