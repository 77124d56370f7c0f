/**
 * Records one request, stage by stage.
 *
 *     begin (policy) → RequestReceived → requestObject, response … → end → ResponseStarted, ResponseComplete → AuditQueue
 */
import { decodeJson, encodeJson, errorText, formatMicroTime, millisToMicros } from "@drover/machinery";
import type { Clock, HttpBody, HttpRequest, HttpResponse, JsonObject, RequestInfo, Status } from "@drover/machinery";
import type { Decision } from "../access/authorizer.ts";
import type { Peer } from "../access/peer.ts";
import type { User } from "../access/user.ts";
import { isLongRunning } from "../long-running.ts";
import { firstHeader } from "../plain-request.ts";
import { metaOf } from "../registry/meta-of.ts";
import type { AuditEvent, AuditLevel, AuditObjectReference, AuditRecord, AuditStage, AuditUser } from "./audit-event.ts";
import type { AuditConfig, AuditedAttributes } from "./audit-rule.ts";
import { endingBody } from "./ending-body.ts";
import { compactJson, withoutManagedFields } from "./raw-json.ts";
import { sourceIps } from "./source-ips.ts";

/** What every trail of a server uses. */
export interface AuditServices {
  readonly clock: Clock;
  /** Finds what the policy says about a request. */
  readonly configOf: (attributes: AuditedAttributes) => AuditConfig;
  /** Called once for every request with a level, "None" included. */
  readonly onLevel: (level: AuditLevel) => void;
  readonly emit: (record: AuditRecord) => void;
}

/** The annotations of an event, which authorization and admission add to. */
export interface Annotations {
  add(key: string, value: string): void;
  entries(): readonly (readonly [key: string, value: string])[];
}

export interface AuditedRequest {
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  readonly peer: Peer;
  readonly auditId: string;
  readonly annotations: Annotations;
}

const levels: readonly AuditLevel[] = ["None", "Metadata", "Request", "RequestResponse"];
const userAgentMax = 1024;

/** Guarantees: without a matching rule nothing is recorded and every method returns at once; no method waits for the sink. */
export class AuditTrail {
  readonly #services: AuditServices;
  readonly #asked: AuditedRequest;
  readonly #receivedMs: number;
  #config: AuditConfig | undefined;
  #user: User | undefined;
  #impersonated: User | undefined;
  #constraint = "";
  #objectRef: AuditObjectReference | undefined;
  #requestText: string | undefined;
  #responseText: string | undefined;
  #status: JsonObject | undefined;
  #hasUser = true;
  #panic: string | undefined;

  constructor(services: AuditServices, asked: AuditedRequest) {
    this.#services = services;
    this.#asked = asked;
    this.#receivedMs = services.clock.now();
  }

