/**
 * The wire format compared with the answers of a real API server (1.36.3), in conformance/recorded/transcripts, byte by
 * byte except versions, times and ids. DROVER_RECORD=1 records them again; with KUBEBUILDER_ASSETS the requests are
 * sent again and compared.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  decodeJson,
  decodeWatchEvent,
  defaultListOptions,
  encodeJson,
  encodeWatchEvent,
  formatResourcePath,
  jsonEqual,
  LineSplitter,
  parseDeleteOptions,
  parseGetOptions,
  parseListOptions,
  parsePatchContentType,
  parsePatchOptions,
  parseQuery,
  parseResourcePath,
  parseWriteOptions,
  printFieldErrors,
  QueryError,
  requestInfo,
  validateDeleteOptions,
  validateIncludeObject,
  validateListOptions,
  validatePatchOptions,
  validateWriteOptions,
} from "@drover/machinery";
import type { JsonObject, Status } from "@drover/machinery";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";
import { scripts } from "./transcript-scripts.ts";
import { perform } from "./transcript.ts";
import type { Exchange } from "./transcript.ts";

const record = process.env["DROVER_RECORD"] === "1" && realServerMissing === undefined;
const fileOf = (script: string): string => join(import.meta.dirname, "..", "recorded", "transcripts", `${script}.json`);
const recordingOf = (script: string): Exchange[] => JSON.parse(readFileSync(fileOf(script), "utf8")) as Exchange[];

describe("a real server", () => {
  let server: RealServer | undefined;
  beforeAll(async () => {
    server = realServerMissing === undefined ? await startRealServer() : undefined;
  }, 90_000);
  afterAll(() => server?.stop(), 30_000);

  it.for(Object.keys(scripts))("still answers as recorded: %s", { timeout: 60_000 }, async (script, ctx) => {
    if (server === undefined) {
      ctx.skip(realServerMissing ?? "");
      return;
    }
    const exchanges = await perform(scripts[script] ?? [], server);
    if (record) writeFileSync(fileOf(script), `[\n${exchanges.map((exchange) => JSON.stringify(exchange)).join(",\n")}\n]\n`);
    expect(exchanges).toEqual(recordingOf(script));
  });
});

describe.each(record ? [] : Object.keys(scripts))("the recorded answers of a real server: %s", (script) => {
  const exchanges = recordingOf(script);
  const named = exchanges.map((exchange) => [exchange.name, exchange] as const);
  const json = named.filter(
    ([, { contentType, body, verb, status }]) =>
      contentType === "application/json" && !body.startsWith("{\n") && !(verb === "watch" && status === 200),
  );
  const watched = named.filter(([, { verb, status }]) => verb === "watch" && status === 200);
  const refused = named.filter(([, { body }]) => /"kind":"[A-Za-z]*Options"|strconv.ParseInt|export parameter|includeObject/.test(body));

  it("match the steps of the current script", () => {
    expect(exchanges.map(({ name, verb, method }) => [name, verb, method])).toEqual(
      scripts[script]?.map(({ name, verb, method }) => [name, verb, method]),
    );
  });
  it.each(named)("the request is parsed: %s", (_, { method, path, verb }) => {
    expect(requestInfo(method, path).verb).toBe(verb);
    const [target = ""] = path.split("?");
    const parsed = parseResourcePath(target);
    if (parsed !== undefined && !target.includes("/watch/")) expect(formatResourcePath(parsed)).toBe(target);
  });
  it.each(json)("the answer is written back byte by byte: %s", (_, { body }) => {
    const again = `${encodeJson(decodeJson(body), { escapeHtml: true })}\n`;
    // Keys that look like array indexes lose their position in a JavaScript object; nothing else may.
    if (/[{,]"(?:0|[1-9]\d*)":/.test(body))
      expect(encodeJson(decodeJson(again), { sortKeys: true })).toBe(encodeJson(decodeJson(body), { sortKeys: true }));
    else expect(again.trimEnd()).toBe(body.trimEnd());
  });
  it.each(named.filter(([, { body }]) => body.includes("managedFields")))("managed fields are cut exactly: %s", (_, { body }) => {
    for (const text of body.trimEnd().split("\n")) {
      const whole = decodeJson(text) as JsonObject;
      const short = decodeJson(text, { dropManagedFields: true });
      expect(jsonEqual(short, withoutManagedFields(whole))).toBe(true);
    }
  });
  it.each(watched)("every line is an event and is written back byte by byte: %s", (_, { body }) => {
    const lines = new LineSplitter().push(body);
    expect(lines.join("")).toBe(body.replaceAll("\n", ""));
    for (const line of lines) {
      const { type, object } = decodeWatchEvent(line);
      expect(encodeWatchEvent(type, encodeJson(object, { escapeHtml: true }))).toBe(`${line}\n`);
    }
  });
  it.each(refused)("our error has the same message: %s", (_, exchange) => {
    expect(refusalOf(exchange)).toBe((decodeJson(exchange.body) as unknown as Status).message);
  });
});

/** The error in a request's options, as the message of the server's Status. */
function refusalOf({ method, path, requestHeaders = {} }: Exchange): string {
  const { verb } = requestInfo(method, path);
  const query = parseQuery(path.split("?")[1] ?? "");
  const invalid = (kind: string, errors: Parameters<typeof printFieldErrors>[0]): string =>
    `${kind}.meta.k8s.io "" is invalid: ${printFieldErrors(errors)}`;
  try {
    const rows = query.get("includeObject")?.[0];
    if (rows !== undefined) return `Unable to convert to Table as requested: ${printFieldErrors(validateIncludeObject(rows))}`;
    if (verb === "get") return invalid("GetOptions", parseGetOptions(query) && []);
    if (verb === "delete") return invalid("DeleteOptions", validateDeleteOptions(parseDeleteOptions(query)));
    if (verb === "create") return invalid("CreateOptions", validateWriteOptions(parseWriteOptions(query)));
    if (verb === "patch")
      return invalid(
        "PatchOptions",
        validatePatchOptions(parsePatchOptions(query), parsePatchContentType(requestHeaders["content-type"] ?? "") ?? "json"),
      );
    return invalid("ListOptions", validateListOptions(defaultListOptions(parseListOptions(query))));
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
}

/** Written out by hand: what `dropManagedFields` promises. */
function withoutManagedFields(value: JsonObject): JsonObject {
  const { items, object, metadata, ...rest } = value;
  const strip = (part: unknown): JsonObject => {
    const whole = part as JsonObject & { metadata: JsonObject };
    const { managedFields: _, ...kept } = whole.metadata;
    return { ...whole, metadata: kept };
  };
  if (Array.isArray(items)) return { ...rest, metadata: metadata ?? {}, items: items.map(strip) };
  if (object !== undefined) return { ...rest, object: strip(object) };
  return metadata === undefined ? value : strip(value);
}
