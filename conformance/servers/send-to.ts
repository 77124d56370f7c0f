/** Sends requests with JSON bodies to one of our servers in this process, and reads whole answers, also streamed ones. */
import type { ApiServer } from "@drover/apiserver";
import { encodeJson } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";

export interface Answer {
  readonly status: number;
  readonly body: string;
}
export type Send = (method: string, path: string, body?: JsonObject) => Promise<Answer>;

export const sendTo =
  (server: ApiServer): Send =>
  async (method, path, body) => {
    const { status, body: answer } = await server.handle({
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: encodeJson(body) }),
    });
    if (typeof answer === "string" || answer instanceof Uint8Array) return { status, body: String(answer) };
    let text = "";
    for await (const piece of answer) text += String(piece);
    return { status, body: text };
  };
