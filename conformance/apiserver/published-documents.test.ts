/**
 * Discovery and OpenAPI of our server compared with a real one (1.36.3), byte by byte: for the built-in kinds, and with
 * the custom resources of published-sample.ts. conformance/recorded/published-documents.json has the answers of the
 * real server, large documents as their SHA-512; `DROVER_RECORD=1` records them again. If a real server can be started,
 * its answers are compared with the recording as well.
 *
 * Our server describes types and fields in words of its own, so the prose is removed from the documents of both (published-prose.ts)
 * before they are recorded or compared.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { discoveryDocuments } from "../../packages/apiserver/src/discovery/discovery-documents.ts";
import { discoveryResponse } from "../../packages/apiserver/src/discovery/discovery-response.ts";
import { OpenApiDocuments } from "../../packages/apiserver/src/openapi/openapi-documents.ts";
import { openApiResponse } from "../../packages/apiserver/src/openapi/openapi-response.ts";
import { askWithoutProse, withoutHashes, withoutProse } from "./published-prose.ts";
import type { Question, RealAnswer } from "./published-prose.ts";
import { defineSample } from "./published-real.ts";
import { allResources, builtInResources, sampleGroupVersions, sampleHost, sha256, sha512Hex } from "./published-sample.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";

interface Answer {
  readonly status: number;
  /** The relevant headers that were present. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or its SHA-512 when it is long. */
  readonly body: string;
}
type Ask = (question: Question) => Promise<Answer>;
type State = "built-in" | "custom";

const file = join(import.meta.dirname, "..", "recorded", "published-documents.json");
const isRecording = process.env["DROVER_RECORD"] === "1";
const serverAddress = "127.0.0.1:6443";
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

const roots: readonly Question[] = ["/api", "/apis"].flatMap((path) => [
  { path },
  { path, accept: aggregated },
  { path, accept: `${aggregated};q=0.5,application/json` },
  { path, accept: aggregated.replace("v2", "v2beta1") },
  { path, accept: "text/xml" },
  { path, accept: "application/*" },
  { path, accept: "application/yaml" },
  { path, accept: aggregated.replace("json", "yaml") },
  { path, method: "POST" },
]);
const groupNames = [...new Set(builtInResources.map(({ kind }) => kind.group))].filter((name) => name !== "");
const builtInVersions = [
  ...new Set(builtInResources.map(({ kind: { group, version } }) => (group === "" ? `/api/${version}` : `/apis/${group}/${version}`))),
];
const openApiVersions = [...new OpenApiDocuments(sampleHost).v3(builtInResources).keys()].map((name) => `/openapi/v3/${name}`);
const openApiPaths: readonly Question[] = [
  { path: "/openapi/v3" },
  { path: "/openapi/v2" },
  { path: "/openapi/v2", accept: protobuf },
  { path: "/openapi/v2", accept: protobuf.replace("@", ".") },
  { path: "/openapi/v2", accept: "text/xml" },
];

const questions: Readonly<Record<State, readonly Question[]>> = {
  "built-in": [
    ...roots,
    ...groupNames.map((name) => ({ path: `/apis/${name}` })),
    ...builtInVersions.map((path) => ({ path })),
    ...["/api/", "/api/v1/", "/api/v2", "/apis/", "/apis/apps/", "/apis/apps/v1/", "/apis/apps/v2", "/apis/nope", "/apis/nope/v1"].map(
      (path) => ({ path }),
    ),
    { path: "/api/v1", accept: "text/xml" },
    { path: "/apis/apps/v1", method: "DELETE" },
    { path: "/apis/apps", method: "PUT" },
    ...openApiPaths,
    ...openApiVersions.map((path) => ({ path })),
    { path: "/openapi/v3/version", accept: "text/xml" },
    { path: "/openapi/v3/version?hash=AB" },
    { path: "/openapi/v3/nope" },
  ],
  custom: [
    ...roots.slice(0, 2),
    ...roots.slice(9, 11),
    { path: "/apis/ex.io" },
    { path: "/apis/zoo.k8s.io" },
    { path: "/apis/ex.io/v9" },
    { path: "/apis/aa.example.com/v1alpha1", method: "POST" },
    ...sampleGroupVersions.flatMap((name) => [{ path: `/apis/${name}` }, { path: `/openapi/v3/apis/${name}` }]),
    ...openApiPaths,
  ],
};

const headersOfInterest: readonly string[] = ["content-type", "etag", "vary", "cache-control", "location", "x-content-type-options"];