  /** Applies the policy. Assumes that it is called once, before all other methods. */
  begin(attributes: AuditedAttributes): void {
    const config = this.#services.configOf(attributes);
    this.#services.onLevel(config.level);
    if (config.level === "None") return;
    this.#config = config;
    this.#user = attributes.user;
    this.#hasUser = attributes.user !== undefined;
    if (attributes.isResourceRequest) this.#objectRef = referenceOf(attributes);
    // kube-apiserver records a request without a valid credential only when it answers.
    if (this.#hasUser) this.#emit("RequestReceived");
  }

  get isRecording(): boolean {
    return this.#config !== undefined;
  }

  /** Whether the response object is recorded. */
  get wantsResponse(): boolean {
    return this.#config?.level === "RequestResponse";
  }

  /** `constraint` is the verb of a constrained impersonation, "" for the legacy one. */
  impersonated(user: User, constraint: string): void {
    this.#impersonated = user;
    this.#constraint = constraint;
  }

  decided({ decision, reason = "" }: Decision): void {
    const { annotations } = this.#asked;
    annotations.add("authorization.k8s.io/decision", decision === "allow" ? "allow" : "forbid");
    annotations.add("authorization.k8s.io/reason", reason);
  }

  /** Records the decoded object of the request as it is now. Options of a deletion have no metadata. */
  requestObject(object: JsonObject): void {
    if (this.#config === undefined) return;
    const { namespace = "", name = "", uid = "", resourceVersion = "" } = object["metadata"] === undefined ? {} : metaOf(object);
    const known = this.#objectRef ?? {};
    this.#objectRef = {
      ...known,
      namespace: known.namespace || namespace,
      name: known.name || name,
      uid: known.uid || uid,
      resourceVersion: known.resourceVersion || resourceVersion,
    };
    if (this.#records("Request")) this.#requestText = this.#shown(encodeJson(object));
  }

  /** Records a patch, if it is JSON. kube-apiserver loses the event of any other. */
  requestPatch(text: string): void {
    if (this.#records("Request")) this.#requestText = compactJson(text);
  }

  /** Records the Status of a response that has one. */
  responseStatus({ status, message, reason, details, code }: Partial<Status>): void {
    if (this.#config === undefined) return;
    this.#status = {
      metadata: {},
      ...(status === undefined ? {} : { status }),
      ...(message === undefined || message === "" ? {} : { message }),
      ...(reason === undefined || reason === "" ? {} : { reason }),
      ...(details === undefined ? {} : { details: details as unknown as JsonObject }),
      ...(code === undefined ? {} : { code }),
    };
  }

  /** Records the object of the response. */
  responseObject(text: () => string): void {
    if (this.wantsResponse) this.#responseText = this.#shown(text().trimEnd());
  }

  /** Records a failure of the server itself. */
  panicked(error: unknown): void {
    this.#panic = errorText(error);
  }

  /** Records that the client left before it got an answer. */
  abandoned(): void {
    if (this.#config === undefined) return;
    this.#status = { metadata: {}, status: "Success", message: "Connection closed early", code: 200 };
    if (isLongRunning(this.#asked.info)) this.#emit("ResponseStarted");
    this.#emit("ResponseComplete");
  }

  /** Records the response and returns it; one with a stream is recorded as complete when the stream ends. */
  end(response: HttpResponse): HttpResponse {
    if (this.#config === undefined) return response;
    if (this.#panic !== undefined) {
      this.responseStatus({ status: "Failure", message: `APIServer panic'd: ${this.#panic}`, reason: "InternalError", code: 500 });
      this.#emit("Panic");
      return response;
    }
    this.#status = { metadata: {}, ...this.#status, code: response.status };
    if (!this.#hasUser) {
      this.#emit("ResponseStarted");
      return response;
    }
    if (isLongRunning(this.#asked.info)) this.#emit("ResponseStarted");
    const complete = (): void => this.#emit("ResponseComplete");
    if (isWhole(response.body)) {
      complete();
      return response;
    }
    return { ...response, body: endingBody(response.body, complete) };
  }

  #records(level: AuditLevel): boolean {
    return this.#config !== undefined && levels.indexOf(this.#config.level) >= levels.indexOf(level);
  }

  #shown(text: string): string {
    return this.#config?.omitManagedFields === true ? withoutManagedFields(text) : text;
  }

  #emit(stage: AuditStage): void {
    const config = this.#config;
    if (config === undefined || config.omitStages.has(stage)) return;
    const line = this.#line(config.level as AuditEvent["level"], stage);
    this.#services.emit({ line, event: () => decodeJson(line) as unknown as AuditEvent });
  }

  #line(level: AuditEvent["level"], stage: AuditStage): string {
    const { request, info, peer, auditId, annotations } = this.#asked;
    const agent = firstHeader(request.headers, "user-agent");
    const ips = sourceIps(request.headers, peer.remoteAddress);
    const noted = annotations.entries();
    const now = stage === "RequestReceived" ? this.#receivedMs : this.#services.clock.now();
    const head = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level,
      auditID: auditId,
      stage,
      requestURI: request.path,
      verb: info.verb,
      user: this.#user === undefined ? {} : auditUser(this.#user),
      ...(this.#impersonated === undefined ? {} : { impersonatedUser: auditUser(this.#impersonated) }),
      ...(this.#constraint === "" ? {} : { authenticationMetadata: { impersonationConstraint: this.#constraint } }),
      ...(ips.length === 0 ? {} : { sourceIPs: ips }),
      ...(agent === "" ? {} : { userAgent: agent.length > userAgentMax ? `${agent.slice(0, userAgentMax)}...TRUNCATED` : agent }),
      ...(this.#objectRef === undefined ? {} : { objectRef: inOrder(this.#objectRef) }),
      ...(this.#status === undefined ? {} : { responseStatus: this.#status }),
    };
    const tail = {
      requestReceivedTimestamp: microTime(this.#receivedMs),
      stageTimestamp: microTime(now),
      ...(noted.length === 0 ? {} : { annotations: Object.fromEntries(noted.toSorted(([a], [b]) => (a < b ? -1 : 1))) }),
    };
    const bodies = [
      ...(this.#requestText === undefined ? [] : [`"requestObject":${this.#requestText}`]),
      ...(this.#responseText === undefined ? [] : [`"responseObject":${this.#responseText}`]),
    ].map((text) => `,${text}`);
    return `${escapeHtml(`${encodeJson(head).slice(0, -1)}${bodies.join("")},${encodeJson(tail).slice(1)}`)}\n`;
  }
}

/** As Go's encoder does; in JSON these characters occur only inside strings. */
const escapeHtml = (text: string): string =>
  text.replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

const microTime = (epochMs: number): string => formatMicroTime(millisToMicros(epochMs));

const isWhole = (body: HttpBody): body is string | Uint8Array => typeof body === "string" || body instanceof Uint8Array;

function referenceOf({ resource, namespace, name, group, version, subresource }: AuditedAttributes): AuditObjectReference {
  return { resource, namespace, name, apiGroup: group, apiVersion: version, subresource };
}

/** In the order of the Go type, without empty fields. */
function inOrder({ resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource }: AuditObjectReference): JsonObject {
  const all = { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource };
  return Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (value === undefined || value === "" ? [] : [[key, value]])));
}

function auditUser({ name, uid = "", groups, extra = {} }: User): AuditUser {
  return {
    ...(name === "" ? {} : { username: name }),
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
