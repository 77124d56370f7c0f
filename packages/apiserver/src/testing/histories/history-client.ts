/** A client that reads and writes objects, one request at a time, and remembers what it saw. */
import { decodeJson, encodeJson } from "@drover/machinery";
import type { HttpRequest, HttpResponse, JsonObject } from "@drover/machinery";
import { collectionPath, historyKinds, idOf, mapOf, partsOfId, pathOf, textOf, versionOf } from "./history-kind.ts";
import type { ListPage, ListRecord, Operation, OperationAnswer, Version, Wish } from "./history.ts";
import type { ListStep, RequestStep } from "./history-plan.ts";
import type { Recorder } from "./recorder.ts";
import { scopeOf, scopeQuery } from "./scope-plan.ts";

/** Guarantees: one request at a time, except for abandoned ones. */
export class HistoryClient {
  readonly #recorder: Recorder;
  readonly #number: number;
  readonly #seen = new Map<string, Version>();
  #busy: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(recorder: Recorder, number: number) {
    this.#recorder = recorder;
    this.#number = number;
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Runs a step after all earlier ones. */
  take(step: RequestStep | ListStep): void {
    this.#waiting++;
    const work = this.#busy.then(() => this.#take(step));
    this.#busy = work.catch(() => undefined).finally(() => this.#waiting--);
    this.#recorder.spawn(work);
  }

  async #take(step: RequestStep | ListStep): Promise<void> {
    if (step.kind === "request") await this.#request(step);
    else await recordList(this.#recorder, `client ${this.#number}`, step);
  }

  async #request(step: RequestStep): Promise<void> {
    const seen = this.#seen.get(step.id);
    // A client that has never seen the object reads it first.
    const verb = step.isConditional && seen === undefined ? "get" : step.verb;
    const expected = step.isConditional && verb !== "get" ? seen?.revision : undefined;
    const wish = verb === "get" || verb === "delete" ? undefined : wishOf(step, verb, `c${this.#number}`, seen);
    const asked = { client: `client ${this.#number}`, id: step.id, verb, expected, wish, invoked: this.#recorder.tick() };
    const request = requestOf(step.id, verb, wish, expected);
    if (step.isLost) {
      this.#recorder.operations.push({ ...asked, returned: Infinity, answer: undefined });
      return await this.#giveUp(request);
    }
    const answer = answerOf(await this.#recorder.handle(request));
    this.#recorder.operations.push({ ...asked, returned: this.#recorder.tick(), answer });
    if (answer.version === undefined || verb === "dry-patch") this.#seen.delete(step.id);
    else this.#seen.set(step.id, answer.version);
  }

  /** Sends a request and disconnects. The store shows whether it took effect. */
  async #giveUp(request: HttpRequest): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#waiting++;
    const refused = (error: unknown): void => {
      if (!signal.aborted) throw error;
    };
    this.#recorder.spawn(
      this.#recorder
        .handle({ ...request, signal })
        .then(() => undefined, refused)
        .finally(() => this.#waiting--),
    );
    await this.#recorder.turns(3);
    controller.abort();
  }
}

function wishOf(
  { mark, app, color, finalizers, isEmpty }: RequestStep,
  verb: Operation["verb"],
  own: string,
  seen: Version | undefined,
): Wish {
  const data = { [own]: mark, ...(color === undefined ? {} : { color }) };
  if (verb === "patch" || verb === "dry-patch")
    return isEmpty
      ? { data: {}, labels: undefined, finalizers: undefined }
      : { data, labels: app === undefined ? undefined : { app }, finalizers };
  const { metadata, ...rest } = verb === "put" && seen !== undefined ? seen.content : {};
  const { labels, finalizers: held } = mapOf(metadata);
  const known = mapOf(rest["data"] ?? rest["spec"]);
  return {
    data: { ...(known as Record<string, string>), ...data },
    labels: app === undefined ? (mapOf(labels) as Record<string, string>) : app === null ? {} : { app },
    finalizers: finalizers ?? (Array.isArray(held) ? (held as string[]) : []),
  };
}