function answerOf(status: number, headers: Readonly<Record<string, unknown>>, body: Uint8Array | string, path: string): Answer {
  const shown = path.startsWith("/openapi/") ? withoutHashes : (value: string): string => value;
  const chosen = headersOfInterest
    .filter((name) => headers[name] !== undefined)
    .map((name) => [name, shown([headers[name]].flat().join(", "))] as const);
  const text = shown(typeof body === "string" ? body : new TextDecoder().decode(body));
  const isLong = path === "/openapi/v2" || (text.length > (path.startsWith("/openapi/v3/") ? 300 : 3000) && path !== "/openapi/v3");
  return { status, headers: Object.fromEntries(chosen), body: isLong ? `sha512 ${sha512Hex(body)}` : text };
}

/** The real server lists the custom resources of a group version in random order. */
const sorted = (body: string): string => {
  const document = JSON.parse(body) as { readonly kind?: string; readonly resources?: readonly { readonly name: string }[] };
  return document.kind === "APIResourceList"
    ? JSON.stringify([...(document.resources ?? [])].toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    : body;
};
const comparable = (answer: Answer): Answer =>
  answer.body.startsWith("{") && answer.body.includes('"ex.io/v1"') ? { ...answer, body: sorted(answer.body) } : answer;

const ours = (state: State): Ask => {
  const resources = state === "custom" ? allResources : builtInResources;
  const discovery = discoveryDocuments(resources, { serverAddress, sha256, sha512Hex });
  const documents = new OpenApiDocuments(sampleHost);
  const ask = ({ path, accept, method = "GET" }: Question): RealAnswer => {
    const request = { method, path, headers: accept === undefined ? {} : { accept } };
    const { status, headers, body } =
      discoveryResponse(request, discovery) ??
      openApiResponse(request, { documents, resources, now: sampleHost.now() }) ??
      expect.fail(`${path} is not answered`);
    return { status, headers: headers as RealAnswer["headers"], body: Buffer.from(body as Uint8Array | string) };
  };
  return async (question) => {
    const { path } = question;
    const { status, headers, body } = await withoutProse(path, ask(question), () =>
      Promise.resolve(ask({ ...question, accept: "application/json" })),
    );
    return answerOf(status, headers, body, path);
  };
};

const theirs =
  (server: RealServer): Ask =>
  async (question) => {
    const { path } = question;
    const { status, headers, body } = await askWithoutProse(server, question);
    // Only the address differs in every run.
    return answerOf(
      status,
      headers,
      path === "/api" || path === "/api/" ? body.toString("utf8").replaceAll(/127\.0\.0\.1:\d+/g, serverAddress) : body,
      path,
    );
  };

const keyOf = ({ path, accept, method }: Question): string => [method, path, accept].filter((part) => part !== undefined).join(" ");
type Recording = Readonly<Record<State, Readonly<Record<string, Answer>>>>;

async function answersTo(asked: readonly Question[], ask: Ask): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (const question of asked) answers[keyOf(question)] = await ask(question);
  return answers;
}

async function askRealServer(): Promise<Recording> {
  const server = await startRealServer();
  try {
    const builtIn = await answersTo(questions["built-in"], theirs(server));
    await defineSample(server);
    return { "built-in": builtIn, custom: await answersTo(questions.custom, theirs(server)) };
  } finally {
    await server.stop();
  }
}

const print = (recording: Recording): string =>
  `{${(["built-in", "custom"] as const)
    .map(
      (state) =>
        `\n${JSON.stringify(state)}: {\n${Object.entries(recording[state])
          .map(([key, answer]) => `${JSON.stringify(key)}: ${JSON.stringify(answer)}`)
          .join(",\n")}\n}`,
    )
    .join(",")}\n}\n`;

if (isRecording && realServerMissing === undefined) writeFileSync(file, print(await askRealServer()));
const recorded = JSON.parse(readFileSync(file, "utf8")) as Recording;

describe.each(["built-in", "custom"] as const)("discovery and OpenAPI of our server for %s resources", (state) => {
  let answers: Readonly<Record<string, Answer>> = {};
  beforeAll(async () => {
    answers = await answersTo(questions[state], ours(state));
  }, 60_000);

  it.each(questions[state].map(keyOf))("equal the real server's answer to %s", (key) => {
    const [our, their] = [answers[key], recorded[state][key]].map((answer) =>
      comparable(answer ?? expect.fail(`${key} was not recorded; DROVER_RECORD=1 asks anew`)),
    );
    expect(our).toEqual(their);
  });
});

describe("the recorded discovery and OpenAPI", () => {
  let fresh: Recording | undefined;
  beforeAll(async () => {
    if (realServerMissing === undefined && !isRecording) fresh = await askRealServer();
  }, 120_000);

  it.for(["built-in", "custom"] as const)("equal the real server's for %s resources", (state, ctx) => {
    const answers = fresh?.[state] ?? ctx.skip(realServerMissing ?? "it has just been made");
    const [now, then] = [answers, recorded[state]].map((all) =>
      Object.fromEntries(Object.entries(all).map(([key, answer]) => [key, comparable(answer)])),
    );
    expect(now).toEqual(then);
  });
});
