/** Runs scripts against a real server and records the answers, without values that differ in every run. */
import { setTimeout as delay } from "node:timers/promises";
import type { RealResponse, RealServer } from "../servers/real-server.ts";
import type { Step } from "./transcript-scripts.ts";

export interface Exchange {
  readonly name: string;
  readonly verb: string;
  readonly method: string;
  readonly path: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  readonly status: number;
  readonly contentType: string;
  /** The received bytes, except versions, times and ids. */
  readonly body: string;
}

/** Sends the steps one after the other; consecutive watches change nothing and take a second each, so they run together. */
export async function perform(steps: readonly Step[], server: RealServer): Promise<Exchange[]> {
  const bodies = new Map<string, string>();
  const exchanges: Exchange[] = [];
  for (let next = 0; next < steps.length;) {
    let end = next + 1;
    while (steps[next]?.verb === "watch" && steps[end]?.verb === "watch") end++;
    exchanges.push(...(await Promise.all(steps.slice(next, end).map((step) => exchange(step, server, bodies)))));
    next = end;
  }
  return normalise(exchanges);
}

async function exchange(step: Step, server: RealServer, bodies: Map<string, string>): Promise<Exchange> {
  const path = fillIn(step.path, bodies);
  const body = step.body === undefined ? undefined : fillIn(step.body, bodies);
  if (step.compact === true) await server.compact();
  // The server's cache may lag slightly behind its last answer.
  const isFromMemory = step.method === "GET" && step.verb === "get" && /[?&]resourceVersion=0\b/.test(path);
  const answer = await settled(
    server,
    {
      method: step.method,
      path,
      headers: { "user-agent": "drover-transcripts", ...step.headers },
      ...(body === undefined ? {} : { body }),
    },
    step.name === "wait" || isFromMemory,
  );
  bodies.set(step.name, answer.body);
  return {
    name: step.name,
    verb: step.verb,
    method: step.method,
    path,
    ...(step.headers === undefined ? {} : { requestHeaders: step.headers }),
    ...(body === undefined ? {} : { requestBody: body }),
    status: answer.status,
    contentType: String(answer.headers["content-type"] ?? ""),
    body: answer.body,
  };
}

async function settled(server: RealServer, request: Parameters<RealServer["send"]>[0], untilFound: boolean): Promise<RealResponse> {
  for (;;) {
    const answer = await server.send(request);
    if (!untilFound || answer.status === 200) return answer;
    await delay(100);
  }
}

function fillIn(text: string, bodies: ReadonlyMap<string, string>): string {
  return text.replaceAll(/<(rv|uid|continue) of ([^>]+)>/g, (_, what: string, step: string) => {
    const pattern = { rv: /"resourceVersion":"(\d+)"/, uid: /"uid":"([^"]+)"/, continue: /"continue":"([^"]+)"/ }[what];
    const found = pattern?.exec(bodies.get(step) ?? "")?.[1];
    if (found === undefined) throw new Error(`the answer to "${step}" has no ${what}`);
    return found;
  });
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const version = /(resourceVersion(?:\\?":\\?"|=|%3D)|in record \()(\d+)/g;

// The version of a list, a table or a bookmark depends on the server's other writes, such as leases.
const collectionVersion =
  /("kind":"[A-Za-z]*(?:List|Table)",(?:"apiVersion":"[^"]+",)?"metadata":\{(?:"continue":"[^"]*",)?"resourceVersion":"|"type":"BOOKMARK","object":\{[^\n]*?"resourceVersion":")\d+/g;
const anyVersion = "9000";

/**
 * Ids become 1, 2, 3 in the order of appearance; versions of objects keep their order; versions of collections and all
 * times become one value.
 */
function normalise(answers: readonly Exchange[]): Exchange[] {
  const exchanges = answers.map((answer) => ({ ...answer, body: answer.body.replaceAll(collectionVersion, `$1${anyVersion}`) }));
  const text = JSON.stringify(exchanges);
  const ids = [...new Set(text.match(uuid))].filter((id) => !id.startsWith("00000000-"));
  // Versions below 100 are older than the server; requests use them to be too early.
  const versions = [...new Set([...text.matchAll(/resourceVersion\\+":\\+"(\d+)/g)].map(([, digits]) => Number(digits)))]
    .filter((number) => number >= 100 && number < 1_000_000 && number !== Number(anyVersion))
    .toSorted((a, b) => a - b);
  const change = (value: string): string =>
    value
      .replaceAll(uuid, (id) => (ids.includes(id) ? `00000000-0000-0000-0000-${String(ids.indexOf(id) + 1).padStart(12, "0")}` : id))
      .replaceAll(version, (whole, before: string, digits: string) =>
        versions.includes(Number(digits)) ? before + String(1001 + versions.indexOf(Number(digits))) : whole,
      )
      .replaceAll(/(too old resource version: \d+ )\(\d+\)|(current: )\d+/g, (_, old?: string, current?: string) =>
        old === undefined ? `${current}1000` : `${old}(1000)`,
      )
      .replaceAll(/(continue(?:":"|=))([A-Za-z0-9_-]{20,})/g, (_, before: string, token: string) => before + changeToken(token))
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "2026-01-01T00:00:00Z")
      .replaceAll(/"\d+(?:ms|s)"/g, '"0s"')
      // Descriptions of columns are Kubernetes' prose, which we do not copy.
      .replaceAll(/("format":"[^"]*","description":)"(?:[^"\\]|\\.)*"(?=,"priority")/g, '$1""');
  return exchanges.map((raw) => ({
    ...raw,
    path: change(raw.path),
    ...(raw.requestBody === undefined ? {} : { requestBody: change(raw.requestBody) }),
    body: change(raw.body),
  }));
}

function changeToken(token: string): string {
  const plain = Buffer.from(token, "base64url")
    .toString("utf8")
    .replace(/"rv":\d{3,}/, '"rv":1000');
  return Buffer.from(plain).toString("base64url");
}