function requestOf(id: string, verb: Operation["verb"], wish: Wish | undefined, expected: number | undefined): HttpRequest {
  const { kind, namespace, name } = partsOfId(id);
  const path = pathOf(id);
  const version: JsonObject = expected === undefined ? {} : { resourceVersion: String(expected) };
  if (verb === "get") return { method: "GET", path, headers: {} };
  if (verb === "delete")
    return { method: "DELETE", path, headers: {}, ...(expected === undefined ? {} : { body: encodeJson({ preconditions: version }) }) };
  const metadata: JsonObject = {
    ...version,
    ...(wish?.labels === undefined ? {} : { labels: { ...wish.labels } }),
    ...(wish?.finalizers === undefined ? {} : { finalizers: [...wish.finalizers] }),
  };
  const change: JsonObject = { metadata, [kind.dataField]: { ...wish?.data } };
  if (verb === "patch" || verb === "dry-patch") {
    return {
      method: "PATCH",
      path: verb === "patch" ? path : `${path}?dryRun=All`,
      headers: { "content-type": "application/merge-patch+json" },
      body: encodeJson(change),
    };
  }
  const body = encodeJson({ apiVersion: kind.apiVersion, kind: kind.kind, ...change, metadata: { name, ...metadata } });
  return {
    method: verb === "create" ? "POST" : "PUT",
    path: verb === "create" ? collectionPath(kind, namespace) : path,
    headers: {},
    body,
  };
}

function answerOf({ status, body }: HttpResponse): OperationAnswer {
  const object = bodyOf(body);
  if (object["kind"] !== "Status") return { code: status, reason: "", version: versionOf(object) };
  return { code: status, reason: textOf(object["reason"]), version: undefined };
}

function bodyOf(body: HttpResponse["body"]): JsonObject {
  return typeof body === "string" ? mapOf(decodeJson(body)) : {};
}

/** Lists page by page, records the list, and returns it. */
export async function recordList(
  recorder: Recorder,
  name: string,
  { scope, mode, back, limit }: Omit<ListStep, "kind" | "client">,
): Promise<ListRecord> {
  const { store } = recorder;
  const kind = historyKinds[scope.collection];
  const invoked = recorder.tick();
  const floor = store.newest;
  const asked = mode === "latest" || mode === "any" ? 0 : Math.max(1, floor - back);
  const version =
    mode === "latest"
      ? []
      : mode === "any"
        ? ["resourceVersion=0"]
        : [`resourceVersion=${asked}`, `resourceVersionMatch=${mode === "exact" ? "Exact" : "NotOlderThan"}`];
  const common = [...scopeQuery(scope), ...(limit === 0 ? [] : [`limit=${limit}`])];
  const path = (query: readonly string[]): string => `${collectionPath(kind, scope.namespace)}?${query.join("&")}`;
  const pages: ListPage[] = [];
  for (let query: readonly string[] | undefined = [...common, ...version]; query !== undefined;) {
    const before = await store.forgotten();
    const { status, body } = await recorder.handle({ method: "GET", path: path(query), headers: {} });
    const list = bodyOf(body);
    const { resourceVersion, continue: more, remainingItemCount: remaining } = mapOf(list["metadata"]);
    const token = textOf(more);
    const items = (Array.isArray(list["items"]) ? list["items"] : []).map((item) => {
      const found = versionOf(mapOf(item));
      return { id: idOf(kind, found), version: found };
    });
    pages.push({
      code: status,
      revision: Number(textOf(resourceVersion)),
      items,
      hasMore: token !== "",
      remaining: typeof remaining === "number" ? remaining : undefined,
      compacted: [before, await store.compacted()],
    });
    // A refusal also has a token, for clients that accept an inconsistent list.
    query = status !== 200 || token === "" ? undefined : [...common, `continue=${encodeURIComponent(token)}`];
    await recorder.turns(Math.max(0, back) * 3);
  }
  const isUnfiltered = scopeQuery(scope).length === 0;
  const record: ListRecord = {
    name,
    path: path([...common, ...version]),
    scope: scopeOf(scope),
    isUnfiltered,
    mode: mode === "any" ? "not-older-than" : mode,
    asked,
    floor,
    newestAtEnd: store.newest,
    pages,
    invoked,
    returned: recorder.tick(),
  };
  recorder.lists.push(record);
  return record;
}
