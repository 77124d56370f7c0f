/**
 * Masks values in a probe's exchanges that differ in every run, so that two runs, or two servers, can be compared as
 * data.
 *
 * Equal values stay equal: the third uid is "uid#3" wherever it appears. Versions of objects keep their order ("rv#1"
 * was written before "rv#2"); the version of a list depends on the server's other writes, so it only says which of the
 * probe's writes it includes: "rv>=2". Values that probes choose stay: dates before 2024, uids that begin with eight
 * zeros, and addresses and node ports of the low band, which Kubernetes reserves for explicit choices.
 *
 * Kubernetes' descriptions of columns and fields are removed as well (exchange-prose.ts), because ours have other
 * words.
 */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { textAt } from "./exchange.ts";
import type { Exchange, RecordedHeaders } from "./exchange.ts";
import { exchangeWithoutProse } from "./exchange-prose.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\b20(?:2[4-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const address = /\b10\.0\.0\.(?:1[7-9]|[2-9]\d|\d{3})\b/g;
const nodePort = /:(3[0-2]\d{3})\//g;
const ownPortsEnd = 30_086;
const age = /^(?:\d+[smhdy])+$/;

/** Texts that name internals of the real server. */
const goNames: readonly (readonly [RegExp, string])[] = [
  [/ in scheme "[^"]+"/g, ' in scheme "<file>"'],
  [/\*?(?:\[\])?(?:unstructured|handlers|internalversion|v1beta1)\.[A-Za-z]+/g, "<type>"],
  // A dump of the whole object with its members in internal order.
  [/(Invalid value: ")\{\\"(?:[^"\\]|\\.)*\}(")/g, "$1<object>$2"],
  [/\(\*core\.[A-Za-z]+\)/g, "(<type>)"],
  [/&user\.DefaultInfo\{.*\}/g, "<user>"],
  [/converting \(\S+\) to \(\S+\)/g, "converting <type> to <type>"],
  [/\n\s*(?:[\u00a0 ]*(?:core\.PodSpec|\bbatch|core\.PodTemplateSpec)[\s\S]*|@@[\s\S]*)$/g, "\n<difference>"],
];

/**
 * Masks the exchanges of one probe. @param versions - versions in answers that were not recorded, or not completely:
 * requests may name them
 */
export function mask(exchanges: readonly Exchange[], versions: readonly string[] = []): Exchange[] {
  const seen = new Seen(versions);
  for (const exchange of exchanges) seen.look(exchange as unknown as JsonValue);
  return exchanges.map(exchangeWithoutProse).map((exchange) => ({
    ...(seen.masked(exchange as unknown as JsonValue) as unknown as Exchange),
    ...("headers" in exchange ? { headers: maskHeaders(exchange.headers, seen) } : {}),
  }));
}

function maskHeaders(headers: RecordedHeaders, seen: Seen): RecordedHeaders {
  const { etag, ...others } = headers;
  const masked = seen.masked(others as unknown as JsonObject) as unknown as RecordedHeaders;
  return etag === undefined ? masked : { ...masked, etag: /^"[0-9A-F]+"$/.test(String(etag)) ? '"<tag>"' : "<tag>" };
}

/** The values of one probe that are replaced by numbers. */
class Seen {
  readonly #uids = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  readonly #ports = new Map<string, string>();
  readonly #objectVersions = new Set<number>();
  readonly #otherVersions = new Set<number>();
  #order: readonly number[] | undefined;

  constructor(versions: readonly string[]) {
    for (const version of versions) this.#note(this.#otherVersions, version);
  }

  /** Collects the values to mask. Keys in alphabetical order: servers may order them differently. */
  look(value: JsonValue): void {
    if (typeof value === "string") this.#lookAtText(value);
    else if (Array.isArray(value)) for (const item of value) this.look(item);
    else if (isJsonObject(value)) {
      this.#lookAtObject(value);
      for (const key of Object.keys(value).toSorted()) {
        this.look(value[key] ?? null);
        this.#lookAtText(key);
      }
    }
  }

  #lookAtText(text: string): void {
    for (const [id] of text.matchAll(uuid)) if (!id.startsWith("00000000-")) number(this.#uids, id, "uid#");
    for (const [ip] of text.matchAll(address)) number(this.#addresses, ip, "10.0.0.#");
    for (const [, port] of text.matchAll(nodePort)) this.#lookAtPort(Number(port));
  }

  #lookAtObject(value: JsonObject): void {
    const { generateName, name, nodePort: port, healthCheckNodePort: healthPort } = value;
    for (const [key, other] of Object.entries(value)) {
      // For an object with metadata, whether it is a collection decides what its version means.
      if (key !== "metadata" || !isJsonObject(other) || typeof other["resourceVersion"] !== "string") continue;
      if (isCollection(value)) this.#note(this.#otherVersions, other["resourceVersion"]);
      else this.#note(this.#objectVersions, other["resourceVersion"]);
    }
    if (
      typeof generateName === "string" &&
      typeof name === "string" &&
      generateName !== "" &&
      name.length === generateName.length + 5 &&
      name.startsWith(generateName)
    )
      number(this.#names, name, `${generateName}<generated>#`);
    for (const given of [port, healthPort]) if (typeof given === "number") this.#lookAtPort(given);
  }

  #lookAtPort(port: number): void {
    if (port >= ownPortsEnd) number(this.#ports, String(port), "port#");
  }

  #note(versions: Set<number>, text: string): void {
    if (/^[1-9]\d*$/.test(text)) versions.add(Number(text));
  }

  /** A masked copy. @param reached - whether a version here is the server's state and not that of an object */
  masked(value: JsonValue, key = "", reached = false): JsonValue {
    if (typeof value === "string") return this.#text(value, key, reached);
    if (typeof value === "number")
      return (key === "nodePort" || key === "healthCheckNodePort" ? this.#ports.get(String(value)) : undefined) ?? value;
    if (Array.isArray(value)) return inOrder(value.map((item) => this.masked(item, key, reached)));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name.replaceAll(uuid, (id) => this.#uids.get(id) ?? id),
        this.masked(member, name, name === "metadata" ? isCollection(value) : reached),
      ]),
    );
  }

  #text(text: string, key: string, reached: boolean): string {
    if (key === "resourceVersion") return this.#version(text, reached ? "rv>=" : "rv#");
    if (key === "continue" && text !== "") return this.#token(text);
    if (key === "storageVersionHash") return "<hash>";
    if (key === "token" && /^ey[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return "<token>";
    if (key === "cells" && age.test(text)) return "<age>";
    let result = text
      .replaceAll(uuid, (id) => this.#uids.get(id) ?? id)
      .replaceAll(time, (_, fraction?: string) => (fraction === undefined ? "<time>" : `<time with ${fraction.length - 1} digits>`))
      .replaceAll(address, (ip) => this.#addresses.get(ip) ?? ip)
      .replaceAll(/\b(?:127\.0\.0\.1|localhost):\d+/g, "<host>")
      .replaceAll(/\bhash=[0-9A-F]{20,}/g, "hash=<hash>")
      .replaceAll(/([?&]continue=)([\w-]{20,})/g, (_, before: string, token: string) => before + this.#token(token))
      .replaceAll(/(resourceVersion=)(\d+)/g, (_, before: string, version: string) => before + this.#version(version, "rv>="))
      .replaceAll(/(resourceVersion(?:\\?": ?\\?"|: "))\d+/g, "$1<version>")
      .replaceAll(
        /(in record \(|in the precondition \()(\d+)/g,
        (_, before: string, version: string) => before + this.#version(version, "rv#"),
      )
      .replaceAll(
        /(too old resource version: )(\d+) \(\d+\)/g,
        (_, before: string, version: string) => `${before}${this.#version(version, "rv>=")} (<oldest>)`,
      )
      .replaceAll(/(Too large resource version: \d+, current: )\d+/g, "$1<current>");
    for (const [given, instead] of [...this.#ports, ...this.#names]) result = result.replaceAll(given, instead);
    for (const [pattern, instead] of goNames) result = result.replaceAll(pattern, instead);
    return result;
  }

  /** A version that no answer had is the probe's own choice and stays. */
  #version(text: string, prefix: string): string {
    const version = Number(text);
    return this.#objectVersions.has(version) || this.#otherVersions.has(version) ? `${prefix}${this.#rank(version)}` : text;
  }

  /** Number of the probe's object versions up to this one. */
  #rank(version: number): number {
    this.#order ??= [...this.#objectVersions].toSorted((a, b) => a - b);
    return this.#order.filter((other) => other <= version).length;
  }

  /** The content of a continue token, because two servers may encode the same in different bytes. */
  #token(token: string): string {
    try {
      const { v, rv, start } = JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as {
        readonly v: string;
        readonly rv: number;
        readonly start: string;
      };
      return `continue(${v}, ${rv > 0 ? `rv>=${this.#rank(rv)}` : rv}, ${start.replace(/^\//, "").replace("\u0000", "\\0")})`;
    } catch {
      return token;
    }
  }
}

/**
 * Two lists have a random order: managers are sorted by the second of their last write, so by name only within one
 * second, and the causes of an apply conflict with several managers come in the order of a Go map.
 */
function inOrder(items: JsonValue[]): JsonValue[] {
  const rankOf =
    (...members: readonly string[]) =>
    (item: JsonValue): string =>
      members.map((member) => textAt({ body: item }, member)).join("\n");
  const sorted = (rank: (item: JsonValue) => string): JsonValue[] =>
    items.toSorted((a, b) => (rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b))));
  if (items.every((item) => textAt({ body: item }, "manager") !== "" && textAt({ body: item }, "operation") !== ""))
    return sorted(rankOf("operation", "manager", "apiVersion", "subresource"));
  return items.every((item) => textAt({ body: item }, "reason") === "FieldManagerConflict") ? sorted(rankOf("message", "field")) : items;
}

function number(numbers: Map<string, string>, value: string, prefix: string): void {
  if (!numbers.has(value)) numbers.set(value, `${prefix}${numbers.size + 1}`);
}

/** Whether this version is not that of an object: a list, a table, the bookmark after the initial events. */
function isCollection({ items, rows, metadata }: JsonObject): boolean {
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  return (
    items !== undefined || Array.isArray(rows) || (isJsonObject(annotations) && Object.hasOwn(annotations, "k8s.io/initial-events-end"))
  );
}
