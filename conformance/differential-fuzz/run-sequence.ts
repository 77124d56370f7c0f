/**
 * Sends the steps of a sequence to one server, in their own namespace, and returns its masked answers.
 *
 *     Step[], ProbeTarget → runSequence → Exchange[] → compare
 */
import { TransportError } from "@drover/client";
import { applyMergePatch, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { Exchange } from "../differential/exchange.ts";
import { objectOf, textAt, uidOf, versionOf } from "../differential/exchange.ts";
import { mask } from "../differential/mask.ts";
import { ProbeSession } from "../differential/session.ts";
import type { ProbeTarget } from "../differential/session.ts";
import { wrongUid } from "./step-grammar.ts";
import { continueWord, versionWords } from "./step.ts";
import type { Step, VersionWord } from "./step.ts";
import { yamlText } from "./yaml-text.ts";

/**
 * One exchange per step, up to the first without an answer because the server or the connection failed.
 * @param namespace - one that does not exist; it is deleted afterwards, as far as a server without controllers can
 */
export async function runSequence(steps: readonly Step[], target: ProbeTarget, namespace: string): Promise<Exchange[]> {
  const session = new ProbeSession(target, namespace);
  const quiet = new ProbeSession(target, namespace);
  await quiet.quietly("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
  const run = new SequenceRun(session);
  try {
    for (const step of steps) await run.send(step);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
  }
  await quiet.delete(`/api/v1/namespaces/${namespace}`);
  return mask(session.exchanges, session.versions);
}

/** The memory of a run, so that steps can refer to versions. */
class SequenceRun {
  readonly #session: ProbeSession;
  /** The first version seen of each object, by its path. */
  readonly #firstVersions = new Map<string, string>();
  readonly #versions = new Set<string>();
  readonly #continues = new Map<string, string>();

  constructor(session: ProbeSession) {
    this.#session = session;
  }

  async send(step: Step): Promise<void> {
    const { method, resource, names, contentType, accept } = step;
    if (await this.#wouldCreateByStatus(step))
      return this.#session.fact("left out: it would create a service by its status", names.join("/"));
    const path = `${this.#session.in(resource, ...names)}${await this.#query(step)}`;
    const headers = { ...(contentType === undefined ? {} : { "content-type": contentType }), ...(accept === undefined ? {} : { accept }) };
    if (method === "WATCH") return void (await this.#session.watch(path, { headers }));
    const body = await this.#body(step);
    const text = body !== undefined && contentType?.endsWith("yaml") === true ? yamlText(body).trim() : body;
    const answer = await this.#session.send({ method, path, headers, ...(text === undefined ? {} : { body: text }) });
    if (names.length === 0 && method === "GET") this.#continues.set(resource, textAt(answer, "metadata", "continue"));
    const written = textAt(answer, "metadata", "name");
    const version = versionOf(answer);
    const object = this.#session.in(resource, written);
    if (written !== "" && version !== "") this.#versions.add(version);
    if (written !== "" && version !== "" && !this.#firstVersions.has(object)) this.#firstVersions.set(object, version);
  }

  /**
   * The real server lets a PUT or an apply of a service's status create the service, without its addresses; ours
   * answers that it is not found.
   */
  async #wouldCreateByStatus({ method, resource, names }: Step): Promise<boolean> {
    const [name = "", subresource] = names;
    if (resource !== "services" || subresource !== "status" || (method !== "PUT" && method !== "PATCH")) return false;
    return (await this.#session.settle({ path: this.#session.in(resource, name) }, () => true)).status === 404;
  }

  async #query({ method, resource, query }: Step): Promise<string> {
    // A read that does not ask for the latest state may see an old one on a server with a cache, unless a consistent
    // read has just happened.
    if (query["resourceVersion"] !== undefined && method === "GET")
      await this.#session.settle({ path: this.#session.in(resource) }, () => true);
    const words = Object.entries(query).flatMap(([name, value]): [string, string][] => {
      const word = versionWords[value];
      if (word !== undefined) return [[name, this.#seenVersion(word)]];
      if (value !== continueWord) return [[name, value]];
      const token = this.#continues.get(resource) ?? "";
      return token === "" ? [] : [[name, token]];
    });
    return words.length === 0 ? "" : `?${words.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
  }

  /** Only of objects: versions of lists depend on what else happens on a server. */
  #seenVersion(word: VersionWord): string {
    const seen = [...this.#versions];
    if (word === "fresh") return seen.at(-1) ?? "0";
    return (word === "middle" ? seen[Math.floor(seen.length / 2)] : seen[0]) ?? "0";
  }

  async #body({ method, resource, names, body, edits, version, uid }: Step): Promise<JsonValue | undefined> {
    if (body === undefined || (edits === undefined && version === undefined && uid === undefined) || !isJsonObject(body)) return body;
    const object = this.#session.in(resource, ...names.slice(0, 1));
    const current = await this.#session.settle({ path: object }, () => true);
    const named: JsonObject = {
      ...(version === undefined
        ? {}
        : {
            resourceVersion: {
              fresh: versionOf(current),
              stale: this.#firstVersions.get(object) ?? "1",
              middle: versionOf(current),
              wrong: "1",
            }[version],
          }),
      ...(uid === undefined ? {} : { uid: uid === "same" ? uidOf(current) : wrongUid }),
    };
    if (method === "DELETE") return { ...body, preconditions: named };
    const edited = edits === undefined || current.status !== 200 ? body : applyMergePatch(objectOf(current), body);
    return applyMergePatch(edited, {
      metadata: edits !== undefined && version === undefined ? { ...named, resourceVersion: null } : named,
    });
  }
}
