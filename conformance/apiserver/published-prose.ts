/**
 * The documents of a server without its prose, because ours describes types and fields in other words than Kubernetes; everything
 * else must be equal.
 *
 *     RealServer → askWithoutProse → compared with ours, and read by kubectl in published-kubectl.test.ts
 */
import type { IncomingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { decodeJson, isJsonObject } from "@drover/machinery";
import { gnosticDocument } from "../../packages/apiserver/src/openapi/gnostic-document.ts";
import { documentWithoutProse } from "../../scripts/generate-api/without-prose.ts";
import { sampleDefinitions } from "./published-sample.ts";
import type { RealServer } from "../servers/real-server.ts";

export interface Question {
  readonly path: string;
  readonly accept?: string;
  readonly method?: string;
}

export interface RealAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Our own descriptions of the sample; they are compared. */
const authored: ReadonlySet<string> = new Set(descriptionsIn(sampleDefinitions as unknown as JsonValue));

function descriptionsIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(descriptionsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "description" && typeof member === "string" ? [member] : descriptionsIn(member),
  );
}

/**
 * Sends a request and removes the prose from OpenAPI documents. The protobuf form is written from the JSON form without
 * prose, after a check that our writer reproduces the server's bytes for the whole document.
 */
export async function askWithoutProse(server: RealServer, question: Question): Promise<RealAnswer> {
  return await withoutProse(question.path, await ask(server, question), () => ask(server, { ...question, accept: "application/json" }));
}

/** The same for an answer of any server; `asJson` gets the JSON form of the document. */
export async function withoutProse(path: string, answer: RealAnswer, asJson: () => Promise<RealAnswer>): Promise<RealAnswer> {
  const type = answer.headers["content-type"] ?? "";
  if (answer.status !== 200 || !/^\/openapi\/(?:v2|v3\/)/.test(path)) return answer;
  if (!type.endsWith("+protobuf")) return { ...answer, body: Buffer.from(textWithoutProse(path, answer.body)) };
  const { body } = await asJson();
  if (!answer.body.equals(protobufOf(body.toString("utf8"))))
    throw new Error(`${path}: the protobuf form of the server's document is not the one that we would write`);
  return { ...answer, body: protobufOf(textWithoutProse(path, body)) };
}

/** Replaces every SHA-512 by "<hash>": documents with different prose have different hashes. */
export function withoutHashes(text: string): string {
  return text.replaceAll(/\b[0-9A-F]{128}\b/g, "<hash>");
}

const textWithoutProse = (path: string, body: Buffer): string =>
  documentWithoutProse(body.toString("utf8"), { escapeHtml: path.startsWith("/openapi/v3/"), keeps: (text) => authored.has(text) });
const protobufOf = (text: string): Buffer => Buffer.from(gnosticDocument(decodeJson(text) as JsonObject));

function ask(server: RealServer, { path, accept, method = "GET" }: Question): Promise<RealAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}`, ...(accept === undefined ? {} : { accept }) };
    const request = httpsRequest(
      `${server.url}${path}`,
      { method, headers, ca: server.ca, checkServerIdentity: () => undefined },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }));
      },
    );
    request.on("error", reject);
    request.end();
  });
}
