/** A server whose webhooks are functions in the test. */
import { decodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { ApiServerOptions } from "../api-server.ts";
import type { WebhookCall, WebhookReply } from "../webhook/webhook-call.ts";
import { testServer } from "./test-server.ts";
import type { TestServer } from "./test-server.ts";

/** What a webhook in a test is: gets the review, returns the `response` without uid, or a whole reply. */
export type WebhookFunction = (request: JsonObject, call: WebhookCall) => JsonObject | WebhookReply | Promise<JsonObject | WebhookReply>;

export interface WebhookServer extends TestServer {
  /** Sets the webhook at a path: `https://hook.test/<path>`. */
  readonly hook: (path: string, answer: WebhookFunction) => void;
  /** Registers a configuration with webhooks that get every ConfigMap, at the paths of their names' first labels. */
  readonly register: (type: "mutating" | "validating", name: string, ...webhooks: readonly JsonObject[]) => Promise<void>;
  /** All reviews sent so far, as "path operation resource/subresource name". */
  readonly calls: () => readonly string[];
}

export const allow: WebhookFunction = () => ({ allowed: true });

/** A response with a JSON patch. */
export const patchOf = (...operations: readonly JsonObject[]): JsonObject => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: btoa(JSON.stringify(operations)),
});

/** A webhook of a configuration, called at the path of its name's first label. */
export const webhook = (name: string, over: JsonObject = {}): JsonObject => ({
  name: `${name}.hook.test`,
  clientConfig: { url: `https://hook.test/${name}` },
  rules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  ...over,
});

export async function webhookServer(options: Partial<ApiServerOptions> = {}): Promise<WebhookServer> {
  const hooks = new Map<string, WebhookFunction>();
  const calls: string[] = [];
  const handle = async (call: WebhookCall): Promise<WebhookReply> => {
    const path = new URL(call.url).pathname.slice(1);
    const review = decodeJson(call.body) as JsonObject;
    const request = review["request"] as JsonObject;
    const subresource = text(request["subResource"]);
    const resource = `${text(at(request, "resource", "resource"))}${subresource === "" ? "" : "/"}${subresource}`;
    calls.push([path, text(request["operation"]), resource, text(request["name"])].join(" ").trim());
    const answer = await (hooks.get(path) ?? allow)(request, call);
    if ("status" in answer && typeof answer["status"] === "number") return answer as unknown as WebhookReply;
    const { kind, apiVersion } = review;
    return ok({ kind, apiVersion, response: { uid: request["uid"], ...answer } } as JsonObject);
  };
  const server = await testServer({ webhooks: { handle }, ...options });
  return {
    ...server,
    hook: (path, answer) => void hooks.set(path, answer),
    calls: () => calls.splice(0),
    register: async (type, name, ...webhooks) => {
      const path = `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`;
      const { status, text: answer } = await server.call("POST", path, { metadata: { name }, webhooks: [...webhooks] });
      if (status !== 201) throw new Error(answer);
    },
  };
}

const text = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** A reply with JSON. */
export const ok = (value: JsonValue): WebhookReply => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

/** The member of an object at a path. */
export function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return found;
}
