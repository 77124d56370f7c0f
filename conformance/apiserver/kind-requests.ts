/** Requests about objects of a built-in kind, to a real server. */
import { findKind } from "@drover/api";
import { apiVersionOf, decodeJson, isJsonObject } from "@drover/machinery";
import type { GroupVersionKind, JsonObject, Kind } from "@drover/machinery";
import type { RealServer } from "../servers/real-server.ts";

/** "group/version/Kind"; the core group is "". */
export const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

export function kindOf(key: string): Kind {
  const [group = "", version = "", name = ""] = key.split("/");
  const kind = findKind({ group, version, kind: name });
  if (kind === undefined) throw new Error(`there is no kind ${key}`);
  return kind;
}

/** The path of the collection, in the namespace "default". */
export const pathOf = ({ group, version, plural, scope }: Kind): string =>
  `/${group === "" ? "api" : `apis/${group}`}/${version}/${scope === "Namespaced" ? "namespaces/default/" : ""}${plural}`;

/** The whole object; its own name wins over the given one. */
export function bodyOf(kind: GroupVersionKind, object: JsonObject, name: string): JsonObject {
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...object,
    metadata: { name, ...(isJsonObject(object["metadata"]) ? object["metadata"] : {}) },
  };
}

/** The server's answer, whatever its status. */
export async function tryObject(
  server: RealServer,
  method: string,
  path: string,
  object?: JsonObject,
): Promise<{ readonly status: number; readonly answer: JsonObject }> {
  const { status, body } = await server.send({
    method,
    path,
    headers: { "content-type": "application/json" },
    ...(object === undefined ? {} : { body: JSON.stringify(object) }),
  });
  const answer = decodeJson(body);
  return { status, answer: isJsonObject(answer) ? answer : {} };
}

/** The object in the server's answer. Throws when the server refuses. */
export async function sendObject(server: RealServer, method: string, path: string, object?: JsonObject): Promise<JsonObject> {
  const { status, answer } = await tryObject(server, method, path, object);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}
