import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { describeInFiles, readDescription } from "./description-files.ts";
import { readFolder, readServer } from "./read-server.ts";
import { sampleServer } from "./sample-server.ts";
import { trimDescription } from "./trim-description.ts";

const documents = sampleServer();
const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0)) await step();
});

describe("readServer", () => {
  it("asks a live server for its aggregated discovery and for every document of its index", async () => {
    const asked: string[] = [];
    const url = await listen((path, headers) => {
      asked.push(`${path} ${String(headers.accept)} ${String(headers.authorization)}`);
      if (path === "/openapi/v3")
        return { paths: { b: { serverRelativeURL: "/openapi/v3/b?hash=1" }, a: { serverRelativeURL: "/openapi/v3/a" } } };
      if (path === "/api") return documents.discovery[0];
      return path === "/apis" ? documents.discovery[1] : documents.openapi[path === "/openapi/v3/a" ? 1 : 2];
    });
    expect(trimDescription(await readServer(url, { token: "t" }))).toEqual(trimDescription(documents));
    const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    expect(asked).toContain(`/apis ${aggregated} Bearer t`);
    expect(asked).toContain("/openapi/v3/b?hash=1 application/json Bearer t");
  });

  it("names the path the server refused", async () => {
    const url = await listen(() => undefined);
    await expect(readServer(url)).rejects.toThrow("GET /openapi/v3: the server answered 403 Forbidden");
  });
});

describe("readFolder", () => {
  it("reads what was saved of a server", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "openapi-v3"));
    await writeFile(join(folder, "discovery-api.json"), JSON.stringify(documents.discovery[0]));
    await writeFile(join(folder, "discovery-apis.json"), JSON.stringify(documents.discovery[1]));
    for (const [index, document] of documents.openapi.entries())
      await writeFile(join(folder, "openapi-v3", `${index}.json`), JSON.stringify(document));
    expect(await readFolder(folder)).toEqual(documents);
  });
});

describe("describeInFiles and readDescription", () => {
  it("bring a description into a folder and back", async () => {
    const description = trimDescription(documents);
    const folder = await temporaryFolder();
    for (const [name, text] of describeInFiles(description)) await writeFile(join(folder, name), text);
    expect(await readDescription(folder)).toEqual(description);
  });
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "drover-"));
  cleanUp.push(() => rm(folder, { recursive: true }));
  return folder;
}

async function listen(answer: (path: string, headers: Readonly<Record<string, unknown>>) => unknown): Promise<string> {
  const server = createServer((request, response) => {
    const body = answer(request.url ?? "", request.headers);
    response.writeHead(body === undefined ? 403 : 200, { connection: "close" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  cleanUp.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
